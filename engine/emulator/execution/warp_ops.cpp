// Instructions that look across the lanes of a warp: shuffles, votes, matches, reductions, and isspacep.
#include <bit>

#include "engine/emulator/execution/operands.hpp"
#include "engine/emulator/execution/shared_barriers.hpp"
#include "engine/emulator/lowering/lowering.hpp"

namespace warplens::emulator {

using ptx::LaneMode, ptx::Opcode;

namespace {

// The .sync forms wait until every lane that their mask names, and that has not left, has come.
bool waits(Warp& warp, const MicroOp* op, const ColdOperand& member_mask) {
  std::uint32_t named = 0;
  for_each_lane(warp.exec, [&](std::uint32_t lane) {
    named |= static_cast<std::uint32_t>(read_operand(warp, member_mask, lane));
  });
  const std::uint32_t alive = warp.alive();
  warp.needed = named & alive;
  if ((warp.needed & ~warp.exec) == 0) return false;
  if (warp.exec != warp.active) return false;  // under a guard: those that are turned off do not come here
  stop(warp, op, Event::converge);
  return true;
}

const MicroOp* warp_barrier(Warp& warp, const MicroOp* op) {
  return waits(warp, op, detail_of(op).operands[0].place) ? nullptr : op + 1;
}

// shfl.sync.mode d|p, a, b, c, membermask. PTX ISA, shfl.sync: the lane to read from and whether it is in
// range.
struct Shuffle {
  std::uint32_t source = 0;
  bool in_range = false;
};
Shuffle shuffle_source(LaneMode mode, std::uint32_t lane, std::uint32_t b, std::uint32_t c) {
  const std::uint32_t value = b & 0x1f, clamp = c & 0x1f, segment = (c >> 8) & 0x1f;
  const std::uint32_t max_lane = (lane & segment) | (clamp & ~segment);
  const std::uint32_t min_lane = lane & segment;
  std::uint32_t j = lane;
  bool in_range = false;
  switch (mode) {
    case LaneMode::up:
      j = lane - value;
      in_range = static_cast<std::int32_t>(j) >= static_cast<std::int32_t>(max_lane);
      break;
    case LaneMode::down:
      j = lane + value;
      in_range = j <= max_lane;
      break;
    case LaneMode::bfly:
      j = lane ^ value;
      in_range = j <= max_lane;
      break;
    default:
      j = min_lane | (value & ~segment);
      in_range = j <= max_lane;
      break;
  }
  return {in_range ? j : lane, in_range};
}

const MicroOp* shuffle(Warp& warp, const MicroOp* op) {
  const PtxDetail& detail = detail_of(op);
  const std::size_t first = detail.instruction->destinations;
  const auto& operands = detail.operands;
  if (operands.size() > first + 3 && waits(warp, op, operands[first + 3].place)) return nullptr;
  std::array<std::uint64_t, 32> values{};
  for (std::uint32_t lane = 0; lane < 32; ++lane)
    values[lane] = read_operand(warp, operands[first].place, lane);
  std::array<Shuffle, 32> sources;
  for_each_lane(warp.exec, [&](std::uint32_t lane) {
    sources[lane] =
        shuffle_source(detail.instruction->lane_mode, lane,
                       static_cast<std::uint32_t>(read_operand(warp, operands[first + 1].place, lane)),
                       static_cast<std::uint32_t>(read_operand(warp, operands[first + 2].place, lane)));
  });
  for_each_lane(warp.exec, [&](std::uint32_t lane) {
    write_operand(warp, operands[0].place, lane, values[sources[lane].source]);
    if (first > 1) write_operand(warp, operands[1].place, lane, sources[lane].in_range ? 1 : 0);
  });
  return op + 1;
}

// The lanes that each lane votes, matches and reduces with. PTX ISA, vote.sync, match.sync and redux.sync:
// those that execute it with the same membermask, so that both halves of a warp may each do so at once, as
// tiles of cooperative groups do. A lane that its own mask leaves out is undefined there; it gets the result
// of all that gave this mask.
class Groups {
 public:
  explicit Groups(const Warp& warp) { of_.fill(warp.exec); }
  Groups(const Warp& warp, const ColdOperand& member_mask) : Groups(warp) {
    std::array<std::uint32_t, 32> masks{};
    std::uint32_t everywhere = ~0u, anywhere = 0;  // bits of the masks
    for_each_lane(warp.exec, [&](std::uint32_t lane) {
      masks[lane] = static_cast<std::uint32_t>(read_operand(warp, member_mask, lane));
      everywhere &= masks[lane];
      anywhere |= masks[lane];
    });
    if (everywhere != anywhere || (warp.exec & ~everywhere) != 0) divide(warp.exec, masks);
  }
  std::uint32_t operator[](std::uint32_t lane) const { return of_[lane]; }

