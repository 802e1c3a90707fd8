#include "engine/time/async_work.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include "engine/tensor/tensor_map.hpp"

namespace warplens::time {
namespace {

using emulator::WatchedStep, ptx::Opcode;

bool is_block_barrier(Opcode opcode) {
  return opcode == Opcode::bar_sync || opcode == Opcode::bar_arrive || opcode == Opcode::bar_red;
}
bool is_arrival_of_copies(Opcode opcode) {
  return opcode == Opcode::cp_async_mbarrier_arrive || opcode == Opcode::cp_async_mbarrier_arrive_noinc;
}
bool is_told(const ptx::Instruction& i) {
  const Async async = async_of(i);
  return is_block_barrier(i.opcode) || async == Async::arrive || async == Async::wait ||
         async == Async::load || async == Async::store;
}

class Follower : public emulator::BlockWatcher {
 public:
  Follower(AsyncWork& work, emulator::GlobalMemory& memory, std::uint32_t rank)
      : work_(work), memory_(memory), rank_(rank), lanes_(work.ops.size()) {
    for (auto& lanes : lanes_)
      for (OfLane& lane : lanes) lane.executed.assign(work.executed.front().size(), 0);
  }

  // Of the lane of each warp that did most: where lanes part, one way of them is followed.
  void finish() {
    for (std::size_t warp = 0; warp < lanes_.size(); ++warp) {
      const auto most = std::ranges::max_element(lanes_[warp], {}, &OfLane::all);
      work_.executed[warp].assign(most->executed.begin(), most->executed.end());
    }
  }

  void on_step(const WatchedStep& step) override {
    if (is_again(step) || step.exec == 0) return;
    const ptx::Instruction& i = *step.instruction;
    if (i.opcode == Opcode::mbarrier_init) return initialise(step);
    const auto site = work_.site_of(step.pc);
    if (!site) return;
    auto& ops = work_.ops[step.warp][*site];
    if (is_block_barrier(i.opcode)) return meet(step, ops);
    switch (async_of(i)) {
      case Async::arrive:
        return arrive(step, ops);
      case Async::wait:
        return wait(step, ops);
      case Async::load:
      case Async::store:
        for (std::uint32_t left = step.exec; left != 0; left &= left - 1)
          copy(step, static_cast<std::uint32_t>(std::countr_zero(left)), ops);
        if (!ops.empty()) ops.back().more = false;
        return;
      default:
        return;
    }
  }

 private:
  struct OfLane {
    std::uint32_t last = kNoPc;
    std::uint64_t all = 0;
    std::vector<std::uint32_t> executed;
  };
  // What waits is told again when it goes on.
  bool is_again(const WatchedStep& step) {
    auto& lanes = lanes_[step.warp];
    const auto first = static_cast<std::size_t>(std::countr_zero(step.active));
    if (step.active == 0 || lanes[first].last == step.pc) return true;
    for (std::uint32_t left = step.active; left != 0; left &= left - 1) {
      OfLane& lane = lanes[static_cast<std::size_t>(std::countr_zero(left))];
      lane.last = step.pc, ++lane.all, ++lane.executed[step.pc];
    }
    return false;
  }

  std::uint32_t offset_at(const WatchedStep& step, std::size_t operand, std::uint32_t lane) const {
    std::array<std::uint64_t, 32> address{};
    step.values(operand, address);
    return static_cast<std::uint32_t>(address[lane] & emulator::kOwnOffset);
  }

  void initialise(const WatchedStep& step) {
    for (std::uint32_t left = step.exec; left != 0; left &= left - 1) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
      work_.arrivals[offset_at(step, 0, lane)] = static_cast<std::uint32_t>(step.value(1, lane));
    }
  }

  static void meet(const WatchedStep& step, std::vector<AsyncOp>& ops) {
    const ptx::Instruction& i = *step.instruction;
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(step.exec));
    const std::size_t first = i.destinations;
    const std::size_t inputs = i.operands.size() - first - (i.opcode == Opcode::bar_red ? 1 : 0);
    AsyncOp op;
    if (inputs > 0) op.barrier = static_cast<std::uint32_t>(step.value(first, lane) & 15);
    if (inputs > 1) op.count = static_cast<std::uint32_t>(step.value(first + 1, lane));
    ops.push_back(op);
  }

