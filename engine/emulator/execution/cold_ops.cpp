// Operations without a warp-wide handler: lane by lane through lane_function; guards; predicate logic.

#include "engine/emulator/lowering/lowering.hpp"

namespace warplens::emulator {
namespace {

template <class T>
T* at(Warp& warp, std::uint32_t offset) {
  return reinterpret_cast<T*>(warp.regs + offset);
}

void store_vector(Warp& warp, std::uint32_t offset, int bytes, std::uint64_t value) {
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    if (bytes == 8)
      at<std::uint64_t>(warp, offset)[lane] = value;
    else
      at<std::uint32_t>(warp, offset)[lane] = static_cast<std::uint32_t>(value);
  }
}

void set_mask(Warp& warp, std::uint32_t offset, std::uint32_t value) {
  std::uint32_t* mask = at<std::uint32_t>(warp, offset);
  *mask = (*mask & ~warp.exec) | (value & warp.exec);
}

// Runs `count` operations that follow each other; false where one of them stopped.
bool run_sequence(Warp& warp, const MicroOp* op, std::uint32_t count) {
  const MicroOp* end = op + count;
  while (op != nullptr && op < end) op = op->run(warp, op);
  return op != nullptr;
}

}  // namespace

std::uint64_t read_operand(const Warp& warp, const ColdOperand& operand, std::uint32_t lane) {
  const std::byte* at = warp.regs + operand.offset;
  switch (operand.kind) {
    case ColdOperand::Kind::constant:
      return operand.bits;
    case ColdOperand::Kind::lanes32:
      return reinterpret_cast<const std::uint32_t*>(at)[lane];
    case ColdOperand::Kind::lanes64:
      return reinterpret_cast<const std::uint64_t*>(at)[lane];
    case ColdOperand::Kind::predicate:
      return ((*reinterpret_cast<const std::uint32_t*>(at) >> lane) & 1) ^ (operand.negated ? 1u : 0u);
    default:
      return 0;
  }
}

std::uint64_t address_of(const Warp& warp, const OperandPlace& operand, std::uint32_t lane) {
  const std::uint64_t address =
      read_operand(warp, operand.place, lane) + static_cast<std::uint64_t>(operand.offset);
  return operand.place.kind == ColdOperand::Kind::lanes32 ? address & 0xffffffffu : address;
}

std::array<std::uint64_t, 32> addresses_of(const Warp& warp, const OperandPlace& operand,
                                           std::uint32_t lanes) {
  std::array<std::uint64_t, 32> addresses{};
  for_each_lane(lanes, [&](std::uint32_t lane) { addresses[lane] = address_of(warp, operand, lane); });
  return addresses;
}

void write_operand(Warp& warp, const ColdOperand& operand, std::uint32_t lane, std::uint64_t value) {
  switch (operand.kind) {
    case ColdOperand::Kind::lanes32:
      at<std::uint32_t>(warp, operand.offset)[lane] = static_cast<std::uint32_t>(value);
      break;
    case ColdOperand::Kind::lanes64:
      at<std::uint64_t>(warp, operand.offset)[lane] = value;
      break;
    case ColdOperand::Kind::predicate: {
      std::uint32_t* mask = at<std::uint32_t>(warp, operand.offset);
      *mask = (*mask & ~(1u << lane)) | ((value & 1) != 0 ? 1u << lane : 0u);
      break;
    }
    default:
      break;
  }
}

const MicroOp* guard(Warp& warp, const MicroOp* op) {
  const std::uint32_t taken =
      (*at<std::uint32_t>(warp, op->a) ^ static_cast<std::uint32_t>(op->immediate)) & warp.active;
  const MicroOp* next = op + op->d;
  if (taken == 0) return next;
  if (taken == warp.active) return run_sequence(warp, op + 1, op->c) ? next : nullptr;
  if (op->b == 2) return stop(warp, op, Event::general);
  warp.exec = taken;
  const std::uint32_t skipped = op->b == 0 ? 0 : op->c;
  const bool done = run_sequence(warp, op + 1 + skipped, op->b == 0 ? op->c : op->d - 1 - op->c);
  warp.exec = warp.active;
  return done ? next : nullptr;
}

