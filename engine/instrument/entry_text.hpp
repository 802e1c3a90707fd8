// Where the parts of one entry are in its PTX text, as byte offsets, at which a rewriter inserts. The text
// around the insertions stays as the compiler wrote it, .loc lines included.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.hpp"
#include "engine/ptx/program.hpp"

namespace warplens::instrument {

struct EntryText {
  std::size_t after_parameters = 0;        // where one more parameter goes ...
  bool has_list = false, is_empty = true;  // ... inside its parentheses, behind others
  std::size_t code_begin = 0;              // behind the declarations at the body's start
  std::size_t body_end = 0;                // its '}'
  std::vector<std::size_t> instructions;   // of each Function::code, its guard included
};

// entry: as parsed from this text. Error: the text has no body of that name, or another number of
// instructions.
Result<EntryText> find_entry(std::string_view text, const ptx::Function& entry);

// One more parameter, behind all others: `.param .u64 name`.
struct Insertion {
  std::size_t offset = 0;
  std::string text;
};
Insertion one_more_parameter(const EntryText& place, std::string_view name);

// The text with all insertions; of those at one offset the earlier in the list comes first.
std::string insert(std::string_view text, std::vector<Insertion> insertions);

// A parsed text and one of its entries. name: empty for the only entry. Errors: of the parser, with their
// line; no such entry.
struct ParsedEntry {
  ptx::Program program;
  std::size_t function = 0;
  const ptx::Function& entry() const { return program.functions[function]; }
};
Result<ParsedEntry> parse_entry(std::string_view text, std::string_view name);

}  // namespace warplens::instrument
