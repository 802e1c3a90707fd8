#include "engine/emulator/flow/low_bits.hpp"

#include <algorithm>
#include <bit>

#include "engine/emulator/flow/flow.hpp"

namespace warplens::emulator {

using ptx::Instruction, ptx::Opcode, ptx::Operand;

LowBits low_bits(int known, std::uint64_t value) {
  known = std::clamp(known, 0, LowBits::kMost);
  return {known, value & ((std::uint64_t{1} << known) - 1)};
}

LowBits add(LowBits a, LowBits b) { return low_bits(std::min(a.known, b.known), a.value + b.value); }

namespace {

LowBits constant(std::uint64_t value) { return low_bits(LowBits::kMost, value); }
LowBits unknown() { return low_bits(0, 0); }

int trailing_zeros(LowBits a) {  // low bits known to be 0
  return std::min(a.known,
                  static_cast<int>(std::countr_zero(a.value | (std::uint64_t{1} << LowBits::kMost))));
}

// Only how many low bits are 0.
LowBits zeros(LowBits a) { return low_bits(trailing_zeros(a), 0); }

// What two definitions agree on. The residue is lost: a pointer that starts at 4 and moves by 8 is taken to
// be aligned to 4, and no more is known of it.
LowBits join(LowBits a, LowBits b) { return low_bits(std::min(trailing_zeros(a), trailing_zeros(b)), 0); }

LowBits subtract(LowBits a, LowBits b) { return low_bits(std::min(a.known, b.known), a.value - b.value); }

LowBits multiply(LowBits a, LowBits b) {
  // (a + 2^ka x)(b + 2^kb y): known up to min(ka + tz(b), kb + tz(a)).
  return low_bits(std::min(a.known + trailing_zeros(b), b.known + trailing_zeros(a)), a.value * b.value);
}

LowBits both(LowBits a, LowBits b) {  // a & b: a zero of one is a zero of the result
  LowBits result = low_bits(std::min(a.known, b.known), a.value & b.value);
  const LowBits& wider = a.known > b.known ? a : b;
  while (result.known < wider.known && ((wider.value >> result.known) & 1) == 0) ++result.known;
  return result;
}

// A shift, or the place of a bit field: a power of two where it is a known constant.
LowBits power_of_two(LowBits n) {
  if (n.known != LowBits::kMost || n.value >= 32) return unknown();
  return constant(n.value >= LowBits::kMost ? 0 : std::uint64_t{1} << n.value);
}

}  // namespace

Alignment::Alignment(const ptx::Function& function, const SharedLayout& layout)
    : layout_(layout), bits_(function.registers.size()), definitions_(function.registers.size(), 0) {
  std::vector<ptx::RegisterId> written, read;
  for (const Instruction& instruction : function.code) {
    registers_of(instruction, written, read);
    for (auto r : written) definitions_[r] += instruction.predicated ? 2 : 1;
  }
  for (int round = 0; round < 16; ++round) {
    bool changed = false;
    for (const Instruction& instruction : function.code) changed |= visit(instruction);
    if (!changed) return;
  }
  std::fill(bits_.begin(), bits_.end(), unknown());  // no fixed point in sight: know nothing
}

LowBits Alignment::of(const Operand& operand) const {
  const auto offset = static_cast<std::uint64_t>(operand.offset);
  switch (operand.kind) {
    case Operand::Kind::reg:
    case Operand::Kind::address:
      return bits_[operand.register_id];
    case Operand::Kind::immediate:
      return constant(operand.bits);
    case Operand::Kind::global_symbol:
      return constant(layout_.module_offset(operand.symbol) + offset);
    case Operand::Kind::local_symbol:
      return constant(layout_.function_offset(operand.symbol) + offset);
    default:
      return unknown();
  }
}

bool Alignment::visit(const Instruction& i) {
  if (i.destinations == 0 || i.operands.empty()) return false;
  if (i.destinations == 1 && i.operands[0].kind == Operand::Kind::reg)
    return merge(i.operands[0].register_id, value(i));
  bool changed = false;
  for (std::size_t d = 0; d < i.destinations; ++d) {
    if (i.operands[d].kind == Operand::Kind::reg) changed |= merge(i.operands[d].register_id, unknown());
    for (const Operand& e : i.operands[d].elements)
      if (e.kind == Operand::Kind::reg) changed |= merge(e.register_id, unknown());
  }
  return changed;
}

bool Alignment::merge(ptx::RegisterId id, LowBits value) {
  if (value.known < 0) return false;
  const bool several = definitions_[id] > 1;
  const LowBits merged = !several ? value : bits_[id].known < 0 ? zeros(value) : join(bits_[id], value);
  if (merged == bits_[id]) return false;
  bits_[id] = merged;
  return true;
}

LowBits Alignment::product(const Instruction& i, LowBits a, LowBits b) const {
  return i.part == ptx::MulPart::hi || ptx::is_float(i.type) ? unknown() : multiply(a, b);
}

LowBits Alignment::value(const Instruction& i) const {
  // A constant that is added last is kept apart, as the offset of the access will be; otherwise only zeros
  // are known.
  const auto exact = [&](std::size_t s) { return s < i.operands.size() ? of(i.operands[s]) : constant(0); };
  const auto is_constant = [&](std::size_t s) {
    return s >= i.operands.size() || i.operands[s].kind == Operand::Kind::immediate;
  };
  if (exact(1).known < 0 || exact(2).known < 0 || exact(3).known < 0) return {};
  const auto source = [&](std::size_t s) { return is_constant(s) ? exact(s) : zeros(exact(s)); };
  const LowBits a = source(1), b = source(2), c = source(3);
  switch (i.opcode) {
    case Opcode::mov:
    case Opcode::cvta:
      return exact(1);
    case Opcode::cvt:
      if (ptx::is_float(i.type) || ptx::is_float(i.source_type)) return unknown();
      return ptx::size_in_bytes(i.type) <= ptx::size_in_bytes(i.source_type) ? exact(1) : a;
    case Opcode::add:
      return is_constant(2) ? add(exact(1), b) : is_constant(1) ? add(a, exact(2)) : add(a, b);
    case Opcode::sub:
      return is_constant(2) ? subtract(exact(1), b) : zeros(subtract(a, b));
    case Opcode::neg:
      return subtract(constant(0), a);
    case Opcode::not_:
      return subtract(constant(~std::uint64_t{0}), exact(1));
    case Opcode::mul:
    case Opcode::mul24:
      return product(i, a, b);
    case Opcode::mad:
    case Opcode::mad24:
      return zeros(add(product(i, a, b), c));
    case Opcode::shl:
      return power_of_two(b).known == 0 ? unknown() : multiply(a, power_of_two(b));
    case Opcode::bfi:  // below the field the bits are those of the second operand
      return low_bits(std::min(b.known, c.known == LowBits::kMost ? static_cast<int>(c.value) : 0), b.value);
    case Opcode::and_:
      return zeros(both(exact(1), exact(2)));
    case Opcode::or_:
      return zeros(low_bits(std::min(a.known, b.known), a.value | b.value));
    case Opcode::xor_:
      return zeros(low_bits(std::min(a.known, b.known), a.value ^ b.value));
    case Opcode::selp:
      return join(a, b);
    default:
      return unknown();
  }
}

}  // namespace warplens::emulator
