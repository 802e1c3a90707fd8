// Branches, returns, barriers: where the run loop may have to look at the groups of a warp. And faults.
#include "engine/emulator/execution/operands.hpp"
#include "engine/emulator/lowering/lowering.hpp"
#include "engine/ptx/source_place.hpp"

namespace warplens::emulator {
namespace {

std::uint32_t guarded_lanes(const Warp& warp, const MicroOp* op) {
  if (op->a == kNoRegister) return warp.active;
  const std::uint32_t predicate = *reinterpret_cast<const std::uint32_t*>(warp.regs + op->a);
  return (predicate ^ static_cast<std::uint32_t>(op->immediate)) & warp.active;
}

// Turns of a small loop that waits in which the other warps have theirs; behind them a slice ends as any
// other's does.
constexpr std::uint32_t kMostSpins = 64;

const MicroOp* jump(Warp& warp, const MicroOp* op) {
  close_range(warp, op->pc + 1);
  warp.range_start = op->d;
  if (op->d <= op->pc) {
    if (warp.executed >= warp.slice_end) return stop(warp, op, Event::slice_end);
    if (op->v != 0 && ++warp.spins <= kMostSpins) return stop(warp, op, Event::spin);
  }
  return op + static_cast<std::int32_t>(op->c);
}

const MicroOp* stop_lanes(Warp& warp, const MicroOp* op, Event event) {
  warp.needed = guarded_lanes(warp, op);
  return warp.needed == 0 ? op + 1 : stop(warp, op, event);
}

}  // namespace

const MicroOp* branch(Warp& warp, const MicroOp* op) { return jump(warp, op); }

const MicroOp* branch_if(Warp& warp, const MicroOp* op) {
  const std::uint32_t taken = guarded_lanes(warp, op);
  if (taken == 0) return op + 1;
  return taken == warp.active ? jump(warp, op) : stop(warp, op, Event::diverged);
}

const MicroOp* branch_indexed(Warp& warp, const MicroOp* op) { return stop_lanes(warp, op, Event::indexed); }
const MicroOp* leave(Warp& warp, const MicroOp* op) { return stop_lanes(warp, op, Event::left); }
const MicroOp* block_barrier(Warp& warp, const MicroOp* op) { return stop_lanes(warp, op, Event::barrier); }

const MicroOp* trap(Warp& warp, const MicroOp* op) {
  const std::uint32_t lanes = guarded_lanes(warp, op);
  if (lanes == 0) return op + 1;
  return fault(warp, op, Fault::Kind::trap, static_cast<std::uint32_t>(__builtin_ctz(lanes)), 0,
               "executed a trap", "see what the kernel checks there");
}

namespace {
std::string triple(const std::array<std::uint32_t, 3>& v) {
  return "(" + std::to_string(v[0]) + ", " + std::to_string(v[1]) + ", " + std::to_string(v[2]) + ")";
}
}  // namespace

Fault fault_of(Warp& warp, const MicroOp* op, Fault::Kind kind, std::uint32_t lane, std::uint64_t address,
               std::string what, std::string next_step) {
  Worker& worker = *warp.worker;
  const std::uint64_t t = std::uint64_t{warp.index} * 32 + lane;
  Fault fault;
  fault.kind = kind;
  fault.pc = op->pc;
  fault.block = worker.block;
  fault.block_index = worker.block_index;
  fault.thread = {static_cast<std::uint32_t>(t % worker.block_dim[0]),
                  static_cast<std::uint32_t>(t / worker.block_dim[0] % worker.block_dim[1]),
                  static_cast<std::uint32_t>(t / worker.block_dim[0] / worker.block_dim[1])};
  fault.address = address;
  if (const Allocation* near = worker.memory->nearest(address); near != nullptr && address >= kGlobalBase)
    fault.nearest = near->name;
  const bool in_shared = kind == Fault::Kind::out_of_bounds && address < kLocalWindow;
  if (kind == Fault::Kind::uninitialised_shared || in_shared)
    fault.nearest = worker.layout->describe(static_cast<std::uint32_t>(address));
  fault.error.message =
      "thread " + triple(fault.thread) + " of block " + triple(fault.block_index) + " " + what;
  fault.what = std::move(what);
  fault.error.next_step = std::move(next_step);
  fault.error.place = ptx::place_of(*worker.program, *worker.function, op->pc);
  return fault;
}

const MicroOp* fault(Warp& warp, const MicroOp* op, Fault::Kind kind, std::uint32_t lane,
                     std::uint64_t address, std::string what, std::string next_step) {
  warp.worker->fault = fault_of(warp, op, kind, lane, address, std::move(what), std::move(next_step));
  return stop(warp, op, Event::fault);
}

}  // namespace warplens::emulator
