#include "engine/check/block_checker.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

#include "engine/check/operands.hpp"
#include "engine/check/order/lanes.hpp"
#include "engine/emulator/flow/shared_layout.hpp"

namespace warplens::check {

using emulator::WatchedStep;
using ptx::Opcode, ptx::Operand, ptx::Space;

namespace {

std::uint32_t warps_of(const LaunchFacts& facts) {
  return (facts.block[0] * facts.block[1] * facts.block[2] + 31) / 32;
}

}  // namespace

CodeTables::CodeTables(const LaunchFacts& facts)
    : uses(register_uses(facts)),
      stretches(facts.kernel->function(), uses),
      places(facts.kernel->function().code.size()),
      loops(facts.kernel->function()),
      products(facts.kernel->function()) {}

BlockChecker::BlockChecker(Scene& scene, GlobalArrays& arrays, Channels& channels, CodeTables& tables,
                           std::uint64_t block, Companions& companions, Ending& ending)
    : scene_(scene),
      arrays_(arrays),
      tables_(tables),
      uses_(tables.uses),
      block_(static_cast<std::uint32_t>(block)),
      warps_(warps_of(scene.facts())),
      order_(block_, warps_, channels),
      races_(scene, companions.hand_overs),
      meetings_(scene, block_, warps_, companions.progress),
      registers_(scene, tables.uses, warps_),
      async_(scene, tables.products, block_, warps_),
      companions_(companions),
      shared_(companions.shared.at(block)),
      local_(std::size_t{warps_} * 32 * scene.facts().local_bytes),
      copies_(warps_),
      committed_(warps_),
      cluster_phases_(warps_),
      turns_(warps_),
      slices_(warps_),
      ending_(ending) {
  registers_.start(block_);
}

void BlockChecker::on_release(int barrier, std::span<const emulator::BarrierArrival> arrivals) {
  meetings_.released(barrier, arrivals);
  order_.barrier(barrier, arrivals);
}

emulator::Stuck BlockChecker::on_slice(const emulator::Slice& slice) {
  shared_.tidy(kMostMoments);
  arrays_.tidy(kMostMoments);
  const bool is_endless = ((endless_warps_ >> slice.warp) & 1) != 0;
  if (is_endless || !tables_.loops.has_way_out(slice.pc)) {
    ending_.endless = is_endless ? Endless::never_ends : Endless::no_condition;
    return {is_endless ? "is in a loop that never ends: its condition finds in each turn what it found before"
                       : "is in a loop that never ends: it has no condition, or one that never changes",
            std::string(kFixOfEndlessLoop)};
  }
  // Behind the first slice, the second, the fourth and so on: of a long loop that ends most turns are not
  // compared.
  if (std::has_single_bit(++slices_[slice.warp]))
    turns_[slice.warp].begin(slice.pc, tables_.loops.deciding(slice.pc, uses_));
  emulator::Stuck stuck = meetings_.slice(slice, ending_.endless);
  ending_.steps += steps_ - counted_, counted_ = steps_;
  if (!stuck.why.empty() || (steps_ < kMostSteps && ending_.steps < ending_.most_steps)) return stuck;
  ending_.gave_up = true;
  return {"was not watched to its end", ""};
}

void BlockChecker::finish(bool ended) {
  async_.finish(ended);
  ending_.steps += steps_ - counted_, counted_ = steps_;
}

// Whether nothing is left to find out in it and in what follows.
bool BlockChecker::take_stretch(const WatchedStep& step) {
  const Stretch* stretch = tables_.stretches.at(step.pc);
  if (stretch == nullptr || async_.watches_registers() ||
      !registers_.pass_over(*stretch, step.warp, step.exec))
    return false;
  steps_ += stretch->end - step.pc - 1;
  meetings_.work(step);
  know_ahead(step, stretch->end);
  return true;
}

void BlockChecker::on_step(const WatchedStep& step) {
  order_.next_step();
  ++steps_;
  meetings_.step(step.warp);
  if (Turns& turns = turns_[step.warp]; turns.is_watching()) {
    if (turns.is_endless(step)) endless_warps_ |= 1u << step.warp;
  } else if (take_stretch(step)) {
    return;
  }
  const ptx::Instruction& i = *step.instruction;
  if (i.predicated) check_guard(step);
  if (step.exec == 0) return;
  if (asynchronous(step)) return meetings_.work(step);
  if (async_.watches_registers()) async_.other_step(step, uses_[step.pc].read, uses_[step.pc].written);
  switch (i.opcode) {
    case Opcode::bra:
    case Opcode::brx_idx:
      return meetings_.part(step);
    case Opcode::ret:
    case Opcode::exit:
      return meetings_.leave(step);
    case Opcode::bar_red:
      registers_.define(step, 0, 0);
      check_barrier(scene_, block_, step);
      return meetings_.at_barrier(step);
    case Opcode::bar_sync:
      check_barrier(scene_, block_, step);
      return meetings_.at_barrier(step);
    case Opcode::brkpt:
      return check_breakpoint(scene_, block_, step);
    case Opcode::bar_arrive:
      check_barrier(scene_, block_, step);
      return order_.arrive(static_cast<int>(step.value(0, lowest(step.exec)) & 15), step.warp);
    case Opcode::membar:
    case Opcode::fence:
      return order_.fence(step.warp, step.exec, i.block_scope);
    default:
      break;
  }
  meetings_.work(step);
  switch (i.opcode) {
    case Opcode::ld:
    case Opcode::ldu:
      return load(step);
    case Opcode::st:
      return store(step);
    case Opcode::atom:
    case Opcode::red:
      return atomic(step);
    case Opcode::bar_warp_sync:
      return warp_sync(step, 0);
    case Opcode::shfl:
      check_width(scene_, block_, step);
      return warp_sync(step, i.destinations + 3u);
    case Opcode::vote:
      return warp_sync(step, 2);
    case Opcode::match:
      return warp_sync(step, i.destinations + 1u);
    case Opcode::redux:
      return warp_sync(step, 2);
    case Opcode::elect:
      return warp_sync(step, i.operands.size() - 1);
    case Opcode::cp_async:
      return copy(step);
    case Opcode::barrier_cluster_arrive:
    case Opcode::barrier_cluster_wait:
      return at_cluster_barrier(step);
    case Opcode::mbarrier_pending_count:
      return registers_.pass_on(step);
    case Opcode::cp_async_commit_group:
      return for_each_lane(step.exec, [&](std::uint32_t lane) { ++committed_[step.warp][lane]; });
    case Opcode::cp_async_wait_group:
      return land(step, static_cast<std::int64_t>(step.value(0, 0)));
    case Opcode::cp_async_wait_all:
      return land(step, -1);
    case Opcode::ldmatrix:
    case Opcode::wmma_load:
      return registers_.define(step, 0, 0);
    case Opcode::call:
      return call(step);
    case Opcode::stmatrix:
    case Opcode::wmma_store:
      return;
    case Opcode::mma:
    case Opcode::mma_sp:
    case Opcode::wmma_mma:
      check_sums(step);
      return registers_.pass_on(step);
    case Opcode::div:
    case Opcode::rem:
      divide(step);
      return registers_.pass_on(step);
    default:
      if (ptx::is_memory_or_cluster_barrier(i.opcode)) return at_shared_barrier(step);
      return registers_.pass_on(step);
  }
}

void BlockChecker::warp_sync(const WatchedStep& step, std::size_t mask_operand) {
  if (mask_operand >= step.instruction->operands.size()) return registers_.pass_on(step);
  const std::uint32_t met = meetings_.at_mask(step, mask_operand);
  if (met == 0) return;
  std::array<std::uint64_t, 32> masks;
  step.values(mask_operand, masks);
  // Lanes with different masks, as of the tiles of a warp, do not wait for each other, though they go together.
  // Of those that waited at another place the masks are not known here.
  for (std::uint32_t rest = met; rest != 0;) {
    std::uint32_t same = rest;
    if ((met & ~step.exec) == 0)
      for_each_lane(rest, [&](std::uint32_t lane) {
        if (masks[lane] != masks[lowest(rest)]) same &= ~(1u << lane);
      });
    order_.meet(step.warp, same, step.alive);
    rest &= ~same;
  }
  if (step.instruction->opcode != Opcode::bar_warp_sync) registers_.pass_on(step);
}

// Of a function of the device's runtime, which writes its result to a local variable.
void BlockChecker::call(const WatchedStep& step) {
  registers_.define(step, 0, 0);
  const auto& function = scene_.function();
  const std::uint64_t bytes = scene_.facts().local_bytes;
  for (const Operand& result : step.instruction->operands[0].elements) {
    if (result.kind != Operand::Kind::local_symbol) continue;
    const std::uint64_t first = scene_.facts().kernel->layout().function_offset(result.symbol);
    const std::uint64_t size = std::min(function.variables[result.symbol].size, bytes - first);
    for_each_lane(step.exec, [&](std::uint32_t lane) {
      std::fill_n(local_.begin() + static_cast<std::ptrdiff_t>((step.warp * 32ull + lane) * bytes + first),
                  size, std::uint8_t{1});
    });
  }
}

void BlockChecker::divide(const WatchedStep& step) {
  const ptx::Instruction& i = *step.instruction;
  if (ptx::is_float(i.type)) return;
  std::array<std::uint64_t, 32> by;
  step.values(2, by);
  const std::uint64_t bits = ptx::size_in_bytes(i.type) == 8   ? ~std::uint64_t{0}
                             : ptx::size_in_bytes(i.type) == 2 ? 0xffffu
                                                               : 0xffffffffu;
  for (std::uint32_t rest = step.exec; rest != 0; rest &= rest - 1) {
    const std::uint32_t lane = lowest(rest);
    if ((by[lane] & bits) != 0) continue;
    if (!scene_.is_new(Kind::division_by_zero, step.pc, step.pc)) return;
    Finding finding;
    finding.kind = Kind::division_by_zero;
    scene_.set_line(finding, step.pc);
    finding.at = scene_.place({block_, step.warp, lane});
    finding.message = scene_.words({block_, step.warp, lane}) + " divides a whole number by 0";
    finding.fix = "check the divisor first";
    scene_.add(std::move(finding));
    return;
  }
}

void BlockChecker::copy(const WatchedStep& step) {
  check_address(step, 0);
  check_address(step, 1);
  std::array<std::uint64_t, 32> target;
  step.values(0, target);
  for (std::uint64_t& address : target) address &= 0xffffffffu;
  const auto width = static_cast<std::uint32_t>(step.value(2, lowest(step.exec)));
  const LanePlaces& places = tables_.places.at(step.pc, target, step.exec);
  Touch one = touch_of(step, Access::store, width);
  const Span span = span_of(places, target[lowest(step.exec)], Space::shared);
  one.is_inside = is_inside(step, 0, span, width);
  const Piece piece = piece_of(one, 0, span, width);
  std::optional<QuickAccess> quick;
  if (piece.cells != nullptr) quick.emplace(quick_access(one, piece));
  for_each_lane(step.exec, [&](std::uint32_t lane) {
    const auto offset = static_cast<std::uint32_t>(target[lane]);
    if (std::uint64_t{offset} + width > scene_.facts().shared_bytes) return;
    copies_[step.warp].push_back({lane, committed_[step.warp][lane], offset, width, step.pc});
    one.address = offset;
    one.lanes = 1u << lane;
    const auto store = [&](Cell& cell) { return quick->store(cell, one.lanes); };
    if (!quick || !each_word(piece, one, store)) copy_closely(one);
    for_each_word(offset, width, [](Cell& cell) { cell.in_flight = true; });
  });
}

void BlockChecker::copy_closely(const Touch& one) {
  const auto offset = static_cast<std::uint32_t>(one.address);
  in_its_array(one.step, 0, offset, one.width, lowest(one.lanes), Space::shared);
  touch_cells(shared_, offset, one, true);
  for_each_word(offset, one.width, [&](Cell& cell) { note_late_write(one, cell); });
  for (std::uint32_t at = offset; at < offset + one.width; ++at) {
    Cell& cell = shared_[at / scene_.unit()];
    cell.defined |= static_cast<std::uint8_t>(1u << (at % scene_.unit()));
    cell.undefined &= static_cast<std::uint8_t>(~(1u << (at % scene_.unit())));
  }
}

// The waiting thread makes the copied bytes visible: as if it wrote them now.
void BlockChecker::land(const WatchedStep& step, std::int64_t keep) {
  auto& copies = copies_[step.warp];
  std::erase_if(copies, [&](const Copy& one) {
    if (((step.exec >> one.lane) & 1) == 0) return false;
    if (keep >= 0 && std::int64_t{one.group} >= std::int64_t{committed_[step.warp][one.lane]} - keep)
      return false;
    for (std::uint32_t word = one.offset / scene_.unit(); word * scene_.unit() < one.offset + one.width;
         ++word) {
      Cell& cell = shared_[word];
      if (!cell.in_flight) continue;
      cell.in_flight = false;
      cell.write = mark_of_write(step.warp, one.pc, one.lane);
    }
    return true;
  });
}

void BlockChecker::on_matrix(const emulator::AccessEvent& event) {
  const ptx::Instruction& i = scene_.function().code[event.pc];
  const bool stores = i.opcode == Opcode::stmatrix || i.opcode == Opcode::wmma_store;
  WatchedStep step;
  step.instruction = &i;
  step.pc = event.pc;
  step.warp = event.warp;
  step.exec = step.active = event.active;
  for_each_lane(event.active, [&](std::uint32_t lane) {
    Touch one = touch_of(step, stores ? Access::store : Access::load, event.width);
    one.address = event.address(lane);
    one.lanes = 1u << lane;
    if (event.space == Space::shared && one.address + one.width <= scene_.facts().shared_bytes) {
      if (stores && async_.is_reading())
        async_.write(step, lane, static_cast<std::uint32_t>(one.address), event.width);
      touch_cells(shared_, one.address, one, true);
      if (stores)
        for (std::uint64_t at = one.address; at < one.address + one.width; ++at)
          shared_[static_cast<std::size_t>(at / scene_.unit())].defined |=
              static_cast<std::uint8_t>(1u << (at % scene_.unit()));
    } else if (event.space == Space::global) {
      GlobalArray* array = arrays_.find(one.address, one.width);
      if (array == nullptr || array->cells == nullptr) return;
      touch_cells(*array->cells, one.address - array->address, one, false);
      if (stores)
        for (std::uint64_t at = one.address - array->address; at < one.address - array->address + one.width;
             ++at)
          (*array->cells)[static_cast<std::size_t>(at / scene_.unit())].defined |=
              static_cast<std::uint8_t>(1u << (at % scene_.unit()));
    }
  });
}

}  // namespace warplens::check