namespace {
// Results of cvt are sign-extended to the register's width (PTX ISA, "Operand Size Exceeding Instruction-Type
// Size"); those of all other instructions have it.
std::uint64_t extended(const ColdDetail& detail, std::uint64_t value) {
  if (detail.signed_bits == 0) return value;
  const int unused = 64 - detail.signed_bits;
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(value << unused) >> unused);
}
}  // namespace

const MicroOp* cold_scalar(Warp& warp, const MicroOp* op) {
  const ColdDetail& detail = *static_cast<const ColdDetail*>(op->detail);
  std::array<std::uint64_t, 5> values{};
  for (std::size_t s = 0; s < values.size(); ++s) {
    const ColdOperand& source = detail.sources[s];
    if (source.kind == ColdOperand::Kind::predicate) {
      const std::uint32_t set = *at<std::uint32_t>(warp, detail.scalar_sources[s]) & warp.active;
      if (set != 0 && set != warp.active) return stop(warp, op, Event::general);
      values[s] = (set != 0 ? 1u : 0u) ^ (source.negated ? 1u : 0u);
    } else if (source.kind != ColdOperand::Kind::none) {
      values[s] = *at<std::uint64_t>(warp, detail.scalar_sources[s]);
    }
  }
  const LaneResult result =
      detail.function(*detail.instruction, {values[0], values[1], values[2], values[3], false, values[4]});
  std::uint64_t value = extended(detail, result.value);
  if (op->b == 4) value &= 0xffffffffu;
  *at<ScalarForm>(warp, op->d) = {value, 0};
  if (op->v != 0) store_vector(warp, op->v, static_cast<int>(op->b), value);
  if (detail.destinations[1].kind == ColdOperand::Kind::predicate)
    set_mask(warp, detail.destinations[1].offset, (result.second & 1) != 0 ? kAllLanes : 0);
  return op + 1;
}

const MicroOp* cold_lanes(Warp& warp, const MicroOp* op) {
  const ColdDetail& detail = *static_cast<const ColdDetail*>(op->detail);
  const ptx::Instruction& instruction = *detail.instruction;
  for (std::uint32_t mask = warp.exec; mask != 0; mask &= mask - 1) {
    const auto lane = static_cast<std::uint32_t>(__builtin_ctz(mask));
    LaneInputs inputs;
    inputs.a = read_operand(warp, detail.sources[0], lane);
    inputs.b = read_operand(warp, detail.sources[1], lane);
    inputs.c = read_operand(warp, detail.sources[2], lane);
    inputs.d = read_operand(warp, detail.sources[3], lane);
    inputs.e = read_operand(warp, detail.sources[4], lane);
    inputs.carry = ((warp.carry >> lane) & 1) != 0;
    const LaneResult result = detail.function(instruction, inputs);
    write_operand(warp, detail.destinations[0], lane, extended(detail, result.value));
    write_operand(warp, detail.destinations[1], lane, result.second);
    if (instruction.carry_out) warp.carry = (warp.carry & ~(1u << lane)) | (result.carry ? 1u << lane : 0u);
  }
  return op + 1;
}

namespace {
std::uint32_t mask_a(Warp& warp, const MicroOp* op) {
  return *at<std::uint32_t>(warp, op->a) ^ ((op->immediate & 1) != 0 ? kAllLanes : 0);
}
std::uint32_t mask_b(Warp& warp, const MicroOp* op) {
  return *at<std::uint32_t>(warp, op->b) ^ ((op->immediate & 2) != 0 ? kAllLanes : 0);
}
}  // namespace

const MicroOp* predicate_move(Warp& warp, const MicroOp* op) {
  return set_mask(warp, op->d, mask_a(warp, op)), op + 1;
}
const MicroOp* predicate_not(Warp& warp, const MicroOp* op) {
  return set_mask(warp, op->d, ~mask_a(warp, op)), op + 1;
}
const MicroOp* predicate_and(Warp& warp, const MicroOp* op) {
  return set_mask(warp, op->d, mask_a(warp, op) & mask_b(warp, op)), op + 1;
}
const MicroOp* predicate_or(Warp& warp, const MicroOp* op) {
  return set_mask(warp, op->d, mask_a(warp, op) | mask_b(warp, op)), op + 1;
}
const MicroOp* predicate_xor(Warp& warp, const MicroOp* op) {
  return set_mask(warp, op->d, mask_a(warp, op) ^ mask_b(warp, op)), op + 1;
}

