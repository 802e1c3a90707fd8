#include "engine/ptx/source_place.hpp"

namespace warplens::ptx {

Place place_of(const Program& program, const Function& function, std::size_t pc) {
  if (pc >= function.code.size()) return {};
  const std::int32_t location = function.code[pc].location;
  if (location < 0) return {};
  const SourceLocation& source = function.locations[static_cast<std::size_t>(location)];
  if (source.file < 0 || static_cast<std::size_t>(source.file) >= program.files.size()) return {};
  return {program.files[static_cast<std::size_t>(source.file)], source.line, 0};
}

}  // namespace warplens::ptx
