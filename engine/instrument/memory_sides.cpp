#include "engine/instrument/memory_sides.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace warplens::instrument {
namespace {

using emulator::AccessKind, ptx::Instruction, ptx::Opcode, ptx::Operand, ptx::Space;

const Operand* memory_of(const Instruction& i) {
  const auto found = std::ranges::find_if(i.operands, [](const Operand& o) { return o.is_memory; });
  return found == i.operands.end() ? nullptr : &*found;
}

AccessKind kind_of(Opcode opcode) {
  if (opcode == Opcode::atom || opcode == Opcode::red) return AccessKind::atomic;
  return opcode == Opcode::st || opcode == Opcode::stmatrix ? AccessKind::store : AccessKind::load;
}

}  // namespace

std::string MemorySides::name(const Operand& operand) const {
  switch (operand.kind) {
    case Operand::Kind::reg:
    case Operand::Kind::address:
      return entry_.registers[operand.register_id].name;
    case Operand::Kind::global_symbol:
      return program_.variables[operand.symbol].name;
    case Operand::Kind::local_symbol:
      return entry_.variables[operand.symbol].name;
    default:
      return fmt::format("{}", operand.bits);
  }
}

bool MemorySides::is_32_bit(const Operand& operand) const {
  const bool in_register = operand.kind == Operand::Kind::reg || operand.kind == Operand::Kind::address;
  return in_register && ptx::size_in_bytes(entry_.registers[operand.register_id].type) == 4;
}

std::string MemorySides::address(const Operand& memory) const {
  if (is_32_bit(memory))
    return fmt::format(
        "\tadd.u32 %warplens_word, {}, {};\n\tcvt.u64.u32 %warplens_address, %warplens_word;\n", name(memory),
        static_cast<std::uint32_t>(memory.offset));
  std::string text = fmt::format("\tmov.u64 %warplens_address, {};\n", name(memory));
  if (memory.offset != 0)
    text += fmt::format("\tadd.s64 %warplens_address, %warplens_address, {};\n", memory.offset);
  return text;
}

std::string MemorySides::narrow(const Instruction& i, const MemorySide& side) const {
  if (!i.predicated) return side.only;
  return side.only + fmt::format(
                         "\t{}.pred %warplens_guard, {};\n"
                         "\tand.pred %warplens_only, %warplens_only, %warplens_guard;\n",
                         i.guard_negated ? "not" : "mov", entry_.registers[i.guard].name);
}

std::vector<MemorySide> MemorySides::of(const Instruction& i) const {
  const MemorySide side{memory_of(i), i.space, kind_of(i.opcode),
                        static_cast<std::uint8_t>(ptx::size_in_bytes(i.type) * i.vector)};
  switch (i.opcode) {
    case Opcode::ld:
    case Opcode::ldu:
    case Opcode::st:
    case Opcode::atom:
    case Opcode::red:
      if (i.space == Space::constant || i.space == Space::param) return {};
      return {side};
    case Opcode::cp_async:
      return copy_sides(i, side);
    case Opcode::ldmatrix:
    case Opcode::stmatrix:
      return {matrix_side(i, side)};
    default:
      return {};
  }
}

// cp.async [shared], [global], size {, bytes to read or a predicate that says to read none}
std::vector<MemorySide> MemorySides::copy_sides(const Instruction& i, const MemorySide& side) const {
  MemorySide reads = side;
  reads.kind = AccessKind::async_copy;
  reads.width = static_cast<std::uint8_t>(i.operands[2].bits);
  MemorySide writes = reads;
  writes.space = Space::shared;
  reads.space = Space::global;
  reads.memory = &i.operands[1];
  if (i.operands.size() < 4) return {reads, writes};
  const Operand& last = i.operands[3];
  const bool predicate =
      last.kind == Operand::Kind::reg && entry_.registers[last.register_id].type == ptx::Type::pred;
  reads.narrowed = true;
  reads.only = predicate ? fmt::format("\tnot.pred %warplens_only, {};\n", name(last))
                         : fmt::format(
                               "\tmov.u32 %warplens_word, {};\n"
                               "\tsetp.ne.u32 %warplens_only, %warplens_word, 0;\n",
                               name(last));
  return {reads, writes};
}

// The rows of x1, x2 and x4 are given by the first 8, 16 and 32 lanes. PTX ISA 9.7.14 "ldmatrix".
MemorySide MemorySides::matrix_side(const Instruction& i, MemorySide side) const {
  side.width = 16;
  if (side.space != Space::generic) side.space = Space::shared;
  side.narrowed = i.matrix_count != 4;
  side.only = fmt::format(
      "\tmov.u32 %warplens_word, %laneid;\n"
      "\tsetp.lt.u32 %warplens_only, %warplens_word, {};\n",
      8 * i.matrix_count);
  return side;
}

}  // namespace warplens::instrument
