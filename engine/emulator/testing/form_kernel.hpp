// Test support: a kernel around one scalar form of PTX. Thread t reads its operands from the t-th slots of
// `in` and writes what the form gives to those of `out`. Runs in the emulator (ptx_forms_test.cpp) and on a
// GPU (tools/ptx_on_gpu/ptx_on_gpu.cpp). Not part of the product.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/emulator/testing/semantics_forms.hpp"

namespace warplens::emulator {

// Of 8 bytes, a thread: five sources and the carry in; result, second, carry out, and the mark of mode
// `general`.
inline constexpr std::size_t kSlots = 8, kCarryInSlot = 5, kCarryOutSlot = 2;

enum class Mode { varying, uniform, guarded, general, wide };
inline const char* name_of(Mode mode) {
  static const char* const names[] = {"varying", "uniform", "guarded", "general", "wide"};
  return names[static_cast<int>(mode)];
}

struct Piece {
  char cls;            // r: 32 bits, d: 64 bits, h: 16 bits, p: predicate, i: an immediate
  std::string name{};  // "%r3"
};

inline bool is_integer(ptx::Type type) { return !ptx::is_float(type) && type != ptx::Type::pred; }

// The registers of a form, and the PTX text of a kernel around it.
class FormKernel {
 public:
  FormKernel(const Form& form, Mode mode) : form_(form), i_(instruction_of(form)), mode_(mode) {
    for (std::size_t k = 0; k < form.destination.size(); ++k) add(form.destination[k], "d", k);
    for (std::size_t k = 0; k < form.sources.size(); ++k) add(form.sources[k], "s", k);
  }

  const ptx::Instruction& instruction() const { return i_; }
  bool reads_carry() const {
    return i_.opcode == ptx::Opcode::addc || i_.opcode == ptx::Opcode::subc || i_.opcode == ptx::Opcode::madc;
  }
  std::size_t destinations() const { return form_.destination.size(); }
  // What the first destination's register holds: results of cvt grow to the width of the register.
  std::uint64_t in_register(std::uint64_t value) const {
    const int bits = ptx::size_in_bytes(i_.type) * 8;
    if (i_.opcode == ptx::Opcode::cvt && ptx::is_signed(i_.type) && bits < 64 &&
        ((value >> (bits - 1)) & 1) != 0)
      value |= ~std::uint64_t{0} << bits;
    const char cls = pieces_[0].cls;
    return cls == 'r' ? value & 0xffffffffu : cls == 'h' ? value & 0xffffu : value;
  }

  std::string text(const LaneInputs& immediates) const {
    std::string t =
        ".version 8.7\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 in, .param .u64 "
        "out)\n{\n"
        ".reg .pred %q, %guard;\n.reg .b32 %t, %u, %mark;\n.reg .b64 %in, %out, %o;\n";
    for (const Piece& piece : pieces_) {
      const char* type = piece.cls == 'r'   ? ".b32"
                         : piece.cls == 'd' ? ".b64"
                         : piece.cls == 'h' ? ".b16"
                                            : ".pred";
      if (piece.cls != 'i') t += std::string(".reg ") + type + " " + piece.name + ";\n";
    }
    t += "mov.u32 %t, %tid.x;\nld.param.u64 %in, [in];\nld.param.u64 %out, [out];\n";
    t += "mul.wide.u32 %o, %t, 64;\nadd.s64 %out, %out, %o;\n";
    // Uniform: the warps of a block share one input, which is that of the block's number.
    t += mode_ == Mode::uniform ? "mov.u32 %u, %ctaid.x;\nmul.wide.u32 %o, %u, 64;\n" : "";
    t += "add.s64 %in, %in, %o;\n" + loads() +
         "mov.u32 %mark, 0;\nand.b32 %u, %t, 1;\nsetp.ne.s32 %guard, %u, 0;\n";
    const std::string op = operation(immediates);
    if (mode_ == Mode::general) {
      // %mark is written while the odd lanes, which need it, wait: only the general code may do that.
      t += "@%guard bra ODD;\nmov.u32 %mark, 1;\n" + carry_in() + op + carry_out() + "bra JOIN;\nODD:\n" +
           carry_in() + op + carry_out() + "JOIN:\n";
    } else if (mode_ == Mode::guarded) {
      t += carry_in() + "@%guard " + op + carry_out();
    } else {
      t += carry_in() + op + carry_out();
    }
    return t + stores() + "st.global.u32 [%out+56], %mark;\nret;\n}\n";
  }

 private:
  // ptxas takes no wider registers for the 16-bit integers of these.
  bool has_bf16() const { return i_.type == ptx::Type::bf16 || i_.source_type == ptx::Type::bf16; }

