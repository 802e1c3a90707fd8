// Address -> source line, from the .debug_line section that ptxas writes under -lineinfo
// (DWARF 2 line programs, DWARF 2.0.0 section 6.2, with two NVIDIA extensions that are skipped by their
// length).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/compile/elf.hpp"

namespace warplens::compile {

struct LineRow {
  std::uint64_t address = 0;  // within the text section
  int line = 0;               // 0: none
  int file = -1;              // index into LineTable::files; -1: none
  bool end = false;           // the first address behind a sequence
};

struct LineTable {
  std::vector<std::string> files;
  std::vector<LineRow> rows;                         // ascending by address
  const LineRow* find(std::uint64_t address) const;  // the row that covers it; null where none does
};

inline constexpr std::string_view kSourceLines = ".debug_line";
// Lines of the PTX, as the program has it: ptxas writes them beside the others, in the same form.
inline constexpr std::string_view kPtxLines = ".nv_debug_line_sass";

// Rows of the text section with that index. No such table: an empty one. Errors: a program that cannot be
// read.
Result<LineTable> read_line_table(const Elf& elf, std::size_t text_section,
                                  std::string_view table = kSourceLines);

}  // namespace warplens::compile
