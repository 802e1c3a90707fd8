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
  lanes_elsewhere,
  warp_lanes,  // 32
  bytes_asked,
  share_used,
  share_used_of_a_sector,  // of each sector that is moved
  lane_bytes,
  lane_elements,
  distinct_elements,
  distinct_addresses,  // of the lanes; of a row of so many lanes where `of` has their number
  distance_bytes,      // from a lane to lane + 1; below 0: backwards
  distance_elements,
  distance_words,
  distance_rows,
  row_of_lanes,  // lanes next to each other at the same distance
  places,        // rows of lanes that touch
  start_in_sector,
  start_in_segment,
  sector_bytes,
  segment_bytes,
  words_of_a_bank,         // that lanes ask one bank for in a phase, at most
  words_of_a_bank_padded,  // with `of` words of padding behind each row
  row_words,               // of the array in shared memory
  bank_step,               // banks from a row to the next
  banks_touched,
  distinct_columns,
  lanes_at_one_address,
  wavefronts_if_apart,
  bytes_a_wavefront,
  wasted_of_line,  // units beyond the least, of all that the line does with the array
  times_the_least_of_line,
  // ---- the block at this access
  idle_lanes,  // of the warps that make this access
  mean_idle_lanes,
  warps_at_work,
  warps_done,
  block_warps,
  threads_at_work,
  first_threads_at_work,  // these are threads 0 to n - 1
  lanes_of_warps_done,    // of the other warps
  barriers_behind,        // after this access
  // ---- around it
  turns,
  elements_of_thread,
  elements_apart,
  grids_apart,
  shuffle_rounds,
  shared_accesses_behind,  // of the warp
  loads_of_a_turn,         // of a thread, from global memory
  tile_words,  // of both operands, for a product with each of its elements; checked against the reads of `of`
  tile_elements,  // of the first thread, or of the warp
  tile_rows,
  tile_columns,
  parts_of_structure,  // that this warp takes one by one
  staged_sectors,
  sectors_in_order,  // that the lanes would ask for as they lie in shared memory
  tiles_ahead,       // under way while one is read
  reads_a_word,
  multiply_adds_an_element,
  // ---- the kernel
  spilled_bytes,
  registers,
  sectors_over_least,
  wavefronts_over_least,
  more_sectors,
  more_wavefronts,
  wasted_of_kernel,
  diverged_branches,
  branches,
  mean_lanes,  // of the warps that execute
  line,
  line_of_most_idle,
  blocks,
  sms,
  idle_sms,
  reads_an_element,           // by warps, of the array
  wavefronts_a_multiply_add,  // of a warp
  words_a_multiply_add,       // of a lane, from shared memory
  // ---- instructions
  instructions,  // of the machine, a thread
  instructions_of_work,
  share_of_line,  // of all instructions
  share_of_work,  // of all instructions
  share_of_the_rest,
  share_of_unit,      // of the instructions of the line
  operations,         // a thread, as written
  instructions_each,  // for one of these
  units_a_cycle,      // of a multiprocessor
  warps_an_sm,
  error_in_ulp,  // at most
  digits_of_float,
  // ---- the end of the list
  count
};

struct QuantityRow {
  Quantity quantity;
  std::string_view name, unit;
};
const QuantityRow& row_of(Quantity quantity);

}  // namespace warplens::explain
