// What the rules of accesses ask of the facts: distances, banks, tiles, the lanes of a block at work, and
// what an access costs over all that its line does.
#pragma once

#include <cstdint>
#include <string>

#include "engine/explain/facts.hpp"
#include "engine/report/reduction_tree.hpp"

namespace warplens::explain {

bool is_shared(const Facts& f);
bool is_ideal(const Facts& f);
// Of shared memory: that no order of the lanes takes fewer of for what they ask, since banks give a word each, and lanes that ask
// for the same are served together two phases' worth at a time.
int fewest_wavefronts(const Facts& f);
bool is_least_in_any_order(const Facts& f);
bool is_by_halves(const Facts& f);   // on 1.x each half of a warp is served by itself
bool is_of_sectors(const Facts& f);  // global memory, served by sectors of 32 bytes
// Bytes from each lane to the next, whatever the direction; 0 where it is not the same for all.
std::int64_t distance(const Facts& f);
bool is_side_by_side(const Facts& f);  // in one row, or in rows of several lanes
bool rows_coincide(const Facts& f);
std::uint64_t first_address(const Facts& f);
int distinct_addresses(const Facts& f);
int places(const Facts& f);  // runs of lanes whose bytes follow each other
int distinct_bytes(const Facts& f);
int most_lanes_at_one_address(const Facts& f);
int barriers_behind(const Facts& f);  // of the block, after this access

// How many words a row of the array in shared memory has, and 0 where that is not known.
std::int64_t row_words(const Facts& f);
int words_of_a_bank(const Facts& f);  // the most that lanes ask one bank for in one phase
int banks_touched(const Facts& f);
// Words of padding a row after which no lanes share a bank: 1, 2 or 4; 0 where none of these helps.
int padding(const Facts& f);
bool helps_swizzle(const Facts& f);  // whether rows permuted in different ways do
// The same of words that are skipped after every row of the banks: for lanes that meet within a row.
int skipped_words(const Facts& f);
// Whether a column of what the array stands for lies on its rows as a permutation.
bool is_swizzled(const Facts& f);

// Whether the next accesses of the same warp take all elements between: parts of one structure.
bool is_part_of_structure(const Facts& f);
// Whether this warp walks along a row of another array by the same index: it would walk down there, if the
// index went along the rows here.
bool has_other_side(const Facts& f);

const report::ReductionTree* tree_of(const Facts& f);
bool is_free_load(const Facts& f);
struct AtWork {
  int warps = 0, lanes = 0;
  bool are_first = true;  // the threads are 0 to lanes - 1 of the block
};
AtWork at_work(const Facts& f);  // warps of the block that make this access, and their lanes
// Rounds of shuffles that follow the last load of an array, without a barrier before them; 0 for others.
std::int64_t shuffles_behind(const Facts& f);

// What the thread of lane 0 writes of a matrix, where that is a tile of several rows and columns.
struct Tile {
  std::string array;
  std::size_t rows = 0, columns = 0, elements = 0;
};
Tile tile_of_thread(const Facts& f);
// Of a load of several words at once: how many, and how many of them the kernel does anything with but store
// them; 0 for others.
int words_of_load(const Facts& f);
int words_computed_with(const Facts& f);
// Loads of global memory in a turn of the loop that this one is in; 0 where there is no other turn.
std::int64_t loads_of_turn(const Facts& f);
bool feeds_a_tile(const Facts& f);  // of kernels that bring nothing into shared memory first
// Elements of its array that the access's first active thread reads or writes in all, as this access does.
std::int64_t elements_of_thread(const Facts& f);

// Sectors or wavefronts of all that the instructions of this line do with this array, in the grid.
struct OfLine {
  double units = 0, least = 0;
  double ratio() const { return least > 0 ? units / least : 1; }
};
OfLine of_line(const Facts& f);

}  // namespace warplens::explain
