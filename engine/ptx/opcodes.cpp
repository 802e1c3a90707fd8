#include "engine/ptx/opcodes.hpp"

#include <algorithm>

#include "engine/ptx/program.hpp"
#include "engine/ptx/types.hpp"

namespace warplens::ptx {

int size_in_bytes(Type type) { return type == Type::pred ? 0 : (row_of(type).bits + 7) / 8; }
bool is_float(Type type) { return row_of(type).kind == TypeKind::floating; }
bool is_signed(Type type) { return row_of(type).kind == TypeKind::signed_integer && row_of(type).bits >= 8; }
std::string_view name(Type type) { return row_of(type).name; }

bool reads_special(const Function& function, Special special) {
  return std::any_of(function.code.begin(), function.code.end(), [&](const Instruction& i) {
    return std::any_of(i.operands.begin(), i.operands.end(), [&](const Operand& operand) {
      return operand.kind == Operand::Kind::special && operand.special == special;
    });
  });
}

}  // namespace warplens::ptx
