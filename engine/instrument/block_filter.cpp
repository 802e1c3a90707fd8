#include "engine/instrument/block_filter.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "engine/instrument/entry_text.hpp"

namespace warplens::instrument {
namespace {

constexpr std::uint64_t kWordBits = 32;
// PTX ISA, state space .const: 64 KB for all constants of a module; some are left to the kernel's own.
constexpr std::uint64_t kMostBytes = 60 * 1024;

std::string table(std::span<const std::uint64_t> blocks, std::uint64_t blocks_in_grid) {
  std::vector<std::uint32_t> words(static_cast<std::size_t>((blocks_in_grid + kWordBits - 1) / kWordBits));
  for (const std::uint64_t block : blocks)
    words[static_cast<std::size_t>(block / kWordBits)] |= 1u << block % kWordBits;
  return fmt::format("\n.const .align 4 .b32 warplens_blocks[{}] = {{{}}};\n", words.size(),
                     fmt::join(words, ", "));
}

std::string beginning() {
  return "\n\t{\n\t.reg .pred %warplens_idle;\n\t.reg .b32 %warplens_block, %warplens_word;\n"
         "\t.reg .b64 %warplens_table, %warplens_offset;\n" +
         linear_block("%warplens_block", "%warplens_word") +
         "\tmov.u64 %warplens_table, warplens_blocks;\n"
         "\tshr.u32 %warplens_word, %warplens_block, 5;\n"
         "\tmul.wide.u32 %warplens_offset, %warplens_word, 4;\n"
         "\tadd.u64 %warplens_table, %warplens_table, %warplens_offset;\n"
         "\tld.const.u32 %warplens_word, [%warplens_table];\n"
         "\tand.b32 %warplens_block, %warplens_block, 31;\n"
         "\tshr.u32 %warplens_word, %warplens_word, %warplens_block;\n"
         "\tand.b32 %warplens_word, %warplens_word, 1;\n"
         "\tsetp.eq.u32 %warplens_idle, %warplens_word, 0;\n\t@%warplens_idle ret;\n\t}\n";
}

// Behind the version, target and address size, which come first; in front of everything else.
Result<std::size_t> behind_head(std::string_view text) {
  const std::size_t size = text.find(".address_size");
  const std::size_t end = size == std::string_view::npos ? size : text.find('\n', size);
  if (end == std::string_view::npos)
    return Error{"the PTX does not say its address size", "compile the kernel again"};
  return end + 1;
}

}  // namespace

Result<std::string> with_blocks_only(std::string_view ptx, std::string_view name,
                                     std::span<const std::uint64_t> blocks, std::uint64_t blocks_in_grid) {
  if (blocks_in_grid > kMostBytes * 8)
    return Error{
        fmt::format("a grid of {} blocks has more than constant memory can tell apart", blocks_in_grid),
        "choose a smaller size"};
  const auto parsed = parse_entry(ptx, name);
  if (!parsed) return parsed.error();
  const auto place = find_entry(ptx, parsed->entry());
  if (!place) return place.error();
  const auto head = behind_head(ptx);
  if (!head) return head.error();
  return insert(ptx, {{*head, table(blocks, blocks_in_grid)}, {place->code_begin, beginning()}});
}

}  // namespace warplens::instrument
