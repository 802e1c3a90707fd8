#include "engine/ptx/testing/check.hpp"

namespace warplens::ptx {
namespace {

bool is_good(const Operand& operand, const Function& function, const Program& program) {
  using Kind = Operand::Kind;
  switch (operand.kind) {
    case Kind::reg:
    case Kind::address:
      return operand.register_id < function.registers.size();
    case Kind::global_symbol:
      return operand.symbol < program.variables.size();
    case Kind::local_symbol:
      return operand.symbol < function.variables.size();
    case Kind::parameter_symbol:
      return operand.symbol < function.parameters.size();
    case Kind::function:
      return operand.symbol < program.functions.size();
    default:
      return operand.kind != Kind::none;
  }
}

bool is_good(const Instruction& instruction, const Function& function, const Program& program) {
  if (instruction.destinations > instruction.operands.size()) return false;
  if (instruction.predicated && (instruction.guard >= function.registers.size() ||
                                 function.registers[instruction.guard].type != Type::pred))
    return false;
  if (instruction.location >= static_cast<std::int32_t>(function.locations.size())) return false;
  for (const Operand& operand : instruction.operands) {
    if (!is_good(operand, function, program)) return false;
    for (const Operand& element : operand.elements)
      if (!is_good(element, function, program) || element.kind == Operand::Kind::vector) return false;
    if (operand.kind != Operand::Kind::label) continue;
    const bool table = instruction.opcode == Opcode::brx_idx;
    if (table ? operand.target >= function.branch_tables.size() : operand.target > function.code.size())
      return false;
  }
  return true;
}

bool is_good(const Variable& variable, const Program& program) {
  if (!variable.initial.empty() && variable.initial.size() != variable.size) return false;
  for (const Relocation& relocation : variable.relocations) {
    const std::size_t symbols = relocation.function ? program.functions.size() : program.variables.size();
    if (relocation.symbol >= symbols || relocation.offset + 8 > variable.size) return false;
  }
  return variable.alignment != 0 && (variable.alignment & (variable.alignment - 1)) == 0;
}

std::string find_broken_index(const Function& function, const Program& program) {
  for (const Instruction& instruction : function.code)
    if (!is_good(instruction, function, program))
      return function.name + ": the instruction of line " + std::to_string(instruction.ptx_line);
  for (const BranchTable& table : function.branch_tables)
    for (const std::uint32_t target : table.targets)
      if (target > function.code.size()) return function.name + ": a branch table";
  // A call's place comes before the location inlined at it, so following them ends.
  for (std::size_t i = 0; i < function.locations.size(); ++i)
    if (function.locations[i].inlined_at >= static_cast<int>(i) ||
        function.locations[i].file >= static_cast<int>(program.files.size()))
      return function.name + ": a source location";
  for (const Variable& variable : function.variables)
    if (!is_good(variable, program)) return function.name + ": the variable " + variable.name;
  if (function.return_count > function.parameters.size()) return function.name + ": its return values";
  return {};
}

}  // namespace

std::string find_broken_index(const Program& program) {
  for (const Variable& variable : program.variables)
    if (!is_good(variable, program)) return "the variable " + variable.name;
  for (const Function& function : program.functions) {
    std::string broken = find_broken_index(function, program);
    if (!broken.empty()) return broken;
  }
  return {};
}

}  // namespace warplens::ptx
