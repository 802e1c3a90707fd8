#include "engine/emulator/flow/passed_values.hpp"

#include <utility>
#include <vector>

namespace warplens::emulator {
namespace {

using ptx::Function, ptx::Instruction, ptx::Opcode, ptx::Operand;

// Where an instruction's only memory operand stands; registers of a load, values of a store.
const Operand* whole_value(const Instruction& i) {
  if ((i.opcode != Opcode::ld && i.opcode != Opcode::st) || i.vector != 1 || i.operands.size() != 2)
    return nullptr;
  const Operand& place = i.operands[i.opcode == Opcode::ld ? 1 : 0];
  return place.kind == Operand::Kind::local_symbol && place.is_memory && place.offset == 0 ? &place : nullptr;
}

// Types of 4 and 8 bytes, whose registers hold nothing else.
bool fills_a_register(ptx::Type type, const ptx::Variable& variable) {
  const std::size_t bytes = ptx::size_in_bytes(type);
  return bytes == variable.size && (bytes == 4 || bytes == 8);
}

class Passed {
 public:
  explicit Passed(Function& function)
      : function_(function), types_(function.variables.size(), ptx::Type::none) {
    for (const ptx::Variable& variable : function.variables)
      is_number_.push_back(variable.space == ptx::Space::param);
  }

  void run() {
    for (const Instruction& i : function_.code) look_at(i);
    registers_.resize(types_.size());
    for (std::size_t v = 0; v < types_.size(); ++v)
      if (is_moved(v)) registers_[v] = add_register(v);
    for (Instruction& i : function_.code)
      if (const Operand* place = whole_value(i); place != nullptr && is_moved(place->symbol))
        move(i, place->symbol);
  }

 private:
  bool is_moved(std::size_t variable) const {
    return is_number_[variable] && types_[variable] != ptx::Type::none;
  }

  void look_at(const Instruction& i) {
    const Operand* const place = whole_value(i);
    if (place != nullptr && fills_a_register(i.type, function_.variables[place->symbol])) {
      types_[place->symbol] = i.type;
      // The value that a store writes may be an address.
      for (const Operand& operand : i.operands)
        if (&operand != place) rule_out(operand);
      return;
    }
    for (const Operand& operand : i.operands) rule_out(operand);
  }

  void rule_out(const Operand& operand) {
    if (operand.kind == Operand::Kind::local_symbol) is_number_[operand.symbol] = false;
    for (const Operand& element : operand.elements) rule_out(element);
  }

  ptx::RegisterId add_register(std::size_t variable) {
    function_.registers.push_back({"%" + function_.variables[variable].name, types_[variable]});
    return static_cast<ptx::RegisterId>(function_.registers.size() - 1);
  }

  void move(Instruction& i, std::size_t variable) const {
    Instruction moved;
    moved.opcode = Opcode::mov;
    moved.type = i.type;
    moved.predicated = i.predicated, moved.guard_negated = i.guard_negated, moved.guard = i.guard;
    moved.destinations = 1;
    moved.location = i.location, moved.ptx_line = i.ptx_line;
    Operand value;
    value.kind = Operand::Kind::reg;
    value.register_id = registers_[variable];
    moved.operands = i.opcode == Opcode::ld ? std::vector{std::move(i.operands[0]), value}
                                            : std::vector{value, std::move(i.operands[1])};
    i = std::move(moved);
  }

  Function& function_;
  std::vector<ptx::Type> types_;  // that each variable is read and written as; none: by nobody
  std::vector<bool> is_number_;   // of a call, and nothing seen that speaks against it
  std::vector<ptx::RegisterId> registers_;
};

}  // namespace

void pass_in_registers(Function& function) { Passed(function).run(); }

}  // namespace warplens::emulator