const MicroOp* compare_with_predicate(Warp& warp, const MicroOp* op) {
  // Read first: the comparison writes d, which may be the same register.
  const std::uint32_t other =
      *at<std::uint32_t>(warp, op->c) ^ ((op->immediate & kNegatedPredicate) != 0 ? kAllLanes : 0);
  (*static_cast<const Handler*>(op->detail))(warp, op);
  const std::uint32_t holds = *at<std::uint32_t>(warp, op->d);
  switch (static_cast<ptx::BoolOp>(op->immediate & 0xff)) {
    case ptx::BoolOp::none:
      break;
    case ptx::BoolOp::and_:
      set_mask(warp, op->d, holds & other);
      break;
    case ptx::BoolOp::or_:
      set_mask(warp, op->d, holds | other);
      break;
    case ptx::BoolOp::xor_:
      set_mask(warp, op->d, holds ^ other);
      break;
  }
  return op + 1;
}

const MicroOp* select_scalar(Warp& warp, const MicroOp* op) {
  const std::uint32_t chosen =
      (*at<std::uint32_t>(warp, op->c) ^ static_cast<std::uint32_t>(op->immediate)) & warp.active;
  if (chosen != 0 && chosen != warp.active) return stop(warp, op, Event::general);
  warp.worker->chosen[op->pc] += static_cast<std::uint64_t>(__builtin_popcount(chosen));
  const std::uint64_t value = *at<std::uint64_t>(warp, chosen != 0 ? op->a : op->b);
  *at<ScalarForm>(warp, op->d) = {value, 0};
  if (op->v != 0) store_vector(warp, op->v, (op->immediate & kSelect64) != 0 ? 8 : 4, value);
  return op + 1;
}

// mov.b64 {a, b}, d: the elements are the low to high parts of the source.
const MicroOp* unpack(Warp& warp, const MicroOp* op) {
  const PtxDetail& detail = *static_cast<const PtxDetail*>(op->detail);
  const auto& elements = detail.operands[0].elements;
  const int bits = ptx::size_in_bytes(detail.instruction->type) * 8 / static_cast<int>(elements.size());
  const std::uint64_t low = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  for (std::uint32_t mask = warp.exec; mask != 0; mask &= mask - 1) {
    const auto lane = static_cast<std::uint32_t>(__builtin_ctz(mask));
    std::uint64_t value = read_operand(warp, detail.operands[1].place, lane);
    for (const ColdOperand& element : elements) {
      write_operand(warp, element, lane, value & low);
      value = bits == 64 ? 0 : value >> bits;
    }
  }
  return op + 1;
}

// The clock counts the warp's own instructions: the same in every run.
const MicroOp* read_clock(Warp& warp, const MicroOp* op) {
  const std::uint64_t now = warp.executed + (op->pc - warp.range_start);
  const std::uint64_t value = op->b == 32 ? now >> 32 : now;
  const std::uint64_t narrowed = op->a == 8 ? value : value & 0xffffffffu;
  if (op->d != 0) *at<ScalarForm>(warp, op->d) = {narrowed, 0};
  for (std::uint32_t mask = op->d != 0 ? kAllLanes : warp.exec; mask != 0; mask &= mask - 1) {
    const auto lane = static_cast<std::uint32_t>(__builtin_ctz(mask));
    if (op->a == 8)
      at<std::uint64_t>(warp, op->v)[lane] = narrowed;
    else
      at<std::uint32_t>(warp, op->v)[lane] = static_cast<std::uint32_t>(narrowed);
  }
  return op + 1;
}

const MicroOp* no_operation(Warp&, const MicroOp* op) { return op + 1; }

const MicroOp* stop(Warp& warp, const MicroOp* op, Event event) {
  warp.event = event;
  warp.stopped_at = op;
  return nullptr;
}

}  // namespace warplens::emulator