 private:
  // Each turn takes the lanes that gave the lowest one's mask.
  void divide(std::uint32_t lanes, const std::array<std::uint32_t, 32>& masks) {
    while (lanes != 0) {
      const std::uint32_t mask = masks[static_cast<std::size_t>(std::countr_zero(lanes))];
      std::uint32_t same = 0;
      for_each_lane(lanes, [&](std::uint32_t lane) { same |= masks[lane] == mask ? 1u << lane : 0; });
      for_each_lane(same,
                    [&](std::uint32_t lane) { of_[lane] = (mask >> lane & 1u) != 0 ? same & mask : same; });
      lanes &= ~same;
    }
  }

  std::array<std::uint32_t, 32> of_{};
};

std::uint32_t voted(LaneMode mode, std::uint32_t ballot, std::uint32_t group) {
  switch (mode) {
    case LaneMode::all:
      return ballot == group;
    case LaneMode::any:
      return ballot != 0;
    case LaneMode::uni:
      return ballot == 0 || ballot == group;
    default:
      return ballot;
  }
}

const MicroOp* vote(Warp& warp, const MicroOp* op) {
  const PtxDetail& detail = detail_of(op);
  const bool has_mask = detail.operands.size() > 2;
  if (has_mask && waits(warp, op, detail.operands[2].place)) return nullptr;
  const Groups groups = has_mask ? Groups(warp, detail.operands[2].place) : Groups(warp);
  std::uint32_t ballot = 0;
  for_each_lane(warp.exec, [&](std::uint32_t lane) {
    ballot |= read_operand(warp, detail.operands[1].place, lane) != 0 ? 1u << lane : 0;
  });
  for_each_lane(warp.exec, [&](std::uint32_t lane) {
    const std::uint32_t group = groups[lane];
    write_operand(warp, detail.operands[0].place, lane,
                  voted(detail.instruction->lane_mode, ballot & group, group));
  });
  return op + 1;
}

const MicroOp* active_mask(Warp& warp, const MicroOp* op) {
  for_each_lane(warp.exec, [&](std::uint32_t lane) {
    write_operand(warp, detail_of(op).operands[0].place, lane, warp.exec);
  });
  return op + 1;
}

const MicroOp* match(Warp& warp, const MicroOp* op) {
  const PtxDetail& detail = detail_of(op);
  const std::size_t first = detail.instruction->destinations;
  if (waits(warp, op, detail.operands[first + 1].place)) return nullptr;
  const Groups groups(warp, detail.operands[first + 1].place);
  std::array<std::uint64_t, 32> values{};
  for_each_lane(warp.exec, [&](std::uint32_t lane) {
    values[lane] = read_operand(warp, detail.operands[first].place, lane);
  });
  for_each_lane(warp.exec, [&](std::uint32_t lane) {
    std::uint32_t same = 0;
    for_each_lane(groups[lane],
                  [&](std::uint32_t other) { same |= values[other] == values[lane] ? 1u << other : 0; });
    const bool all = same == groups[lane];
    const bool wants_all = detail.instruction->lane_mode == LaneMode::all;
    write_operand(warp, detail.operands[0].place, lane, wants_all && !all ? 0 : same);
    if (first > 1) write_operand(warp, detail.operands[1].place, lane, all);
  });
  return op + 1;
}

std::uint32_t combine(const ptx::Instruction& i, std::uint32_t a, std::uint32_t b) {
  using ptx::AtomicOp;
  const auto sa = static_cast<std::int32_t>(a), sb = static_cast<std::int32_t>(b);
  switch (i.atomic) {
    case AtomicOp::add:
      return a + b;
    case AtomicOp::min:
      return i.type == ptx::Type::s32 ? (sa < sb ? a : b) : (a < b ? a : b);
    case AtomicOp::max:
      return i.type == ptx::Type::s32 ? (sa > sb ? a : b) : (a > b ? a : b);
    case AtomicOp::and_:
      return a & b;
    case AtomicOp::or_:
      return a | b;
    default:
      return a ^ b;
  }
}

const MicroOp* reduce(Warp& warp, const MicroOp* op) {
  const PtxDetail& detail = detail_of(op);
  if (waits(warp, op, detail.operands[2].place)) return nullptr;
  const Groups groups(warp, detail.operands[2].place);
  std::array<std::uint32_t, 32> values{};
  for_each_lane(warp.exec, [&](std::uint32_t lane) {
    values[lane] = static_cast<std::uint32_t>(read_operand(warp, detail.operands[1].place, lane));
  });
  std::uint32_t group = 0, total = 0;  // of the lane before: mostly of all
  for_each_lane(warp.exec, [&](std::uint32_t lane) {
    if (groups[lane] != group) {
      group = groups[lane];
      const auto first = static_cast<std::uint32_t>(std::countr_zero(group));
      total = values[first];
      for_each_lane(group & ~(1u << first),
                    [&](std::uint32_t other) { total = combine(*detail.instruction, total, values[other]); });
    }
    write_operand(warp, detail.operands[0].place, lane, total);
  });
  return op + 1;
}

const MicroOp* elect(Warp& warp, const MicroOp* op) {
  const PtxDetail& detail = detail_of(op);
  if (waits(warp, op, detail.operands.back().place)) return nullptr;
  const Groups groups(warp, detail.operands.back().place);
  for_each_lane(warp.exec, [&](std::uint32_t lane) {
    const auto leader = static_cast<std::uint32_t>(std::countr_zero(groups[lane]));
    write_operand(warp, detail.operands[0].place, lane, leader);
    write_operand(warp, detail.operands[1].place, lane, lane == leader);
  });
  return op + 1;
}

const MicroOp* is_space(Warp& warp, const MicroOp* op) {
  const PtxDetail& detail = detail_of(op);
  for_each_lane(warp.exec, [&](std::uint32_t lane) {
    const std::uint64_t window = read_operand(warp, detail.operands[1].place, lane) >> 32 << 32;
    bool inside = false;
    switch (detail.instruction->space) {
      case ptx::Space::shared:
        inside = window == kSharedWindow;
        break;
      case ptx::Space::local:
        inside = window == kLocalWindow;
        break;
      default:
        inside = window != kSharedWindow && window != kLocalWindow;
        break;
    }
    write_operand(warp, detail.operands[0].place, lane, inside);
  });
  return op + 1;
}

const MicroOp* nothing(Warp&, const MicroOp* op) { return op + 1; }

}  // namespace

Handler ptx_handler(const ptx::Instruction& i) {
  static constexpr std::pair<Opcode, Handler> kHandlers[] = {
      {Opcode::bar_warp_sync, warp_barrier},
      {Opcode::shfl, shuffle},
      {Opcode::vote, vote},
      {Opcode::activemask, active_mask},
      {Opcode::match, match},
      {Opcode::elect, elect},
      {Opcode::isspacep, is_space},
      // Order of memory: the emulator runs a block's warps one at a time, so there is nothing to wait for.
      {Opcode::membar, nothing},
      {Opcode::fence, nothing},
      {Opcode::nanosleep, nothing},
      {Opcode::prefetch, nothing},
      {Opcode::prefetchu, nothing},
      {Opcode::discard, nothing},
      {Opcode::applypriority, nothing},
      {Opcode::brkpt, nothing},
      {Opcode::griddepcontrol, nothing},
      {Opcode::fence_proxy_async, nothing},
      {Opcode::cp_async_bulk_prefetch, nothing},
      {Opcode::cp_async_bulk_prefetch_tensor, nothing},
  };
  for (const auto& [opcode, handler] : kHandlers)
    if (i.opcode == opcode) return handler;
  if (i.opcode == Opcode::redux) return ptx::is_float(i.type) ? nullptr : reduce;
  for (const auto handler_in_room : {atomic_handler, barrier_handler, bulk_handler, cluster_handler,
                                     copy_handler, matrix_handler, warp_group_handler})
    if (const Handler handler = handler_in_room(i)) return handler;
  return nullptr;
}

}  // namespace warplens::emulator