  // The phase that a barrier is in, counted from 0 by the turns of its highest bit.
  std::uint32_t phase_of(const WatchedStep& step, std::uint32_t barrier) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, step.shared() + barrier, sizeof bits);
    Turns& turns = turns_[barrier];
    if (emulator::is_odd_phase(bits) != turns.odd) turns.odd = !turns.odd, ++turns.phase;
    return turns.phase;
  }

  // Lanes at one barrier are one arrival of many threads. At another block's they stand for those that its threads make here.
  void arrive(const WatchedStep& step, std::vector<AsyncOp>& ops) {
    const ptx::Instruction& i = *step.instruction;
    const bool expects =
        i.opcode == Opcode::mbarrier_arrive_expect_tx || i.opcode == Opcode::mbarrier_expect_tx;
    const bool after_copies = is_arrival_of_copies(i.opcode);
    const std::size_t at =
        i.opcode == Opcode::mbarrier_expect_tx || after_copies ? 0 : 1;  // behind the token
    std::array<std::uint64_t, 32> address{};
    step.values(at, address);
    std::map<std::uint32_t, AsyncOp> by_barrier;
    for (std::uint32_t left = step.exec; left != 0; left &= left - 1) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
      const auto barrier = static_cast<std::uint32_t>(address[lane] & emulator::kOwnOffset);
      const auto rank = address[lane] >> emulator::kRankShift & 0xff;
      AsyncOp& op = by_barrier[barrier];
      if (rank == 0 || rank == rank_ + 1)
        phase_of(step, barrier);
      else
        op.is_remote = true;
      op.barrier = barrier;
      const std::uint64_t given = i.operands.size() > at + 1 ? step.value(at + 1, lane) : 1;
      if (expects)
        op.bytes += static_cast<std::uint32_t>(given),
            op.count += i.opcode == Opcode::mbarrier_arrive_expect_tx;
      else if (after_copies)  // without .noinc it is one more that the phase waits for
        op.after_copies = true, op.count += i.opcode == Opcode::cp_async_mbarrier_arrive_noinc;
      else
        op.count += static_cast<std::uint32_t>(given);
    }
    for (const auto& [barrier, op] : by_barrier) ops.push_back(op), ops.back().more = true;
    ops.back().more = false;
  }

  void wait(const WatchedStep& step, std::vector<AsyncOp>& ops) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(step.exec));
    const std::uint32_t barrier = offset_at(step, 1, lane);
    const Opcode opcode = step.instruction->opcode;
    const bool by_parity =
        opcode == Opcode::mbarrier_try_wait_parity || opcode == Opcode::mbarrier_test_wait_parity;
    const std::uint64_t given = step.value(2, lane);
    const bool odd = by_parity ? (given & 1) != 0 : emulator::is_odd_phase(given);
    const std::uint32_t now = phase_of(step, barrier);
    const bool is_over = (now % 2 == 1) != odd;
    ops.push_back({.barrier = barrier, .count = is_over ? now : now + 1});
  }

  void copy(const WatchedStep& step, std::uint32_t lane, std::vector<AsyncOp>& ops) {
    const ptx::Instruction& i = *step.instruction;
    const bool is_load = async_of(i) == Async::load;
    const bool of_box = i.opcode == Opcode::cp_async_bulk_tensor;
    AsyncOp op{.more = true};
    double lines = 0;
    if (of_box)
      look_at_box(step, lane, is_load ? 1 : 0, op.bytes, lines);
    else
      op.bytes = static_cast<std::uint32_t>(step.value(2, lane)),
      lines = op.bytes / static_cast<double>(kLine);
    std::uint32_t blocks = 1;
    if (is_load) {
      const std::size_t barrier = of_box ? 2 : 3;
      op.barrier = offset_at(step, barrier, lane);
      if (i.operands.size() > barrier + 1)
        blocks =
            std::max(1, std::popcount(static_cast<std::uint32_t>(step.value(barrier + 1, lane) & 0xffff)));
    }
    BulkTraffic& traffic = work_.traffic[step.pc];
    traffic.executed += 1, traffic.lines += lines, traffic.arriving += lines * blocks;
    op.bytes *= blocks;
    ops.push_back(op);
  }

  static constexpr std::uint64_t kLine = 128;

  void look_at_box(const WatchedStep& step, std::uint32_t lane, std::size_t operand, std::uint32_t& bytes,
                   double& lines) {
    std::array<std::uint64_t, 32> values{};
    step.values(operand, values);
    if (memory_.find(values[lane], tensor::kMapBytes) == nullptr) return;
    const auto map = tensor::decode({memory_.host(values[lane]), tensor::kMapBytes});
    if (!map) return;
    tensor::Coordinates at{};
    for (std::size_t d = 0; d < step.instruction->operands[operand].elements.size(); ++d) {
      step.element(operand, d, values);
      at[d] = static_cast<std::int32_t>(values[lane]);
    }
    bytes = static_cast<std::uint32_t>(tensor::box_bytes(*map));
    for (std::uint64_t r = 0; r < tensor::box_rows(*map); ++r) {
      const tensor::BoxRow row = tensor::box_row(*map, at, r);
      if (row.first < row.last)
        lines +=
            static_cast<double>((row.address + row.last - 1) / kLine - (row.address + row.first) / kLine + 1);
    }
  }

  AsyncWork& work_;
  emulator::GlobalMemory& memory_;
  std::uint32_t rank_;
  struct Turns {
    std::uint32_t phase = 0;
    bool odd = false;
  };
  std::map<std::uint32_t, Turns> turns_;       // of each barrier
  std::vector<std::array<OfLane, 32>> lanes_;  // of each warp
};

}  // namespace