  void add(char letter, const char* prefix, std::size_t k) {
    const ptx::Type type = operand_type(i_, letter);
    const int bytes = ptx::size_in_bytes(type);
    Piece piece{letter == 'I'             ? 'i'
                : type == ptx::Type::pred ? 'p'
                : bytes == 8              ? 'd'
                : bytes == 2              ? 'h'
                                          : 'r'};
    if (mode_ == Mode::wide && i_.opcode == ptx::Opcode::cvt && is_integer(type) && letter != 'H')
      piece.cls = 'd';
    if (i_.opcode == ptx::Opcode::cvt && bytes < 4 && is_integer(type) && piece.cls == 'h' && letter != 'H' &&
        !has_bf16())
      piece.cls = 'r';
    piece.name = "%" + std::string(prefix) + std::to_string(k);
    pieces_.push_back(piece);
  }

  std::string loads() const {
    std::string t;
    for (std::size_t k = 0; k < form_.sources.size(); ++k) {
      const Piece& piece = pieces_[destinations() + k];
      const std::string at = "[%in+" + std::to_string(8 * k) + "];\n";
      if (piece.cls == 'p') t += "ld.global.u32 %u, " + at + "setp.ne.s32 " + piece.name + ", %u, 0;\n";
      if (piece.cls == 'h') t += "ld.global.b16 " + piece.name + ", " + at;
      if (piece.cls == 'r') t += "ld.global.b32 " + piece.name + ", " + at;
      if (piece.cls == 'd') t += "ld.global.b64 " + piece.name + ", " + at;
    }
    for (std::size_t k = 0; k < destinations(); ++k) {  // what a guard that is off must leave
      const Piece& piece = pieces_[k];
      if (piece.cls == 'p') t += "setp.ne.s32 " + piece.name + ", 0, 0;\n";
      if (piece.cls == 'h') t += "mov.b16 " + piece.name + ", 0x5a5a;\n";
      if (piece.cls == 'r') t += "mov.b32 " + piece.name + ", 0x5a5a5a5a;\n";
      if (piece.cls == 'd') t += "mov.b64 " + piece.name + ", 0x5a5a5a5a5a5a5a5a;\n";
    }
    return t;
  }
  // Adding the input to 2^32 - 1 sets the carry exactly where it is 1; taking it from 0 sets the borrow.
  std::string carry_in() const {
    if (!reads_carry() && !i_.carry_out) return "";
    return i_.opcode == ptx::Opcode::subc ? "ld.global.u32 %u, [%in+40];\nsub.cc.u32 %u, 0, %u;\n"
                                          : "ld.global.u32 %u, [%in+40];\nadd.cc.u32 %u, %u, -1;\n";
  }
  std::string carry_out() const {
    if (!i_.carry_out) return "";
    const bool borrow = i_.opcode == ptx::Opcode::sub || i_.opcode == ptx::Opcode::subc;
    return borrow ? "subc.u32 %u, 0, 0;\nneg.s32 %u, %u;\n" : "addc.u32 %u, 0, 0;\n";
  }
  std::string operation(const LaneInputs& immediates) const {
    const std::uint64_t values[] = {immediates.a, immediates.b, immediates.c, immediates.d, immediates.e};
    std::string t = form_.text + " " + pieces_[0].name;
    if (destinations() == 2) t += "|" + pieces_[1].name;
    for (std::size_t k = 0; k < form_.sources.size(); ++k) {
      const Piece& piece = pieces_[destinations() + k];
      t += ", " + (piece.cls == 'i' ? std::to_string(values[k] & 255) : piece.name);
    }
    return t + ";\n";
  }
  std::string stores() const {
    std::string t;
    if (i_.carry_out) t += "st.global.u32 [%out+16], %u;\n";
    for (std::size_t k = 0; k < destinations(); ++k) {
      const Piece& piece = pieces_[k];
      const std::string at = "[%out+" + std::to_string(8 * k) + "], ";
      if (piece.cls == 'p') t += "selp.b32 %u, 1, 0, " + piece.name + ";\nst.global.u32 " + at + "%u;\n";
      if (piece.cls == 'h') t += "st.global.b16 " + at + piece.name + ";\n";
      if (piece.cls == 'r') t += "st.global.b32 " + at + piece.name + ";\n";
      if (piece.cls == 'd') t += "st.global.b64 " + at + piece.name + ";\n";
    }
    return t;
  }

  const Form& form_;
  ptx::Instruction i_;
  Mode mode_;
  std::vector<Piece> pieces_;
};

}  // namespace warplens::emulator
