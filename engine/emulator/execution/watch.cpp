// Tells a watcher each instruction before it is executed: an operation of its own in Code::watched.
#include "engine/emulator/execution/operands.hpp"
#include "engine/emulator/lowering/lowering.hpp"
#include "engine/emulator/watcher.hpp"

namespace warplens::emulator {
namespace {

template <class T>
void copy_lanes(const Warp& warp, const ColdOperand& operand, std::array<std::uint64_t, 32>& to) {
  const T* lanes = reinterpret_cast<const T*>(warp.regs + operand.offset);
  for (std::size_t lane = 0; lane < 32; ++lane) to[lane] = lanes[lane];
}

void read_lanes(const Warp& warp, const ColdOperand& operand, std::array<std::uint64_t, 32>& to) {
  switch (operand.kind) {
    case ColdOperand::Kind::lanes32:
      return copy_lanes<std::uint32_t>(warp, operand, to);
    case ColdOperand::Kind::lanes64:
      return copy_lanes<std::uint64_t>(warp, operand, to);
    default:
      for (std::uint32_t lane = 0; lane < 32; ++lane) to[lane] = read_operand(warp, operand, lane);
  }
}

}  // namespace

void WatchedStep::values(std::size_t operand, std::array<std::uint64_t, 32>& to) const {
  const OperandPlace& place = detail->operands[operand];
  read_lanes(*state, place.place, to);
  if (place.offset == 0) return;
  const bool narrow = place.place.kind == ColdOperand::Kind::lanes32;
  for (std::uint64_t& value : to) {
    value += static_cast<std::uint64_t>(place.offset);
    if (narrow) value &= 0xffffffffu;
  }
}

void WatchedStep::element(std::size_t operand, std::size_t element, std::array<std::uint64_t, 32>& to) const {
  const OperandPlace& place = detail->operands[operand];
  read_lanes(*state, place.elements.empty() ? place.place : place.elements[element], to);
}

std::uint64_t WatchedStep::value(std::size_t operand, std::uint32_t lane) const {
  return read_operand(*state, detail->operands[operand].place, lane);
}

const std::byte* WatchedStep::shared() const { return state->shared; }

const MicroOp* watch(Warp& warp, const MicroOp* op) {
  BlockWatcher& watcher = *warp.worker->watcher;
  if (watcher.knows(warp.index, op->pc, warp.active)) return op + 1;
  watcher.forget(warp.index);
  const PtxDetail& detail = *static_cast<const PtxDetail*>(op->detail);
  WatchedStep step;
  step.instruction = detail.instruction;
  step.pc = op->pc;
  step.warp = warp.index;
  step.active = step.exec = warp.active;
  if (op->a != kNoRegister)
    step.exec &= *reinterpret_cast<const std::uint32_t*>(warp.regs + op->a) ^
                 static_cast<std::uint32_t>(op->immediate);
  step.alive = warp.alive();
  step.existing = warp.existing;
  step.state = &warp;
  step.detail = &detail;
  watcher.on_step(step);
  return op + 1;
}

}  // namespace warplens::emulator
