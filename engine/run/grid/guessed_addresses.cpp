#include "engine/run/grid/guessed_addresses.hpp"

#include <algorithm>
#include <optional>

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

bool is_loaded(const Instruction& i) {
  if (i.opcode == Opcode::atom) return true;
  const bool is_load = i.opcode == Opcode::ld || i.opcode == Opcode::ldu;
  return is_load && i.space != ptx::Space::param && i.space != ptx::Space::local;
}

bool is_loaded_number(const Instruction& i) {
  return is_loaded(i) && (i.opcode == Opcode::atom || !ptx::is_float(i.type));
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

// As findings have it: the innermost in the kernel's file, which may be of a function that is inlined there.
int line_of(const ptx::Function& function, std::size_t pc, const std::vector<int>& lines) {
  const auto place = [&](int at) { return function.locations[static_cast<std::size_t>(at)]; };
  int outermost = function.code[pc].location;
  while (outermost >= 0 && place(outermost).inlined_at >= 0) outermost = place(outermost).inlined_at;
  for (int at = function.code[pc].location; at >= 0; at = place(at).inlined_at)
    if (place(at).file == place(outermost).file) return place(at).line;
  return lines[pc];
}

std::set<int> lines_of_addresses(const ptx::Function& function, const std::vector<int>& lines,
                                 const emulator::BitSet& tainted,
                                 std::optional<ptx::Space> space = std::nullopt) {
  std::set<int> found;
  for (std::size_t pc = 0; pc < function.code.size() && pc < lines.size(); ++pc) {
    const Instruction& i = function.code[pc];
    if (space && i.space != *space && i.space != ptx::Space::generic) continue;
    for (const Operand& operand : i.operands)
      if (operand.is_memory && operand.kind == Operand::Kind::address && tainted.test(operand.register_id))
        found.insert(line_of(function, pc, lines));
  }
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

// The same of what branches forward on these registers pass over: whether it is changed is as little known. What is
// written nowhere else has no other value there, and what is read nowhere else has the one that it gets there.
void add_passed_over(const ptx::Function& function, const emulator::BitSet& tainted,
                     std::vector<bool>& changed) {
  std::vector<RegisterId> written, read;
  std::vector<std::vector<std::size_t>> writes(function.registers.size()), reads = writes;  // places
  for (std::size_t pc = 0; pc < function.code.size(); ++pc) {
    emulator::registers_of(function.code[pc], written, read);
    for (const RegisterId r : written) writes[r].push_back(pc);
    for (const RegisterId r : read) reads[r].push_back(pc);
  }
  for (std::size_t at = 0; at < function.code.size(); ++at) {
    const Instruction& branch = function.code[at];
    if (branch.opcode != Opcode::bra || !branch.predicated || !tainted.test(branch.guard)) continue;
    const std::size_t end = branch.operands.back().target;
    const auto is_outside = [&](const std::vector<std::size_t>& places) {
      return !places.empty() && (places.front() < at || places.back() >= end);
    };
    for (std::size_t pc = at + 1; pc < end; ++pc) {
      emulator::registers_of(function.code[pc], written, read);
      if (std::ranges::any_of(written,
                              [&](RegisterId r) { return is_outside(writes[r]) && is_outside(reads[r]); }))
        changed[pc] = true;
    }
  }
}

// The same of loops whose end is decided by what is changed in them.
void add_searching_loops(const ptx::Function& function, std::vector<bool>& changed) {
  constexpr std::size_t kMost = 20'000'000;  // instructions looked at
  std::size_t looked_at = 0;
  std::vector<RegisterId> written, read;
  std::vector<int> writes(function.registers.size());
  for (const Instruction& i : function.code) {
    emulator::registers_of(i, written, read);
    for (const RegisterId r : written) ++writes[r];
  }
  for (std::size_t end = 0; end < function.code.size(); ++end) {
    const Instruction& branch = function.code[end];
    if (branch.opcode != Opcode::bra || !branch.predicated || branch.operands.back().target > end) continue;
    if ((looked_at += function.code.size()) > kMost) return;
    const std::size_t begin = branch.operands.back().target;
    const emulator::BitSet own = computed_from(function, true, [&](const Instruction& i) {
      const auto pc = static_cast<std::size_t>(&i - function.code.data());
      return pc >= begin && pc < end && changed[pc];
    });
    if (!own.test(branch.guard)) continue;
    for (std::size_t pc = begin; pc < end; ++pc) {
      emulator::registers_of(function.code[pc], written, read);
      if (std::ranges::any_of(written, [&](RegisterId r) { return writes[r] > 1; })) changed[pc] = true;
    }
  }
}

// Lines of accesses whose addresses are computed from what branches on data change.
DataUse::Searched lines_of_searches(const ptx::Function& function, const std::vector<int>& lines) {
  std::vector<bool> changed(function.code.size());
  const auto is_changed = [&](const Instruction& i) {
    return changed[static_cast<std::size_t>(&i - function.code.data())];
  };
  for (std::ptrdiff_t known = -1; known < std::ranges::count(changed, true);) {
    known = std::ranges::count(changed, true);
    add_passed_over(
        function,
        computed_from(function, true, [&](const Instruction& i) { return is_loaded(i) || is_changed(i); }),
        changed);
    add_searching_loops(function, changed);
  }
  const emulator::BitSet tainted = computed_from(function, false, is_changed);
  return {lines_of_addresses(function, lines, tainted, ptx::Space::global),
          lines_of_addresses(function, lines, tainted, ptx::Space::shared)};
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
  return {lines_of_addresses(function, lines, tainted), decides, lines_of_searches(function, lines)};
}

}  // namespace warplens::run
