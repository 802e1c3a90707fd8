#include "engine/run/grid/guessed_addresses.hpp"

#include <algorithm>

#include "engine/emulator/flow/flow.hpp"

namespace warplens::run {
namespace {

using ptx::Instruction, ptx::Opcode, ptx::Operand, ptx::RegisterId;

// As a guessed problem calls it: g_nx.
std::string in_problem(std::string_view name) {
  std::string plain;
  for (const char c : name)
    if (c != ']') plain += c == '.' || c == '[' ? '_' : c;
  return plain;
}

// Whether an instruction loads it, alone or with others.
bool loads(const Instruction& i, const ParameterName& name) {
  if (i.opcode != Opcode::ld || i.space != ptx::Space::param || i.operands.size() < 2) return false;
  const Operand& from = i.operands[1];
  const auto begin = static_cast<std::uint64_t>(from.offset),
             end = begin + ptx::size_in_bytes(i.type) * std::uint64_t{i.vector};
  return from.kind == Operand::Kind::parameter_symbol && from.symbol == name.parameter &&
         begin <= name.offset && name.offset < end;
}

bool is_guessed(const Instruction& i, const std::vector<ParameterName>& names,
                const std::set<std::string>& guessed) {
  return std::ranges::any_of(names, [&](const ParameterName& one) {
    return guessed.contains(in_problem(one.name)) && loads(i, one);
  });
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

// What addresses are made from: the arrays that a kernel's parameters point to.
class Arrays {
 public:
  Arrays(const ptx::Function& function, const std::vector<ParameterName>& names) : function_(function) {
    for (const ParameterName& one : names)
      add(one.name, [&](const Instruction& i) { return loads(i, one) && ptx::size_in_bytes(i.type) == 8; });
  }
  // Of the address of a memory operand; empty: not known, or of several.
  std::string of(const Operand& operand) const {
    std::string found;
    for (const auto& [name, registers] : arrays_) {
      if (!registers.test(operand.register_id)) continue;
      if (!found.empty()) return "";
      found = name;
    }
    return found;
  }

 private:
  void add(const std::string& name, const auto& is_source) {
    arrays_.emplace_back(name, computed_from(function_, false, is_source));
  }
  const ptx::Function& function_;
  std::vector<std::pair<std::string, emulator::BitSet>> arrays_;
};

AccessPlaces places_of(const ptx::Function& function, const std::vector<int>& lines, const Arrays& arrays,
                       const emulator::BitSet& tainted) {
  AccessPlaces found;
  for (std::size_t pc = 0; pc < function.code.size() && pc < lines.size(); ++pc)
    for (const Operand& operand : function.code[pc].operands) {
      if (!operand.is_memory || operand.kind != Operand::Kind::address || !tainted.test(operand.register_id))
        continue;
      const ptx::Space space = function.code[pc].space;
      const int line = line_of(function, pc, lines);
      if (space == ptx::Space::shared || space == ptx::Space::generic) found.add(line, kAnyShared);
      if (space != ptx::Space::shared) found.add(line, arrays.of(operand));
    }
  return found;
}

std::size_t place_of(const ptx::Function& function, const Instruction& i) {
  return static_cast<std::size_t>(&i - function.code.data());
}

// How often each register is written.
std::vector<int> count_writes(const ptx::Function& function) {
  std::vector<int> writes(function.registers.size());
  std::vector<RegisterId> written, read;
  for (const Instruction& i : function.code) {
    emulator::registers_of(i, written, read);
    for (const RegisterId r : written) ++writes[r];
  }
  return writes;
}

// Of each instruction, whether it changes from turn to turn what was set before a loop whose end these registers
// decide: how often it does is as little known as they are.
std::vector<bool> counted_by_loops(const ptx::Function& function, const emulator::BitSet& tainted) {
  std::vector<bool> counted(function.code.size());
  std::vector<RegisterId> written, read;
  const std::vector<int> writes = count_writes(function);
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

// Instructions by which loops count: each turn adds the same to a register, and no number that the loop reads decides
// how many turns there are.
std::vector<bool> counting(const ptx::Function& function) {
  std::vector<bool> counts(function.code.size());
  std::vector<RegisterId> written, read;
  for (std::size_t end = 0; end < function.code.size(); ++end) {
    const Instruction& branch = function.code[end];
    if (branch.opcode != Opcode::bra || !branch.predicated || branch.operands.back().target > end) continue;
    const std::size_t begin = branch.operands.back().target;
    const auto is_inside = [&](const Instruction& i) {
      const std::size_t pc = place_of(function, i);
      return pc >= begin && pc < end;
    };
    const emulator::BitSet of_loop =
        computed_from(function, true, [&](const Instruction& i) { return is_inside(i) && is_loaded(i); });
    const bool leaves_early =
        std::any_of(function.code.begin() + static_cast<std::ptrdiff_t>(begin),
                    function.code.begin() + static_cast<std::ptrdiff_t>(end), [&](const Instruction& i) {
                      return i.opcode == Opcode::bra && i.operands.back().target > end && i.predicated &&
                             of_loop.test(i.guard);
                    });
    if (of_loop.test(branch.guard) || leaves_early) continue;
    std::vector<int> writes(function.registers.size());
    for (std::size_t pc = begin; pc < end; ++pc) {
      emulator::registers_of(function.code[pc], written, read);
      for (const RegisterId r : written) ++writes[r];
    }
    const auto is_fixed = [&](const Operand& operand) {
      return operand.kind == Operand::Kind::immediate ||
             (operand.kind == Operand::Kind::reg && writes[operand.register_id] == 0);
    };
    for (std::size_t pc = begin; pc < end; ++pc) {
      const Instruction& i = function.code[pc];
      const bool adds = (i.opcode == Opcode::add || i.opcode == Opcode::sub) && !ptx::is_float(i.type) &&
                        !i.predicated && i.operands.size() == 3;
      counts[pc] = counts[pc] || (adds && i.operands[1].kind == Operand::Kind::reg &&
                                  i.operands[1].register_id == i.operands[0].register_id &&
                                  writes[i.operands[0].register_id] == 1 && is_fixed(i.operands[2]));
    }
  }
  return counts;
}

// The instructions that branches and guards on these registers decide about: what is passed over, or gone through once
// more. Behind a return all that follows is.
std::vector<bool> decided_by(const ptx::Function& function, const emulator::BitSet& tainted) {
  std::vector<bool> decided(function.code.size());
  const auto mark = [&](std::size_t begin, std::size_t end) {
    for (std::size_t pc = begin; pc < std::min(end, decided.size()); ++pc) decided[pc] = true;
  };
  // A way out of a loop decides about its next turns too.
  const auto turn_before = [&](std::size_t at, std::size_t target) {
    std::size_t first = at;
    for (std::size_t pc = at; pc < std::min(target, function.code.size()); ++pc)
      if (const Instruction& i = function.code[pc];
          i.opcode == Opcode::bra && i.operands.back().target < first)
        first = i.operands.back().target;
    return first;
  };
  for (std::size_t at = 0; at < function.code.size(); ++at) {
    const Instruction& i = function.code[at];
    if (!i.predicated || !tainted.test(i.guard)) continue;
    decided[at] = decided[at] || i.opcode != Opcode::bra;
    if (i.opcode == Opcode::ret || i.opcode == Opcode::exit)
      mark(turn_before(at, decided.size()), decided.size());
    if (i.opcode == Opcode::brx_idx) mark(0, decided.size());
    if (i.opcode != Opcode::bra) continue;
    const std::size_t target = i.operands.back().target;
    if (target <= at) {
      mark(target, at);
      continue;
    }
    mark(turn_before(at, target), target);
    // And the other side of an if.
    const Instruction& last = function.code[target - 1];
    if (last.opcode == Opcode::bra && !last.predicated) mark(target, last.operands.back().target);
  }
  return decided;
}

// The same of what branches forward on these registers pass over: whether it is changed is as little known. What is
// written nowhere else has no other value there, and what is read nowhere else has the one that it gets there.
void add_passed_over(const ptx::Function& function, const emulator::BitSet& tainted,
                     const std::vector<bool>& counts, std::vector<bool>& changed) {
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
    // Of a loop that is passed over as a whole, what it counts.
    const auto is_counter = [&](RegisterId r) {
      return std::ranges::any_of(writes[r],
                                 [&](std::size_t pc) { return pc > at && pc < end && counts[pc]; });
    };
    for (std::size_t pc = at + 1; pc < end; ++pc) {
      emulator::registers_of(function.code[pc], written, read);
      if (std::ranges::any_of(written, [&](RegisterId r) {
            return is_outside(writes[r]) && is_outside(reads[r]) && !is_counter(r);
          }))
        changed[pc] = true;
    }
  }
}

// The same of loops whose end is decided by what is changed in them.
void add_searching_loops(const ptx::Function& function, std::vector<bool>& changed) {
  constexpr std::size_t kMost = 20'000'000;  // instructions looked at
  std::size_t looked_at = 0;
  std::vector<RegisterId> written, read;
  const std::vector<int> writes = count_writes(function);
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

// The registers that are computed from what branches on data change.
emulator::BitSet found_by_search(const ptx::Function& function) {
  std::vector<bool> changed(function.code.size());
  const std::vector<bool> counts = counting(function);
  const auto is_changed = [&](const Instruction& i) { return changed[place_of(function, i)]; };
  for (std::ptrdiff_t known = -1; known < std::ranges::count(changed, true);) {
    known = std::ranges::count(changed, true);
    add_passed_over(
        function,
        computed_from(function, true, [&](const Instruction& i) { return is_loaded(i) || is_changed(i); }),
        counts, changed);
    add_searching_loops(function, changed);
  }
  return computed_from(function, false, is_changed);
}

}  // namespace

bool AccessPlaces::has(int line, std::string_view array) const {
  const auto found = arrays_.find(line);
  if (found == arrays_.end()) return false;
  return array.empty() || found->second.contains("") || found->second.contains(array);
}

AccessPlaces guessed_addresses(const ptx::Function& function, const std::vector<int>& lines,
                               const std::vector<ParameterName>& names,
                               const std::set<std::string>& guessed) {
  if (guessed.empty()) return {};
  const auto is_source = [&](const Instruction& i) { return is_guessed(i, names, guessed); };
  const std::vector<bool> counted = counted_by_loops(function, computed_from(function, true, is_source));
  const emulator::BitSet tainted = computed_from(
      function, false, [&](const Instruction& i) { return is_source(i) || counted[place_of(function, i)]; });
  return places_of(function, lines, Arrays(function, names), tainted);
}

UseOfNumber use_of_number(const ptx::Function& function, const std::vector<ParameterName>& places) {
  const auto is_source = [&](const Instruction& i) {
    return std::ranges::any_of(places, [&](const ParameterName& one) { return loads(i, one); });
  };
  const emulator::BitSet computed = computed_from(function, false, is_source);
  UseOfNumber use;
  std::vector<RegisterId> written, read;
  for (const Instruction& i : function.code) {
    use.is_loaded |= is_source(i);
    const bool compares = i.opcode == Opcode::setp || i.opcode == Opcode::set || i.opcode == Opcode::min ||
                          i.opcode == Opcode::max;
    if (!compares) continue;
    emulator::registers_of(i, written, read);
    use.is_compared |= std::ranges::any_of(read, [&](RegisterId r) { return computed.test(r); });
  }
  return use;
}

std::set<int> decided_by_numbers(const ptx::Function& function, const std::vector<int>& lines,
                                 const std::vector<ParameterName>& places) {
  const emulator::BitSet tainted = computed_from(function, true, [&](const Instruction& i) {
    return std::ranges::any_of(places, [&](const ParameterName& one) { return loads(i, one); });
  });
  const std::vector<bool> decided = decided_by(function, tainted);
  std::set<int> found;
  for (std::size_t pc = 0; pc < decided.size() && pc < lines.size(); ++pc) {
    const bool is_at = std::ranges::any_of(function.code[pc].operands, [&](const Operand& operand) {
      return operand.is_memory && operand.kind == Operand::Kind::address && tainted.test(operand.register_id);
    });
    if (decided[pc] || is_at) found.insert(line_of(function, pc, lines));
  }
  found.erase(0);
  return found;
}

DataUse use_of_data(const ptx::Function& function, const std::vector<int>& lines,
                    const std::vector<ParameterName>& names) {
  const emulator::BitSet tainted = computed_from(function, true, is_loaded_number);
  const Arrays arrays(function, names);
  DataUse use;
  use.addresses = places_of(function, lines, arrays, tainted);
  use.searched = places_of(function, lines, arrays, found_by_search(function));
  const std::vector<bool> decided = decided_by(function, tainted);
  for (std::size_t pc = 0; pc < decided.size() && pc < lines.size(); ++pc)
    if (decided[pc]) use.decided.insert(line_of(function, pc, lines));
  use.decided.erase(0);
  use.decides_paths = std::ranges::any_of(
      function.code, [&](const Instruction& i) { return i.predicated && tainted.test(i.guard); });
  return use;
}

}  // namespace warplens::run
