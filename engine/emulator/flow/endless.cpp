#include "engine/emulator/flow/endless.hpp"

#include <algorithm>

namespace warplens::emulator {
namespace {

using ptx::Instruction, ptx::Opcode;

bool ends_thread(const Instruction& i) {
  return i.opcode == Opcode::ret || i.opcode == Opcode::exit || i.opcode == Opcode::trap ||
         i.opcode == Opcode::brkpt || i.opcode == Opcode::call;
}

// Behind the last instruction is the end, too: where it goes on, and where a jump leads beyond the code.
bool leaves_code(const ptx::Function& function, const BasicBlock& block) {
  const Instruction& last = function.code[block.end - 1];
  const auto is_beyond = [&](std::uint32_t pc) { return pc >= function.code.size(); };
  if (last.opcode == Opcode::bra && is_beyond(last.operands[0].target)) return true;
  if (last.opcode == Opcode::brx_idx)
    return std::ranges::any_of(function.branch_tables[last.operands.back().target].targets, is_beyond);
  return is_beyond(block.end) && (last.opcode != Opcode::bra || last.predicated);
}

bool may_end_in(const ptx::Function& function, const BasicBlock& block) {
  return leaves_code(function, block) ||
         std::any_of(function.code.begin() + block.begin, function.code.begin() + block.end, ends_thread);
}

}  // namespace

std::vector<bool> without_way_out(const ptx::Function& function, const Flow& flow) {
  const std::vector<BasicBlock>& blocks = flow.blocks();
  std::vector<bool> leads_out(blocks.size());
  for (std::size_t b = 0; b < blocks.size(); ++b) leads_out[b] = may_end_in(function, blocks[b]);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t b = blocks.size(); b-- > 0;) {
      if (leads_out[b]) continue;
      leads_out[b] = std::ranges::any_of(blocks[b].successors, [&](auto next) { return leads_out[next]; });
      changed |= leads_out[b];
    }
  }
  std::vector<bool> endless(function.code.size() + 1);
  for (std::size_t b = 0; b < blocks.size(); ++b)
    std::fill(endless.begin() + blocks[b].begin, endless.begin() + blocks[b].end, !leads_out[b]);
  return endless;
}

}  // namespace warplens::emulator
