// Which rule says what an access, a line or a step costs. Who asks for one names it here; its words are free to
// change.
#pragma once

#include <cstdint>
#include <string_view>

namespace warplens::explain {

enum class RuleId : std::uint8_t {
  none,       // no rule applies
  of_figure,  // a figure says it of what it shows
  arrival,
  another_block_of_the_cluster,
  one_lane_of_each_warp,
  lanes_scattered,
  local_memory,
  one_lane,
  rows_of_broadcasts,
  rows_of_broadcasts_apart,
  broadcast_by_halves,
  structure,
  misaligned,
  sector_a_lane,
  strided,
  too_many_sectors,
  global_broadcast,
  global_vectors,
  grid_stride,
  tile_of_a_thread,
  coalesced,
  rows_of_lanes,
  permuted,
  column_in_one_bank,
  bank_stride,
  bank_conflict,
  before_shuffles,
  lanes_at_the_front,
  shared_broadcast,
  padded_column,
  swizzled_column,
  staged,
  wide_loads_shared,
  wide_loads,
  a_word_of_each_bank,
  tiles_under_way,
  warp_tile,
  register_tile,
  register_reuse,
  tile_reuse,
  passed_through,
  spills,
  sectors,
  bank_conflicts,
  divergent_branches,
  idle_lanes,
  few_blocks,
  reads_again,
  shared_loads,
  clean,
  little_waste,
  loop,
  division,
  integer_division,
  double_by_accident,
  doubles,
  library_function,
  special_units,
  wide_integers,
  few_warps,
  multiply_adds,
  instructions,
  full_line,
  idle_line,
  other_line,
};
std::string_view name(RuleId rule);  // "lanes scattered"; empty for none

}  // namespace warplens::explain
