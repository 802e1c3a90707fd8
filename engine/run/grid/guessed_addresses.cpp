#include "engine/run/grid/guessed_addresses.hpp"

#include <algorithm>

#include "engine/emulator/flow/flow.hpp"

namespace warplens::run {
namespace {

using ptx::Instruction, ptx::Opcode, ptx::Operand, ptx::RegisterId;

bool is_guessed(const Instruction& i, const std::vector<std::string>& names,
                const std::set<std::string>& guessed) {
  if (i.opcode != Opcode::ld || i.space != ptx::Space::param || i.operands.size() < 2) return false;
  const Operand& from = i.operands[1];
  return from.kind == Operand::Kind::parameter_symbol && from.symbol < names.size() &&
         guessed.contains(names[from.symbol]);
}

bool is_loaded_number(const Instruction& i) {
  if (i.opcode == Opcode::atom) return true;
  const bool is_load = i.opcode == Opcode::ld || i.opcode == Opcode::ldu;
  const bool is_elsewhere = i.space != ptx::Space::param && i.space != ptx::Space::local;
  return is_load && is_elsewhere && !ptx::is_float(i.type);
}

// The registers whose values are computed from what these instructions give. Beside them nothing that comes from
// memory is.
template <class IsSource>
emulator::BitSet computed_from(const ptx::Function& function, bool through_predicates, IsSource is_source) {
  emulator::BitSet tainted(function.registers.size());
  std::vector<RegisterId> written, read;
  const auto counts = [&](RegisterId r) {
    return through_predicates || function.registers[r].type != ptx::Type::pred;
  };
  for (bool grew = true; grew;) {
    grew = false;
    for (const Instruction& i : function.code) {
      emulator::registers_of(i, written, read);
      const bool has_memory =
          std::ranges::any_of(i.operands, [](const Operand& operand) { return operand.is_memory; });
      const bool is = is_source(i) || (!has_memory && std::ranges::any_of(read, [&](RegisterId r) {
                        return counts(r) && tainted.test(r);
                      }));
      if (!is) continue;
      for (const RegisterId r : written) {
        if (!counts(r) || tainted.test(r)) continue;
        tainted.set(r);
        grew = true;
      }
    }
  }
  return tainted;
}

std::set<int> lines_of_addresses(const ptx::Function& function, const std::vector<int>& lines,
                                 const emulator::BitSet& tainted) {
  std::set<int> found;
  for (std::size_t pc = 0; pc < function.code.size() && pc < lines.size(); ++pc)
    for (const Operand& operand : function.code[pc].operands)
      if (operand.is_memory && operand.kind == Operand::Kind::address && tainted.test(operand.register_id))
        found.insert(lines[pc]);
  found.erase(0);
  return found;
}

// Of each instruction, whether it changes from turn to turn what was set before a loop whose end these registers
// decide: how often it does is as little known as they are.
std::vector<bool> counted_by_loops(const ptx::Function& function, const emulator::BitSet& tainted) {
  std::vector<bool> counted(function.code.size());
  std::vector<RegisterId> written, read;
  std::vector<int> writes(function.registers.size());  // instructions that write it
  for (const Instruction& i : function.code) {
    emulator::registers_of(i, written, read);
    for (const RegisterId r : written) ++writes[r];
  }
  for (std::size_t end = 0; end < function.code.size(); ++end) {
    const Instruction& branch = function.code[end];
    if (branch.opcode != Opcode::bra || !branch.predicated || !tainted.test(branch.guard)) continue;
    for (std::size_t pc = branch.operands.back().target; pc < end; ++pc) {
      emulator::registers_of(function.code[pc], written, read);
      if (std::ranges::any_of(written, [&](RegisterId r) { return writes[r] > 1; })) counted[pc] = true;
    }
  }
  return counted;
}

}  // namespace

std::set<int> lines_of_guessed_addresses(const ptx::Function& function, const std::vector<int>& lines,
                                         const std::vector<std::string>& names,
                                         const std::set<std::string>& guessed) {
  if (guessed.empty()) return {};
  const auto is_source = [&](const Instruction& i) { return is_guessed(i, names, guessed); };
  const std::vector<bool> counted = counted_by_loops(function, computed_from(function, true, is_source));
  return lines_of_addresses(function, lines, computed_from(function, false, [&](const Instruction& i) {
                              return is_source(i) ||
                                     counted[static_cast<std::size_t>(&i - function.code.data())];
                            }));
}

DataUse use_of_data(const ptx::Function& function, const std::vector<int>& lines) {
  const emulator::BitSet tainted = computed_from(function, true, is_loaded_number);
  const bool decides = std::ranges::any_of(
      function.code, [&](const Instruction& i) { return i.predicated && tainted.test(i.guard); });
  return {lines_of_addresses(function, lines, tainted), decides};
}

}  // namespace warplens::run
