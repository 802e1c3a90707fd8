#include "engine/emulator/flow/same_values.hpp"

#include <tuple>

#include "engine/emulator/flow/flow.hpp"

namespace warplens::emulator {
namespace {

using ptx::Instruction, ptx::Opcode, ptx::Operand;

constexpr int kDeepest = 12;

bool is_register(const Operand& operand) {
  return operand.kind == Operand::Kind::reg || operand.kind == Operand::Kind::address;
}

// Whether the same operands give the same result, wherever it stands.
bool follows_from_operands(const Instruction& i) {
  if (i.predicated || i.destinations != 1) return false;
  if (i.opcode == Opcode::ld) return i.space == ptx::Space::param || i.space == ptx::Space::constant;
  return i.opcode >= Opcode::abs && i.opcode <= Opcode::mapa && i.opcode != Opcode::addc &&
         i.opcode != Opcode::subc && i.opcode != Opcode::madc;
}

}  // namespace

SameValues::SameValues(const ptx::Function& function)
    : function_(function), written_at_(function.registers.size()) {
  std::vector<bool> is_known(function.registers.size());
  std::vector<ptx::RegisterId> written, read;
  for (std::uint32_t pc = 0; pc < function.code.size(); ++pc) {
    emulator::registers_of(function.code[pc], written, read);
    for (const ptx::RegisterId r : written) {
      written_at_[r] = is_known[r] ? 0 : pc + 1;
      is_known[r] = true;
    }
  }
}

const Instruction* SameValues::definition(const Operand& operand) const {
  if (!is_register(operand) || written_at_[operand.register_id] == 0) return nullptr;
  return &function_.code[written_at_[operand.register_id] - 1];
}

SameValues::Sum SameValues::sum_of(Operand operand) const {
  Sum sum{operand, 0};
  for (int times = 0; times < kDeepest; ++times) {
    if (sum.of.kind == Operand::Kind::address) sum.plus += sum.of.offset;
    const Instruction* made = definition(sum.of);
    if (made == nullptr || made->predicated) return sum;
    const bool is_copy = made->opcode == Opcode::mov || made->opcode == Opcode::cvta;
    const bool adds = made->opcode == Opcode::add && !ptx::is_float(made->type) &&
                      made->operands.size() == 3 && made->operands[2].kind == Operand::Kind::immediate;
    if ((!is_copy && !adds) || made->operands.size() < 2 || made->operands[1].kind == Operand::Kind::vector)
      return sum;
    if (adds) sum.plus += static_cast<std::int64_t>(made->operands[2].bits);
    sum.of = made->operands[1];
  }
  return sum;
}

bool SameValues::are_same(const Operand& a, const Operand& b, int depth) const {
  if (depth > kDeepest) return false;
  const Sum one = sum_of(a), other = sum_of(b);
  if (one.plus != other.plus) return false;
  if (is_register(one.of) && is_register(other.of)) {
    if (one.of.register_id == other.of.register_id) return true;
    const Instruction *first = definition(one.of), *second = definition(other.of);
    return first != nullptr && second != nullptr && are_computed_alike(*first, *second, depth);
  }
  return one.of.kind == other.of.kind && one.of.symbol == other.of.symbol && one.of.bits == other.of.bits &&
         one.of.special == other.of.special && one.of.offset == other.of.offset && one.of.elements.empty() &&
         other.of.elements.empty();
}

bool SameValues::are_computed_alike(const Instruction& a, const Instruction& b, int depth) const {
  const auto form = [](const Instruction& i) {
    return std::tuple(i.opcode, i.type, i.source_type, i.space, i.rounding, i.compare, i.bool_op, i.part,
                      i.permute, i.left, i.operands.size());
  };
  if (form(a) != form(b) || !follows_from_operands(a) || !follows_from_operands(b)) return false;
  for (std::size_t o = 1; o < a.operands.size(); ++o)
    if (!are_same(a.operands[o], b.operands[o], depth + 1)) return false;
  return true;
}

}  // namespace warplens::emulator
