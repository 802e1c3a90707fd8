#include "engine/run/grid/moved_constants.hpp"

#include <map>

#include "engine/emulator/flow/flow.hpp"

namespace warplens::run {
namespace {

using ptx::Instruction, ptx::Operand;

bool moves(const Instruction& i, Operand::Kind from) {
  return i.opcode == ptx::Opcode::mov && i.operands[0].kind == Operand::Kind::reg &&
         i.operands[1].kind == from;
}

}  // namespace

ptx::Function with_moved_constants(const ptx::Function& function) {
  ptx::Function result = function;
  const emulator::Flow flow(function);
  std::vector<ptx::RegisterId> written, read;
  for (const emulator::BasicBlock& block : flow.blocks()) {
    std::map<ptx::RegisterId, Operand> constants;
    for (std::uint32_t pc = block.begin; pc < block.end; ++pc) {
      Instruction& i = result.code[pc];
      if (moves(i, Operand::Kind::reg))
        if (const auto found = constants.find(i.operands[1].register_id); found != constants.end())
          i.operands[1] = found->second;
      emulator::registers_of(i, written, read);
      for (const ptx::RegisterId one : written) constants.erase(one);
      if (moves(i, Operand::Kind::immediate) && !i.predicated)
        constants[i.operands[0].register_id] = i.operands[1];
    }
  }
  return result;
}

}  // namespace warplens::run
