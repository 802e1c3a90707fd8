#include "engine/emulator/flow/repeated_loads.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "engine/emulator/flow/address_values.hpp"

namespace warplens::emulator {

using ptx::Function, ptx::Instruction, ptx::Opcode, ptx::Operand, ptx::Space;

namespace {

// The lines of the PTX of which the machine code has loads from global memory; nothing where one has no line.
std::optional<std::set<int>> loaded_lines(const std::vector<IssuedAccess>& issued) {
  std::set<int> lines;
  for (const IssuedAccess& access : issued) {
    if (access.space != Space::global || access.store) continue;
    if (access.ptx_line == 0) return std::nullopt;
    lines.insert(access.ptx_line);
  }
  return lines;
}

// How often each register is written.
std::vector<int> times_written(const Function& flat) {
  std::vector<int> times(flat.registers.size());
  std::vector<ptx::RegisterId> written, read;
  for (const Instruction& i : flat.code) {
    registers_of(i, written, read);
    for (const ptx::RegisterId one : written) ++times[one];
  }
  return times;
}

bool reads_the_same(const Instruction& a, const Instruction& b) {
  const Operand &from = a.operands[1], &other = b.operands[1];
  return from.kind == other.kind && from.register_id == other.register_id && from.offset == other.offset &&
         width_of(a) == width_of(b);
}

}  // namespace

std::map<std::uint32_t, std::uint32_t> repeated_loads(const Function& flat,
                                                      const std::vector<IssuedAccess>& issued) {
  std::map<std::uint32_t, std::uint32_t> repeated;
  const auto lines = loaded_lines(issued);
  std::vector<std::uint32_t> issued_here, silent;
  for (std::uint32_t pc = 0; lines && pc < flat.code.size(); ++pc)
    if (is_global_load(flat.code[pc]))
      (lines->contains(flat.code[pc].ptx_line) ? issued_here : silent).push_back(pc);
  if (silent.empty() || issued_here.empty()) return repeated;
  const Flow flow(flat);
  const Dominators dominators(flow);
  const std::vector<int> times = times_written(flat);
  const auto serves = [&](std::uint32_t first, std::uint32_t later) {
    const std::uint32_t a = flow.block_of(first), b = flow.block_of(later);
    if (flat.code[first].predicated || !dominators.reachable(a) || !dominators.reachable(b)) return false;
    return (a == b ? first < later : dominators.dominates(a, b)) &&
           reads_the_same(flat.code[first], flat.code[later]);
  };
  for (const std::uint32_t pc : silent) {
    const Operand& address = flat.code[pc].operands[1];
    const bool in_register = address.kind == Operand::Kind::address || address.kind == Operand::Kind::reg;
    if (!in_register || times[address.register_id] != 1) continue;
    const auto first = std::ranges::find_if(issued_here, [&](std::uint32_t one) { return serves(one, pc); });
    if (first != issued_here.end()) repeated[pc] = *first;
  }
  return repeated;
}

}  // namespace warplens::emulator
