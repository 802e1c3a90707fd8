#include "engine/emulator/execution/executor.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "engine/base/text.hpp"
#include "engine/emulator/cluster_rank.hpp"
#include "engine/emulator/execution/operands.hpp"
#include "engine/emulator/execution/shared_barriers.hpp"
#include "engine/emulator/lowering/lowering.hpp"
#include "engine/emulator/watcher.hpp"
#include "engine/ptx/source_place.hpp"

namespace warplens::emulator {

using ptx::Special;

namespace {

constexpr std::uint32_t kNoStop = 0xffffffffu;
// Warp instructions between looks at budget, cancellation, and the lanes and warps that a spinning one waits
// for.
constexpr std::uint64_t kSlice = 1u << 14;
constexpr std::uint64_t kLong = 1u << 20;  // warp instructions behind which a warp is let run on
// Behind which one in a loop without a way out is stopped: until then it may do what cannot be done.
constexpr std::uint64_t kLongEnough = 1u << 17;

std::byte* allocate(std::size_t bytes) {
  return static_cast<std::byte*>(std::aligned_alloc(64, (std::max<std::size_t>(bytes, 64) + 63) / 64 * 64));
}

}  // namespace

void Executor::FreeAligned::operator()(std::byte* p) const { std::free(p); }

Executor::Executor(std::shared_ptr<const Code> code, const LaunchState& launch, Worker& worker)
    : launch_(launch), worker_(worker) {
  const std::uint64_t threads = std::uint64_t{launch.block[0]} * launch.block[1] * launch.block[2];
  warp_count_ = static_cast<std::uint32_t>((threads + 31) / 32);
  local_size_ = std::size_t{warp_count_} * 32 * launch.layout->local_bytes();
  worker_.local_bytes = launch.layout->local_bytes();
  if (launch.together.alone()) make_room();
  use(std::move(code));
}

void Executor::make_room() {
  warps_.resize(warp_count_);
  shared_.reset(allocate(launch_.shared_bytes));
  local_.reset(allocate(local_size_));
  worker_.local = local_.get();
}

Executor::~Executor() = default;

void Executor::use(std::shared_ptr<const Code> code) {
  code_ = std::move(code);
  conflicts_.clear();
  live_scalars_.clear();
  live_scalars_.resize(code_->function.code.size() + 1);
  give_up_.assign(code_->function.code.size() + 1, 0);
  if (launch_.together.alone()) prepare_registers();
}

// What no block changes: constants and thread indices.
void Executor::prepare_registers() {
  registers_.reset(allocate(std::size_t{code_->register_bytes} * warp_count_));
  std::memset(registers_.get(), 0, std::size_t{code_->register_bytes} * warp_count_);
  const SpecialPlaces& places = code_->special;
  for (std::uint32_t w = 0; w < warp_count_; ++w) {
    std::byte* regs = registers_.get() + std::size_t{code_->register_bytes} * w;
    std::copy(code_->constants.begin(), code_->constants.end(),
              regs + code_->constants_begin);  // may be none
    const auto fill = [&](Special special, auto value_of) {
      const SpecialPlaces::Place& place = places[special];
      auto* lanes = reinterpret_cast<std::uint32_t*>(regs + place.vector);
      for (std::uint32_t lane = 0; lane < 32; ++lane) lanes[lane] = value_of(lane);
      *reinterpret_cast<ScalarForm*>(regs + place.scalar) = {lanes[0],
                                                             static_cast<std::uint32_t>(lanes[1] - lanes[0])};
    };
    const auto thread = [&](std::uint32_t lane) { return std::uint64_t{w} * 32 + lane; };
    const auto& block = launch_.block;
    fill(Special::tid_x,
         [&](std::uint32_t lane) { return static_cast<std::uint32_t>(thread(lane) % block[0]); });
    fill(Special::tid_y,
         [&](std::uint32_t lane) { return static_cast<std::uint32_t>(thread(lane) / block[0] % block[1]); });
    fill(Special::tid_z,
         [&](std::uint32_t lane) { return static_cast<std::uint32_t>(thread(lane) / block[0] / block[1]); });
    fill(Special::laneid, [&](std::uint32_t lane) { return lane; });
    fill(Special::warpid, [&](std::uint32_t) { return w; });
    fill(Special::lanemask_eq, [&](std::uint32_t lane) { return 1u << lane; });
    fill(Special::lanemask_le, [&](std::uint32_t lane) { return (2u << lane) - 1; });
    fill(Special::lanemask_lt, [&](std::uint32_t lane) { return (1u << lane) - 1; });
    fill(Special::lanemask_ge, [&](std::uint32_t lane) { return ~((1u << lane) - 1); });
    fill(Special::lanemask_gt, [&](std::uint32_t lane) { return ~((2u << lane) - 1); });
  }
}

void Executor::start_block(std::uint64_t block) {
  worker_.block = block;
  worker_.block_index = {static_cast<std::uint32_t>(block % launch_.grid[0]),
                         static_cast<std::uint32_t>(block / launch_.grid[0] % launch_.grid[1]),
                         static_cast<std::uint32_t>(block / launch_.grid[0] / launch_.grid[1])};
  worker_.rank = rank_in_cluster(block, launch_.together.cluster, launch_.grid);
  worker_.block_dim = launch_.block;
  worker_.grid_dim = launch_.grid;
  std::fill_n(reinterpret_cast<std::uint32_t*>(shared_.get()), (launch_.shared_bytes + 3) / 4, kSharedPoison);
  worker_.exact_shared = code_->sub_word_shared || code_->maps_shared;
  arrived_.fill(0);
  expected_.fill(0);
  time_outs_ = 0;
  worker_.arrivals.clear();
  if (!worker_.bulk_copies) worker_.bulk_copies = std::make_unique<BulkCopies>();
  worker_.bulk_copies->clear();
  if (worker_.exact_shared) worker_.shared_written.assign(launch_.shared_bytes, 0);
  if (launch_.reserved_shared) clear_reserved();
  if (local_size_ != 0) std::memset(local_.get(), 0, local_size_);
  const std::uint64_t threads = std::uint64_t{launch_.block[0]} * launch_.block[1] * launch_.block[2];
  for (std::uint32_t w = 0; w < warp_count_; ++w) {
    Warp& warp = warps_[w];
    warp.index = w;
    const std::uint64_t lanes = std::min<std::uint64_t>(32, threads - std::uint64_t{w} * 32);
    warp.existing = lanes == 32 ? kAllLanes : (1u << lanes) - 1;
    warp.regs = registers_.get() + std::size_t{code_->register_bytes} * w;
    start_warp(warp);
  }
}

// What CUDA keeps for itself starts as zeros.
void Executor::clear_reserved() {
  std::memset(shared_.get() + *launch_.reserved_shared, 0, kReservedShared);
  if (worker_.exact_shared)
    std::fill_n(worker_.shared_written.begin() + *launch_.reserved_shared, kReservedShared, std::uint8_t{1});
}

void Executor::start_warp(Warp& warp) {
  warp.shared = shared_.get();
  warp.shared_bytes = launch_.shared_bytes;
  warp.worker = &worker_;
  warp.executed = warp.spent = warp.extra = 0;
  warp.slice_end = slice();
  warp.take_turns = warp.yields = false;
  warp.spins = warp.still = 0;
  warp.state = 0;
  warp.stopped_at = nullptr;
  warp.carry = 0;
  warp.general = worker_.watcher != nullptr;  // Code::watched is general code
  warp.copies.clear();
  warp.asynchronous = {};
  warp.copies_issued = 0;
  warp.committed.fill(0);
  warp.groups.assign(1, Group{});
  warp.groups[0].mask = warp.existing;
  warp.cluster_arrivals.fill(0);
  const auto& cluster = launch_.together.cluster;
  const auto of_dimension = [](Special first, std::size_t d) {
    return static_cast<Special>(static_cast<std::size_t>(first) + d);
  };
  for (std::size_t d = 0; d < 3; ++d) {
    set_special(warp, of_dimension(Special::ctaid_x, d), worker_.block_index[d]);
    set_special(warp, of_dimension(Special::cluster_ctaid_x, d), worker_.block_index[d] % cluster[d]);
    set_special(warp, of_dimension(Special::clusterid_x, d), worker_.block_index[d] / cluster[d]);
  }
  set_special(warp, Special::cluster_ctarank, worker_.rank);
}

void Executor::set_special(Warp& warp, Special special, std::uint32_t value) const {
  const SpecialPlaces::Place& place = code_->special[special];
  if (place.scalar == 0) return;
  *reinterpret_cast<ScalarForm*>(warp.regs + place.scalar) = {value, 0};
  std::fill_n(reinterpret_cast<std::uint32_t*>(warp.regs + place.vector), 32, value);
}

bool Executor::run_block(std::uint64_t block, BlockObserver* observer, BlockWatcher* watcher, bool may_wait) {
  if (warps_.empty()) make_room(), prepare_registers();  // a block that was put aside has them
  worker_.observer = observer;
  worker_.watcher = watcher;
  may_wait_ = may_wait;
  start_block(block);
  for (bool alive = true; alive;) {
    const bool progress = take_turns(alive);
    if (worker_.fault || !alive) return true;
    if (may_wait && waits_for_blocks()) {
      put_aside();
      return false;
    }
    if (!progress && !time_out()) {
      report_stuck();
      return true;
    }
  }
  return true;
}

// One turn of each warp. False where none of them could go on. alive: some have not ended.
bool Executor::take_turns(bool& alive) {
  bool progress = false;
  alive = false;
  for (std::uint32_t turn = 0; turn < warp_count_; ++turn) {
    Warp& warp = warps_[launch_.backwards ? warp_count_ - 1 - turn : turn];
    if (warp.groups.empty()) continue;
    progress |= run_warp(warp);
    if (worker_.fault) return true;
    alive |= !warp.groups.empty();
  }
  if (alive) return release_barriers() || progress;
  end_block();
  return progress;
}

void Executor::spend(Warp& warp) const {
  const std::uint64_t more = warp.executed - warp.spent + std::exchange(warp.extra, 0);
  launch_.spent->fetch_add(more, std::memory_order_relaxed);
  warp.spent = warp.executed;
}

void Executor::end_block() {
  for (Warp& warp : warps_)
    if (!finish_bulk_stores(warp)) return;
  std::uint64_t all = kBlockCost, instructions = 0, longest = 0;
  for (std::uint32_t w = 0; w < warp_count_; ++w) {
    all += warps_[w].executed - warps_[w].spent + warps_[w].extra;
    instructions += warps_[w].executed;
    longest = std::max(longest, warps_[w].executed);
  }
  launch_.spent->fetch_add(all, std::memory_order_relaxed);
  launch_.work->keep(worker_.block, instructions, longest);
}

// ---- groups
// --------------------------------------------------------------------------------------------------------

bool Executor::run_warp(Warp& warp) {
  bool ran = false;
  std::uint32_t stop = kNoStop;
  warp.yields = false;
  while (!worker_.fault && !warp.yields && warp.executed < warp.slice_end && pick_group(warp, stop)) {
    ran = true;
    run_group(warp, stop);
  }
  // At a backward branch, but also in a loop that waits at a barrier or jumps through a table in each turn.
  if (warp.executed >= warp.slice_end && !worker_.fault && warp.stopped_at != nullptr) check_slice(warp);
  return ran;
}

// Takes a ready group out of warp.groups into warp.running: the one whose turn is first, so that lanes meet
// again where branches do. stop: the turn of the next one. After a slice the one that has waited longest, so that lanes which wait for others
// of their warp (for a lock) do not keep them from running. Backwards: the one whose turn is last.
bool Executor::pick_group(Warp& warp, std::uint32_t& stop) {
  std::size_t best = warp.groups.size();
  stop = kNoStop;
  const auto is_before = [&](const Group& a, const Group& b) {
    return code_->turn(a.pc) < code_->turn(b.pc);
  };
  release_warp_barriers(warp);
  for (std::size_t g = 0; g < warp.groups.size(); ++g) {
    const Group& group = warp.groups[g];
    if (group.barrier >= 0) continue;
    if (best == warp.groups.size() ||
        (!warp.take_turns &&
         (launch_.backwards ? is_before(warp.groups[best], group) : is_before(group, warp.groups[best]))))
      best = g;
  }
  warp.take_turns = false;
  if (best == warp.groups.size()) return false;
  warp.running = warp.groups[best];
  warp.groups.erase(warp.groups.begin() + static_cast<std::ptrdiff_t>(best));
  for (const Group& group : warp.groups)
    if (group.barrier < 0 || group.barrier == kWarpBarrier) stop = std::min(stop, code_->turn(group.pc));
  if (stop <= code_->turn(warp.running.pc)) stop = kNoStop;  // a group that waits for lanes further on
  return true;
}

// Lanes at a warp-level barrier go on when all that they wait for stand at the same one, or have left. Those
// of a
// __syncwarp may stand at different ones, as the two sides of a branch.
void Executor::release_warp_barriers(Warp& warp) {
  const auto waits_for_lanes = [](const Group& group) {
    return group.barrier >= 0 && !is_block_barrier(group.barrier);
  };
  if (std::ranges::none_of(warp.groups, waits_for_lanes)) return;
  std::uint32_t alive = 0, at_syncwarp = 0;
  const auto is_syncwarp = [&](const Group& group) {
    return group.barrier == kWarpBarrier &&
           code_->function.code[group.pc].opcode == ptx::Opcode::bar_warp_sync;
  };
  for (const Group& group : warp.groups) {
    alive |= group.mask;
    if (is_syncwarp(group)) at_syncwarp |= group.mask;
  }
  std::vector<Group> passed;
  for (Group& group : warp.groups) {
    if (group.barrier == kMemoryBarrier && phases_over(warp, *group.wait, group.mask) != 0)
      group.barrier = -1;
    if (group.barrier == kGroupBarrier && group_has_committed(warp)) group.barrier = -1;
    if (group.barrier != kWarpBarrier) continue;
    if ((group.needed & alive & ~group.mask) == 0) {
      group.barrier = -1;
    } else if (is_syncwarp(group) && (group.needed & alive & ~at_syncwarp) == 0) {
      passed.push_back({group.pc + 1, group.mask});
      warp.active = group.mask;  // the barrier itself, which is not executed again
      warp.range_start = group.pc;
      close_range(warp, group.pc + 1);
      group.mask = 0;
    }
  }
  std::erase_if(warp.groups, [](const Group& group) { return group.mask == 0; });
  for (const Group& group : passed) park(warp, group);
}

const MicroOp* Executor::entry(const Warp& warp, std::uint32_t pc) const {
  return worker_.watcher != nullptr ? &code_->watched[code_->watched_start[pc]]
                                    : code_->entry(warp.general, pc);
}

void Executor::run_group(Warp& warp, std::uint32_t stop) {
  warp.active = warp.exec = warp.running.mask;
  warp.range_start = warp.running.pc;
  warp.event = Event::none;
  if (!warp.groups.empty() && !warp.general && needs_general(warp, stop)) make_general(warp, warp.running.pc);
  if (warp.groups.empty() && warp.general && worker_.watcher == nullptr) make_fast(warp);
  const MicroOp* op = entry(warp, warp.running.pc);
  if (stop == kNoStop) {
    while (op != nullptr) op = op->run(warp, op);
    handle_event(warp);
    return;
  }
  if (code_->turns.empty())
    while (op != nullptr && op->pc < stop) op = op->run(warp, op);
  else
    while (op != nullptr && code_->turns[op->pc] < stop) op = op->run(warp, op);
  if (op == nullptr) return handle_event(warp);
  close_range(warp, op->pc);
  park(warp, {op->pc, warp.active});
}

void Executor::park(Warp& warp, const Group& group) {
  if (group.mask == 0) return;
  for (Group& other : warp.groups) {
    const bool same_wait =
        other.barrier == group.barrier || other.barrier == kWarpBarrier || group.barrier == kWarpBarrier;
    const bool block_barrier = is_block_barrier(other.barrier) || is_block_barrier(group.barrier);
    if (other.pc != group.pc || !same_wait ||
        (block_barrier && (other.barrier != group.barrier || other.reduction != nullptr)))
      continue;
    other.mask |= group.mask;
    other.needed |= group.needed;
    if (group.barrier == kWarpBarrier) other.barrier = kWarpBarrier;
    return;
  }
  warp.groups.push_back(group);
}

void Executor::handle_event(Warp& warp) {
  const MicroOp* op = warp.stopped_at;
  switch (warp.event) {
    case Event::diverged:
      return split_branch(warp, op);
    case Event::indexed:
      return split_indexed(warp, op);
    case Event::barrier:
      return arrive(warp, op);
    case Event::left:
      close_range(warp, op->pc + 1);
      if (warp.needed != warp.active) ++worker_.diverged[op->pc];
      return park(warp, {op->pc + 1, warp.active & ~warp.needed});
    case Event::slice_end:  // at a backward branch: jump() has counted it
      return park(warp, {op->d, warp.active});
    case Event::general:
      close_range(warp, op->pc);
      demote_results(op->pc);
      make_general(warp, op->pc);
      give_up_[op->pc] = 1;
      return park(warp, {op->pc, warp.active});
    case Event::converge: {
      close_range(warp, op->pc);
      Group group{op->pc, warp.active};
      group.barrier = kWarpBarrier;
      group.needed = warp.needed;
      return park(warp, group);
    }
    case Event::memory_barrier: {
      close_range(warp, op->pc);
      Group group{op->pc, warp.active};
      group.barrier = kMemoryBarrier;
      group.wait = static_cast<const PtxDetail*>(op->detail);
      return park(warp, group);
    }
    case Event::warp_group: {
      close_range(warp, op->pc);
      Group group{op->pc, warp.active};
      group.barrier = kGroupBarrier;
      return park(warp, group);
    }
    case Event::cluster_barrier: {
      close_range(warp, op->pc);
      Group group{op->pc, warp.active};
      group.barrier = kClusterBarrier;
      return park(warp, group);
    }
    case Event::yield:
      close_range(warp, op->pc + 1);
      warp.yields = warp.take_turns = true;
      return park(warp, {op->pc + 1, warp.active});
    case Event::spin:  // jump() has counted it
      warp.yields = warp.take_turns = true;
      return park(warp, {op->d, warp.active});
    default:
      close_range(warp, op->pc + 1);
      return;  // a fault
  }
}

// The instruction at pc gave a result that is not of the class it was taken for.
void Executor::demote_results(std::uint32_t pc) {
  std::vector<ptx::RegisterId> written, read;
  registers_of(code_->function.code[pc], written, read);
  for (ptx::RegisterId r : written)
    if (code_->registers[r].bytes != 0) demote(r);
}

void Executor::split_branch(Warp& warp, const MicroOp* op) {
  const std::uint32_t predicate =
      *reinterpret_cast<const std::uint32_t*>(warp.regs + op->a) ^ static_cast<std::uint32_t>(op->immediate);
  close_range(warp, op->pc + 1);
  ++worker_.diverged[op->pc];
  park(warp, {op->d, warp.active & predicate});
  park(warp, {op->pc + 1, warp.active & ~predicate});
}

// From the address that a lane calls to the function's number. False: a fault has been raised.
bool Executor::find_function(Warp& warp, const MicroOp* op, const PtxDetail& detail, std::uint32_t lane,
                             std::uint64_t& index) {
  const std::uint64_t address = index;
  index = (address - kFunctionWindow) / kFunctionBytes - 1;
  const bool known = address % kFunctionBytes == 0 && index < detail.targets.size();
  const std::uint32_t target =
      known ? detail.targets[static_cast<std::size_t>(index)] : ptx::BranchTable::kNoFunction;
  if (target != ptx::BranchTable::kNoFunction) return true;
  if (worker_.fault) return false;
  fault(warp, op, Fault::Kind::out_of_bounds, lane, address,
        address == 0 ? "calls a function through a null pointer"
                     : "calls through a pointer that is no function with these arguments",
        "set the pointer to a __device__ function before the call");
  return false;
}

void Executor::split_indexed(Warp& warp, const MicroOp* op) {
  const PtxDetail& detail = *static_cast<const PtxDetail*>(op->detail);
  const std::uint32_t lanes = warp.needed;
  const auto index_of = [&](std::uint32_t lane) {
    return read_operand(warp, detail.operands[0].place, lane);
  };
  close_range(warp, op->pc + 1);
  park(warp, {op->pc + 1, warp.active & ~lanes});
  bool differ = lanes != warp.active;
  for_each_lane(lanes, [&](std::uint32_t lane) {
    std::uint64_t index = index_of(lane);
    differ |= index != index_of(static_cast<std::uint32_t>(__builtin_ctz(lanes)));
    if (detail.of_functions && !find_function(warp, op, detail, lane, index)) return;
    if (index < detail.targets.size())
      return park(warp, {detail.targets[static_cast<std::size_t>(index)], 1u << lane});
    if (!worker_.fault)
      fault(warp, op, Fault::Kind::out_of_bounds, lane, index,
            "jumps past the end of a table of " + std::to_string(detail.targets.size()) + " branches",
            "check the switch");
  });
  if (differ) ++worker_.diverged[op->pc];
}

std::uint64_t Executor::slice() const { return std::min(kSlice, launch_.instruction_budget); }

// Whether the loop that a backward branch closes looks for what others do: it tries a lock or reads a
// volatile.
bool Executor::spins(const MicroOp& op) const {
  if ((op.run != branch && op.run != branch_if) || op.d > op.pc) return false;
  const auto& code = code_->function.code;
  return std::any_of(code.begin() + op.d, code.begin() + op.pc, [](const ptx::Instruction& i) {
    const bool lock = i.atomic == ptx::AtomicOp::cas || i.atomic == ptx::AtomicOp::exch;
    return (i.opcode == ptx::Opcode::atom && lock) || (i.opcode == ptx::Opcode::ld && i.is_volatile) ||
           ptx::is_memory_or_cluster_barrier(i.opcode);
  });
}

// Whether it may see there what others do: any atomic shows it.
bool Executor::looks_outside(const MicroOp& op) const {
  if ((op.run != branch && op.run != branch_if) || op.d > op.pc) return false;
  const auto& code = code_->function.code;
  return std::any_of(code.begin() + op.d, code.begin() + op.pc, [](const ptx::Instruction& i) {
    return i.opcode == ptx::Opcode::atom || (i.opcode == ptx::Opcode::ld && i.is_volatile) ||
           ptx::is_memory_or_cluster_barrier(i.opcode);
  });
}

std::uint64_t Executor::state_of(const Warp& warp) const {
  std::uint64_t hash = 14695981039346656037u;  // FNV-1a, by words
  const auto add = [&](std::uint64_t word) { hash = (hash ^ word) * 1099511628211u; };
  const auto* words = reinterpret_cast<const std::uint64_t*>(warp.regs);
  for (std::size_t w = 0; w < code_->register_bytes / 8; ++w) add(words[w]);
  for (const Group& group : warp.groups)
    add(std::uint64_t{group.pc} << 32 | group.mask), add(static_cast<std::uint64_t>(group.barrier));
  return hash;
}

void Executor::check_slice(Warp& warp) {
  warp.take_turns = spins(*warp.stopped_at);
  warp.spins = 0;
  if (may_wait_) {
    const std::uint64_t state = state_of(warp);
    warp.still = looks_outside(*warp.stopped_at) && state == warp.state ? warp.still + 1 : 0;
    warp.state = state;
  }
  // A long loop that does not look for what others do is soon known to end, or not to.
  const bool alone = warp.executed > kLong && !looks_outside(*warp.stopped_at);
  warp.slice_end = warp.executed + (alone ? std::min(kLong * 8, launch_.instruction_budget) : slice());
  spend(warp);
  if (launch_.is_cancelled() || launch_.is_over_limit()) {
    fault(warp, warp.stopped_at, Fault::Kind::cancelled, 0, 0, "was stopped", "");
  } else if (warp.executed >= launch_.instruction_budget) {
    fault(warp, warp.stopped_at, Fault::Kind::budget, static_cast<std::uint32_t>(__builtin_ctz(warp.active)),
          0, "is still running after " + grouped(warp.executed) + " instructions of its warp",
          "check that the loop here can end, or raise the instruction budget (--budget of warplens run)");
  } else if (worker_.watcher != nullptr) {
    const Stuck stuck = worker_.watcher->on_slice(
        {warp.index, warp.stopped_at->pc, warp.active, looks_outside(*warp.stopped_at), state_of(warp)});
    if (!stuck.why.empty()) {
      fault(warp, warp.stopped_at, Fault::Kind::deadlock,
            static_cast<std::uint32_t>(__builtin_ctz(warp.active)), 0, stuck.why, stuck.next_step);
      worker_.fault->address = stuck.address;
    }
  }
  if (worker_.fault || warp.executed < kLongEnough || !code_->endless[warp.stopped_at->pc]) return;
  fault(warp, warp.stopped_at, Fault::Kind::budget, static_cast<std::uint32_t>(__builtin_ctz(warp.active)), 0,
        "is still running after " + grouped(warp.executed) +
            " instructions of its warp, in a loop without a way out",
        "give the loop here a condition, a break or a return that leaves it");
}

}  // namespace warplens::emulator
