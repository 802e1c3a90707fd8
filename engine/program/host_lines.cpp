#include "engine/program/host_lines.hpp"

#include <span>

#include "engine/base/whole_file.hpp"

namespace warplens::program {

HostLines HostLines::read(const std::filesystem::path& program) {
  HostLines lines;
  const auto file = read_whole_file(program);
  if (!file) return lines;
  const auto elf = compile::Elf::parse(std::as_bytes(std::span(*file)));
  if (!elf) return lines;
  constexpr std::size_t kAll = 0;  // of a linked program all addresses are of one space
  auto table = compile::read_line_table(*elf, kAll);
  if (table) lines.table_ = *std::move(table);
  return lines;
}

Place HostLines::place_of_call(std::uint64_t behind) const {
  const compile::LineRow* const row = behind == 0 ? nullptr : table_.find(behind - 1);
  if (row == nullptr || row->file < 0) return {};
  return {table_.files[static_cast<std::size_t>(row->file)], row->line, 0};
}

}  // namespace warplens::program
