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

// ---- pieces that are inserted. Registers of ours begin with %warplens_, which no compiler writes.

// Sets the u32 register `to` to the linear index of the block; uses the u32 register `spare`.
std::string linear_block(std::string_view to, std::string_view spare);
// The same for the thread in its block.
std::string linear_thread(std::string_view to, std::string_view spare);

// "%p1" or "!%p1"; empty for an instruction without a guard.
std::string guard_of(const ptx::Instruction& instruction, const ptx::Function& function);

// Sets %warplens_here to the lanes that are here together, %warplens_lanes to those of them for which `guard`
// (a predicate, perhaps with a !; empty: always) is true, %warplens_first to the lowest of these (32: none)
// and %warplens_leader where it is this one. No branch: lanes that were together stay together. activemask
// and the vote are what coalesced_threads() of cooperative_groups does. Registers: see lane_registers().
std::string elect_leader(std::string_view guard);
std::string lane_registers();

}  // namespace warplens::instrument
