#include "engine/sass/nvdisasm.hpp"

namespace warplens::sass {
namespace {
Error no_disassembler() { return {"there is no nvdisasm here", "use Warplens on this machine itself"}; }
}  // namespace

Result<Text> parse_nvdisasm(std::string_view, std::string_view) { return no_disassembler(); }
std::filesystem::path Disassembler::find() const { return {}; }
Result<SharedText> Disassembler::text_of(std::span<const std::byte>, std::string_view) {
  return no_disassembler();
}

}  // namespace warplens::sass
