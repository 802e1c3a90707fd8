#include "engine/instrument/snippets.hpp"

#include <fmt/format.h>

namespace warplens::instrument {
namespace {

// to = x + nx * (y + ny * z)
std::string linear(std::string_view index, std::string_view count, std::string_view to,
                   std::string_view spare) {
  return fmt::format(
      "\tmov.u32 {2}, %{0}.z;\n\tmov.u32 {3}, %{1}.y;\n\tmul.lo.u32 {2}, {2}, {3};\n"
      "\tmov.u32 {3}, %{0}.y;\n\tadd.u32 {2}, {2}, {3};\n\tmov.u32 {3}, %{1}.x;\n\tmul.lo.u32 {2}, {2}, "
      "{3};\n"
      "\tmov.u32 {3}, %{0}.x;\n\tadd.u32 {2}, {2}, {3};\n",
      index, count, to, spare);
}

}  // namespace

std::string linear_block(std::string_view to, std::string_view spare) {
  return linear("ctaid", "nctaid", to, spare);
}

std::string linear_thread(std::string_view to, std::string_view spare) {
  return linear("tid", "ntid", to, spare);
}

std::string lane_registers() {
  return "\t.reg .pred %warplens_leader;\n"
         "\t.reg .b32 %warplens_here, %warplens_lanes, %warplens_first, %warplens_lane;\n";
}

std::string guard_of(const ptx::Instruction& instruction, const ptx::Function& function) {
  if (!instruction.predicated) return "";
  return (instruction.guard_negated ? "!" : "") + function.registers[instruction.guard].name;
}

std::string elect_leader(std::string_view guard) {
  std::string text = "\tactivemask.b32 %warplens_here;\n";
  if (guard.empty())
    text += "\tmov.b32 %warplens_lanes, %warplens_here;\n";
  else
    text += fmt::format("\tvote.sync.ballot.b32 %warplens_lanes, {}, %warplens_here;\n", guard);
  return text +
         "\tbrev.b32 %warplens_first, %warplens_lanes;\n\tclz.b32 %warplens_first, %warplens_first;\n"
         "\tmov.u32 %warplens_lane, %laneid;\n"
         "\tsetp.eq.u32 %warplens_leader, %warplens_first, %warplens_lane;\n";
}

}  // namespace warplens::instrument