std::optional<std::size_t> AsyncWork::site_of(std::uint32_t pc) const {
  const auto found = std::ranges::lower_bound(sites, pc);
  if (found == sites.end() || *found != pc) return std::nullopt;
  return static_cast<std::size_t>(found - sites.begin());
}

Async async_of(const ptx::Instruction& i) {
  switch (i.opcode) {
    case Opcode::mbarrier_arrive:
    case Opcode::mbarrier_arrive_expect_tx:
    case Opcode::mbarrier_expect_tx:
    case Opcode::mbarrier_arrive_no_complete:
    case Opcode::cp_async_mbarrier_arrive:
    case Opcode::cp_async_mbarrier_arrive_noinc:
      return Async::arrive;
    case Opcode::mbarrier_test_wait:
    case Opcode::mbarrier_test_wait_parity:
    case Opcode::mbarrier_try_wait:
    case Opcode::mbarrier_try_wait_parity:
      return Async::wait;
    case Opcode::cp_async_bulk:  // [target], [source], bytes {, [barrier] {, mask}}
      return i.operands.size() > 3 ? Async::load : Async::store;
    case Opcode::cp_async_bulk_tensor:  // [target], [map], [barrier] {, mask}, or [map], [source]
      return i.operands.size() > 2 ? Async::load : Async::store;
    case Opcode::cp_reduce_async_bulk:
    case Opcode::cp_reduce_async_bulk_tensor:
      return Async::store;
    case Opcode::cp_async_bulk_wait_group:
      return Async::wait_for_stores;
    case Opcode::wgmma_mma_async:
      return Async::multiply;
    case Opcode::wgmma_wait_group:
      return Async::wait_for_products;
    case Opcode::barrier_cluster_arrive:
      return Async::cluster_arrive;
    case Opcode::barrier_cluster_wait:
      return Async::cluster_wait;
    default:
      return Async::none;
  }
}

bool is_asynchronous(const ptx::Function& function) {
  return std::ranges::any_of(function.code, [](const ptx::Instruction& i) {
    const Async async = async_of(i);
    return async == Async::multiply || async == Async::load || async == Async::store || async == Async::wait;
  });
}

std::shared_ptr<const emulator::Kernel> without_products(const emulator::Kernel& kernel,
                                                         const device::Device& device) {
  ptx::Function function = kernel.function();
  bool any = false;
  for (ptx::Instruction& i : function.code) {
    if (i.opcode != Opcode::wgmma_mma_async) continue;
    i.opcode = Opcode::wgmma_fence;
    i.operands.clear(), i.destinations = 0;
    any = true;
  }
  if (!any) return nullptr;
  auto program = std::make_shared<ptx::Program>();
  const ptx::Program& whole = kernel.program();
  program->isa_version = whole.isa_version, program->target = whole.target;
  program->files = whole.files, program->variables = whole.variables;
  program->functions = {std::move(function)};
  auto rest = emulator::Kernel::prepare(program, program->functions[0].name, device);
  return rest && (*rest)->function().code.size() == kernel.function().code.size() ? *rest : nullptr;
}

AsyncRecorder::AsyncRecorder(const ptx::Function& function, emulator::GlobalMemory& memory,
                             std::uint64_t block, std::uint32_t rank, std::uint32_t cluster,
                             std::uint32_t warps) {
  work_.block = block, work_.cluster = cluster;
  for (std::uint32_t pc = 0; pc < function.code.size(); ++pc)
    if (is_told(function.code[pc])) work_.sites.push_back(pc);
  work_.ops.assign(warps, std::vector<std::vector<AsyncOp>>(work_.sites.size()));
  work_.executed.assign(warps, std::vector<double>(function.code.size()));
  follower_ = std::make_unique<Follower>(work_, memory, rank);
}
AsyncRecorder::~AsyncRecorder() = default;

AsyncWork AsyncRecorder::take() {
  static_cast<Follower&>(*follower_).finish();
  return std::move(work_);
}

emulator::BlockWatcher* AsyncRecorder::begin_block(std::uint64_t block) {
  return block == work_.block ? follower_.get() : nullptr;
}

}  // namespace warplens::time
