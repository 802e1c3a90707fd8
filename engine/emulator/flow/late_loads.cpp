#include "engine/emulator/flow/late_loads.hpp"

#include <algorithm>
#include <set>

#include "engine/emulator/flow/address_values.hpp"

namespace warplens::emulator {

using ptx::Function, ptx::Instruction, ptx::Opcode, ptx::Space;

namespace {

// Lines of the PTX whose loads all stand behind the exit.
std::set<int> late_lines(const std::vector<IssuedAccess>& issued) {
  std::set<int> late, early;
  for (const IssuedAccess& access : issued)
    if (access.space == Space::global && !access.store)
      (access.behind_exit ? late : early).insert(access.ptx_line);
  for (const int line : early) late.erase(line);
  late.erase(0);
  return late;
}

bool leaves(const Function& flat, std::uint32_t pc) {
  return pc >= flat.code.size() || flat.code[pc].opcode == Opcode::ret ||
         flat.code[pc].opcode == Opcode::exit;
}

bool changes_memory(const Instruction& i) {
  return i.opcode == Opcode::st || i.opcode == Opcode::atom || i.opcode == Opcode::red || changes_shared(i);
}

// Whether the load at `pc` may be done after the branch at `guard` as well: nobody before it needs what it loads or
// changes what it reads.
bool may_wait(const Function& flat, std::uint32_t pc, std::uint32_t guard) {
  std::vector<ptx::RegisterId> loaded, address, written, read;
  registers_of(flat.code[pc], loaded, address);
  const auto has_any = [](const auto& of, const auto& these) {
    return std::ranges::find_first_of(of, these) != of.end();
  };
  for (std::uint32_t other = pc + 1; other <= guard; ++other) {
    const Instruction& i = flat.code[other];
    registers_of(i, written, read);
    if (changes_memory(i)) return false;
    if (has_any(read, loaded) || has_any(written, loaded) || has_any(written, address)) return false;
  }
  return true;
}

}  // namespace

void move_behind_the_guard(Function& flat, const std::vector<IssuedAccess>& issued) {
  const std::set<int> late = late_lines(issued);
  if (late.empty() || flat.code.empty()) return;
  const Flow flow(flat);
  std::uint32_t guard = flow.blocks().front().end - 1;
  const Instruction& branch = flat.code[guard];
  if (branch.opcode != Opcode::bra || !branch.predicated || !leaves(flat, branch.operands.front().target))
    return;
  const auto entered = std::ranges::count_if(flow.blocks(), [&](const BasicBlock& block) {
    return std::ranges::count(block.successors, flow.block_of(guard) + 1) > 0;
  });
  if (entered != 1) return;
  for (std::uint32_t pc = guard; pc-- > 0;) {  // a load that moves takes the guard one place up
    if (!is_global_load(flat.code[pc]) || flat.code[pc].predicated || !late.contains(flat.code[pc].ptx_line))
      continue;
    if (!may_wait(flat, pc, guard)) continue;
    const auto load = flat.code.begin() + pc;
    std::rotate(load, load + 1, flat.code.begin() + guard-- + 1);
  }
}

}  // namespace warplens::emulator
