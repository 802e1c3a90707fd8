#include "engine/ptx/print.hpp"

#include <fmt/format.h>

#include "engine/ptx/modifiers.hpp"
#include "engine/ptx/specials.hpp"

namespace warplens::ptx {
namespace {

class Printer {
 public:
  Printer(const Instruction& instruction, const Function& function, const Program& program)
      : in_(instruction), function_(function), program_(program) {}

  std::string print() {
    if (in_.predicated)
      text_ += fmt::format("@{}{} ", in_.guard_negated ? "!" : "", register_name(in_.guard));
    text_ += name(in_.opcode);
    modifiers();
    if (in_.opcode == Opcode::call && in_.operands.size() == 3)
      call();
    else
      operands();
    return std::move(text_);
  }

 private:
  void word(Group group, auto value) { text_ += word_of(group, static_cast<std::uint8_t>(value)); }
  void flag(bool set, std::string_view text) {
    if (set) text_ += text;
  }

  void modifiers() {
    const Groups required = required_groups(in_.opcode);
    word(Group::fragment, in_.fragment);
    flag((required & bit(Group::sync)) != 0, ".sync");
    flag(in_.uniform, ".uni");
    flag(in_.is_volatile, ".volatile");
    flag(in_.to_space, ".to");
    if (in_.space != Space::generic) word(Group::space, in_.space);
    word(Group::cache, in_.cache);
    shape();
    word(Group::layout, in_.layout_a);
    word(Group::layout, in_.layout_b);
    if (in_.dimensions != 0) word(Group::dimension, in_.dimensions);
    if (in_.matrix_count != 0) word(Group::count, in_.matrix_count);
    flag(in_.transposed, ".trans");
    word(Group::atomic, in_.atomic);
    word(Group::lane, in_.lane_mode);
    word(Group::compare, in_.compare);
    word(Group::bool_op, in_.bool_op);
    word(Group::test, in_.test);
    word(Group::permute, in_.permute);
    word(Group::part, in_.part);
    if ((required & bit(Group::direction)) != 0) word(Group::direction, in_.left);
    if ((required & bit(Group::wrap)) != 0) word(Group::wrap, in_.clamp);
    arithmetic();
    if (in_.vector > 1) word(Group::vector, in_.vector);
    types();
  }

  void arithmetic() {
    flag(in_.shift_amount, ".shiftamt");
    flag(in_.carry_out, ".cc");
    flag(in_.approximate, ".approx");
    flag(in_.full_range, ".full");
    word(Group::rounding, in_.rounding);
    flag(in_.ftz, ".ftz");
    flag(in_.saturate, ".sat");
    flag(in_.saturate_finite, ".satfinite");
    flag(in_.relu, ".relu");
    flag(in_.nan, ".NaN");
    flag(in_.xor_sign_abs, ".xorsign.abs");
  }

  void shape() {
    if (in_.shape[0] == 0) return;
    text_ += fmt::format(".m{}n{}", in_.shape[0], in_.shape[1]);
    if (in_.shape[2] != 0) text_ += fmt::format("k{}", in_.shape[2]);
  }

  void type(Type type) {
    if (type != Type::none) text_ += fmt::format(".{}", name(type));
  }

  void types() {
    if (in_.matrix_types[0] == Type::none) {
      type(in_.type);
      type(in_.source_type);
    } else {
      for (const Type each : in_.matrix_types) type(each);
    }
  }

  void operands() {
    for (std::size_t i = 0; i < in_.operands.size(); ++i) {
      const bool second = i == 1 && in_.destinations == 2;
      text_ += i == 0 ? " " : second ? "|" : ", ";
      operand(in_.operands[i]);
    }
  }

  void call() {
    text_ += ' ';
    if (!in_.operands[0].elements.empty()) {
      list(in_.operands[0].elements, '(', ')');
      text_ += ", ";
    }
    operand(in_.operands[1]);
    text_ += ", ";
    list(in_.operands[2].elements, '(', ')');
  }

  void list(const std::vector<Operand>& elements, char open, char close) {
    text_ += open;
    for (std::size_t i = 0; i < elements.size(); ++i) {
      if (i != 0) text_ += ", ";
      scalar(elements[i]);
    }
    text_ += close;
  }

  void operand(const Operand& operand) {
    if (operand.kind == Operand::Kind::vector)
      list(operand.elements, '{', '}');
    else
      scalar(operand);
  }

  void scalar(const Operand& operand) {
    flag(operand.negated, "!");
    flag(operand.is_memory, "[");
    base(operand);
    if (operand.offset != 0) text_ += fmt::format("{:+}", operand.offset);
    if (operand.is_memory && !operand.elements.empty()) {
      text_ += ", ";
      list(operand.elements, '{', '}');
    }
    flag(operand.is_memory, "]");
  }

  void base(const Operand& operand) {
    switch (operand.kind) {
      case Operand::Kind::reg:
      case Operand::Kind::address:
        text_ += register_name(operand.register_id);
        break;
      case Operand::Kind::immediate:
        immediate(operand);
        break;
      case Operand::Kind::special:
        text_ += special_name(operand.special);
        break;
      case Operand::Kind::global_symbol:
        text_ += program_.variables[operand.symbol].name;
        break;
      case Operand::Kind::local_symbol:
        text_ += function_.variables[operand.symbol].name;
        break;
      case Operand::Kind::parameter_symbol:
        text_ += function_.parameters[operand.symbol].name;
        break;
      case Operand::Kind::function:
        text_ += program_.functions[operand.symbol].name;
        break;
      case Operand::Kind::label:
        text_ += fmt::format("{}{}", in_.opcode == Opcode::brx_idx ? 'T' : 'L', operand.target);
        break;
      case Operand::Kind::sink:
        text_ += '_';
        break;
      case Operand::Kind::none:
      case Operand::Kind::vector:
        break;
    }
  }

  // Floats as their bits, signed numbers in decimal, what is large in hexadecimal.
  void immediate(const Operand& operand) {
    const bool second =
        in_.source_type != Type::none && (in_.opcode != Opcode::slct || &operand == &in_.operands.back());
    // Scales, majors and selectors; bytes of a copy.
    const bool counts = in_.matrix_types[0] != Type::none || in_.opcode == Opcode::cp_reduce_async_bulk;
    const Type type = counts ? Type::u32 : second ? in_.source_type : in_.type;
    if (operand.is_memory)
      text_ += fmt::format("{:#x}", operand.bits);
    else if (type == Type::f32)
      text_ += fmt::format("0f{:08X}", operand.bits);
    else if (type == Type::f64)
      text_ += fmt::format("0d{:016X}", operand.bits);
    else if (is_signed(type))
      text_ += fmt::format("{}", static_cast<std::int64_t>(operand.bits));
    else
      text_ += operand.bits < 10000 ? fmt::format("{}", operand.bits) : fmt::format("{:#x}", operand.bits);
  }

  std::string register_name(RegisterId id) const { return function_.registers[id].name; }

  const Instruction& in_;
  const Function& function_;
  const Program& program_;
  std::string text_;
};

}  // namespace

std::string print(const Instruction& instruction, const Function& function, const Program& program) {
  return Printer(instruction, function, program).print();
}

}  // namespace warplens::ptx
