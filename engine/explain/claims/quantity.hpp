// What claims are about: one row a quantity, with its name in JSON and its unit in a sentence.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace warplens::explain {

// Lanes are those of one access that are active, unless it says otherwise.
enum class Quantity : std::uint8_t {
  none,
  // ---- one access of a warp
  sectors,
  least_sectors,
  wavefronts,
  least_wavefronts,
  times_the_least,  // sectors or wavefronts over the least
  lanes,
  warp_lanes,  // 32
  bytes_asked,
  bytes_moved,
  share_used,
  lane_bytes,
  lane_elements,
  distinct_elements,  // of the lanes; of a row of lanes where `of` says so
  distance_bytes,     // from a lane to lane + 1, upwards or downwards
  distance_elements,
  row_of_lanes,     // lanes next to each other at the same distance
  places,           // rows of lanes that touch
  start_in_sector,  // bytes
  start_in_segment,
  words_of_a_bank,  // that lanes ask one bank for in one phase, at most
  row_words,        // of an array in shared memory
  wasted,           // units beyond the least, of all accesses of the line to that array in the grid
  times_the_least_of_line,
  // ---- the block at this access
  idle_lanes,
  warps_at_work,
  warps_done,
  block_warps,
  threads_at_work,
  // ---- around it
  turns,
  turn_elements,
  elements_apart,
  grids_apart,
  shuffle_rounds,
  loads_of_a_turn,
  tile_elements,
  tile_rows,
  tile_columns,
  parts_of_structure,
  sectors_in_order,  // that the lanes would ask global memory for as they lie in shared memory
  tiles_ahead,
  reads_a_word,
  multiply_adds_an_element,
  // ---- the kernel
  spilled_bytes,
  registers,
  sectors_over_least,
  wavefronts_over_least,
  diverged_branches,
  branches,
  mean_lanes,
  line,
  blocks,
  sms,
  idle_sms,
  reads_an_element,
  wavefronts_a_multiply_add,
  // ---- instructions
  instructions,       // of the machine, a thread
  share_of_line,      // of all instructions
  share_of_work,      // of all instructions: divisions, multiply-adds, ...
  share_of_unit,      // of the line's instructions: float, integer, ...
  operations,         // a thread, as written: divisions, conversions, ...
  instructions_each,  // for one of these
  units_a_cycle,      // of a multiprocessor
  warps_an_sm,
  error_in_ulp,  // of a function of the library, at most
  // ---- the end of the list
  count
};

struct QuantityRow {
  Quantity quantity;
  std::string_view name, unit;
};
const QuantityRow& row_of(Quantity quantity);

}  // namespace warplens::explain
