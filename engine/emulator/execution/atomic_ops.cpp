// atom and red: lane after lane, in ascending order.
#include <type_traits>

#include "engine/emulator/execution/operands.hpp"
#include "engine/emulator/lowering/lowering.hpp"

namespace warplens::emulator {

using ptx::AtomicOp, ptx::Type;

namespace {

template <class T>
std::uint64_t integer_update(AtomicOp op, std::uint64_t old_bits, std::uint64_t b_bits,
                             std::uint64_t c_bits) {
  const T old = static_cast<T>(old_bits), b = static_cast<T>(b_bits), c = static_cast<T>(c_bits);
  using U = std::make_unsigned_t<T>;
  switch (op) {
    case AtomicOp::add:
      return static_cast<U>(static_cast<U>(old) + static_cast<U>(b));
    case AtomicOp::min:
      return static_cast<U>(old < b ? old : b);
    case AtomicOp::max:
      return static_cast<U>(old > b ? old : b);
    case AtomicOp::and_:
      return static_cast<U>(old & b);
    case AtomicOp::or_:
      return static_cast<U>(old | b);
    case AtomicOp::xor_:
      return static_cast<U>(old ^ b);
    case AtomicOp::inc:
      return static_cast<U>(static_cast<U>(old) >= static_cast<U>(b) ? 0 : static_cast<U>(old) + 1);
    case AtomicOp::dec:
      return static_cast<U>(old == 0 || static_cast<U>(old) > static_cast<U>(b) ? static_cast<U>(b)
                                                                                : static_cast<U>(old) - 1);
    case AtomicOp::exch:
      return static_cast<U>(b);
    case AtomicOp::cas:
      return static_cast<U>(old == b ? c : old);
    default:
      return static_cast<U>(old);
  }
}

// The arithmetic of a float atomic is that of the instruction add (min, max) of its type.
std::uint64_t float_update(const ptx::Instruction& i, std::uint64_t old, std::uint64_t b) {
  ptx::Instruction arithmetic;
  arithmetic.opcode = i.atomic == AtomicOp::min   ? ptx::Opcode::min
                      : i.atomic == AtomicOp::max ? ptx::Opcode::max
                                                  : ptx::Opcode::add;
  arithmetic.type = i.type;
  arithmetic.destinations = 1;
  arithmetic.operands.resize(3);
  const LaneFunction function = lane_function(arithmetic);
  return function == nullptr ? old : function(arithmetic, {old, b, 0, 0, false}).value;
}

bool is_bits(AtomicOp op) { return op == AtomicOp::exch || op == AtomicOp::cas; }

std::uint64_t updated(const ptx::Instruction& i, std::uint64_t old, std::uint64_t b, std::uint64_t c) {
  if (ptx::is_float(i.type) && !is_bits(i.atomic)) return float_update(i, old, b);
  switch (i.type) {
    case Type::s32:
      return integer_update<std::int32_t>(i.atomic, old, b, c);
    case Type::s64:
      return integer_update<std::int64_t>(i.atomic, old, b, c);
    case Type::b16:
    case Type::u16:
      return integer_update<std::uint16_t>(i.atomic, old, b, c);
    default:
      return ptx::size_in_bytes(i.type) == 8 ? integer_update<std::uint64_t>(i.atomic, old, b, c)
                                             : integer_update<std::uint32_t>(i.atomic, old, b, c);
  }
}

// Other blocks may update the same word at the same time, on another thread of the host.
template <class T>
std::uint64_t exchange(std::byte* host, const ptx::Instruction& i, std::uint64_t b, std::uint64_t c) {
  T* word = reinterpret_cast<T*>(host);
  T old = __atomic_load_n(word, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(word, &old, static_cast<T>(updated(i, old, b, c)), false,
                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
  return old;
}

const MicroOp* atomic(Warp& warp, const MicroOp* op) {
  const PtxDetail& detail = *static_cast<const PtxDetail*>(op->detail);
  const ptx::Instruction& i = *detail.instruction;
  const std::size_t memory = i.destinations;
  const int bytes = ptx::size_in_bytes(i.type), width = bytes * i.vector;
  const auto address = addresses_of(warp, detail.operands[memory], warp.exec);
  const auto element = [&](std::size_t operand, std::size_t e) -> const ColdOperand& {
    const OperandPlace& place = detail.operands[operand];
    return place.elements.empty() ? place.place : place.elements[e];
  };
  static constexpr ColdOperand kNone;
  for (std::uint32_t lanes = warp.exec; lanes != 0;) {
    LaneAccess access;
    if (!resolve(warp, op, i.space, lanes, address, width, true, true, access, lanes)) return nullptr;
    if (check_initialised(warp, op, access, width) == nullptr) return nullptr;
    for_each_lane(access.active, [&](std::uint32_t lane) {
      for (std::size_t e = 0; e < i.vector; ++e) {
        const std::uint64_t b = read_operand(warp, element(memory + 1, e), lane);
        const std::uint64_t c =
            detail.operands.size() > memory + 2 ? read_operand(warp, element(memory + 2, e), lane) : 0;
        std::byte* host = access.host[lane] + e * static_cast<std::size_t>(bytes);
        const std::uint64_t old = update_element(host, i, b, c);
        if (access.space == ptx::Space::shared)
          mark_written(warp, access.address[lane] + e * static_cast<std::size_t>(bytes), host, bytes);
        write_operand(warp, memory == 0 ? kNone : element(0, e), lane, old);
      }
    });
    const auto counted = without_elsewhere(counted_access(access, width, AccessKind::atomic), access.space,
                                           AccessKind::atomic);
    count(warp, detail.site, op->pc, access, width, AccessKind::atomic,
          atomic_units(counted, i, access.space, *warp.worker->device));
  }
  return op + 1;
}

}  // namespace

std::uint64_t update_element(std::byte* host, const ptx::Instruction& i, std::uint64_t b, std::uint64_t c) {
  switch (ptx::size_in_bytes(i.type)) {
    case 1:
      return exchange<std::uint8_t>(host, i, b, c);
    case 2:
      return exchange<std::uint16_t>(host, i, b, c);
    case 8:
      return exchange<std::uint64_t>(host, i, b, c);
    default:
      return exchange<std::uint32_t>(host, i, b, c);
  }
}

Handler atomic_handler(const ptx::Instruction& i) {
  if (i.opcode != ptx::Opcode::atom && i.opcode != ptx::Opcode::red) return nullptr;
  if (i.type == Type::b128 || ptx::size_in_bytes(i.type) < 2) return nullptr;
  if (ptx::is_float(i.type) && !is_bits(i.atomic)) {
    ptx::Instruction probe;
    probe.opcode = i.atomic == AtomicOp::min   ? ptx::Opcode::min
                   : i.atomic == AtomicOp::max ? ptx::Opcode::max
                                               : ptx::Opcode::add;
    probe.type = i.type;
    probe.destinations = 1;
    probe.operands.resize(3);
    if (lane_function(probe) == nullptr) return nullptr;
  }
  return atomic;
}

}  // namespace warplens::emulator
