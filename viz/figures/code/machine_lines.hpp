// Machine code as lines of a listing: address, text, and the schedule that the compiler wrote into each word.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/sass/machine_listing.hpp"
#include "viz/figures/code/code_listing.hpp"

namespace warplens::figures {

// Where there is little room, what an instruction does to barriers is one column, and registers are left out.
struct MachineColumns {
  bool wide = true;
};
// Cycles, barriers, registers; those of counters may follow.
std::vector<ListedColumn> machine_columns(MachineColumns form);
// The row of this index; its number is one more, its id "sass:" and the number. Cells: as machine_columns.
ListedLine machine_line(const sass::Listing& listing, std::size_t index, MachineColumns form);

// Whether an instruction is of this line of the kernel file, or of what it calls.
bool is_of_line(const sass::Row& row, int line);
// Of those of a line: of the kind that holds its warps longest in all, the one that does so most.
std::optional<std::size_t> longest_row(const sass::Listing& listing, int line);

// "sm_90, 32 registers a thread, 104 instructions"
std::string machine_caption(const sass::Listing& listing);
// What the columns of one row say, in words.
std::string machine_words(const sass::Row& row);
// How to get what the listing lacks; empty where it lacks nothing.
std::string machine_note(const sass::Listing& listing);

}  // namespace warplens::figures
