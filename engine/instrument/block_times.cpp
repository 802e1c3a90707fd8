#include "engine/instrument/block_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "engine/instrument/entry_text.hpp"

namespace warplens::instrument {
namespace {

using ptx::Function, ptx::Instruction, ptx::Opcode;

constexpr std::size_t kStart = offsetof(BlockTime, start), kEnd = offsetof(BlockTime, end);

bool leaves(const Instruction& instruction) {
  return instruction.opcode == Opcode::ret || instruction.opcode == Opcode::exit;
}

// Whether control can reach the closing brace, which is an implicit ret.
bool falls_off(const Function& entry) {
  const auto end = static_cast<std::uint32_t>(entry.code.size());
  if (entry.code.empty() || !leaves(entry.code.back()) || entry.code.back().predicated) return true;
  const auto is_end = [end](const ptx::Operand& operand) {
    return operand.kind == ptx::Operand::Kind::label && operand.target == end;
  };
  for (const Instruction& i : entry.code)
    if (i.opcode == Opcode::bra && std::any_of(i.operands.begin(), i.operands.end(), is_end)) return true;
  for (const ptx::BranchTable& table : entry.branch_tables)
    if (std::find(table.targets.begin(), table.targets.end(), end) != table.targets.end()) return true;
  return false;
}

std::string beginning(std::string_view parameter) {
  std::string text =
      "\n\t.reg .b64 %warplens_row;\n\t{\n\t.reg .pred %warplens_is_first;\n"
      "\t.reg .b32 %warplens_block, %warplens_thread, %warplens_spare;\n\t.reg .b64 %warplens_time;\n"
      "\tmov.u64 %warplens_time, %globaltimer;\n";
  text += linear_block("%warplens_block", "%warplens_spare");
  text += fmt::format(
      "\tld.param.u64 %warplens_row, [{}];\n\tcvta.to.global.u64 %warplens_row, %warplens_row;\n"
      "\tmad.wide.u32 %warplens_row, %warplens_block, {}, %warplens_row;\n",
      parameter, sizeof(BlockTime));
  text += linear_thread("%warplens_thread", "%warplens_spare");
  text += fmt::format(
      "\tsetp.eq.u32 %warplens_is_first, %warplens_thread, 0;\n\tmov.u32 %warplens_spare, %smid;\n"
      "\t@%warplens_is_first st.global.v2.u32 [%warplens_row], {{%warplens_block, %warplens_spare}};\n"
      "\t@%warplens_is_first st.global.u64 [%warplens_row+{}], %warplens_time;\n\t}}\n",
      kStart);
  return text;
}

std::string ending(const Instruction& exit, const Function& entry) {
  return "{\n" + lane_registers() + "\t.reg .b64 %warplens_time;\n" + elect_leader(guard_of(exit, entry)) +
         fmt::format(
             "\tmov.u64 %warplens_time, %globaltimer;\n"
             "\t@%warplens_leader red.global.max.u64 [%warplens_row+{}], %warplens_time;\n\t}}\n\t",
             kEnd);
}

}  // namespace

std::string block_times_parameter(std::string_view entry) { return std::string(entry) + "_warplens_times"; }

Result<std::string> with_block_times(std::string_view ptx, std::string_view name) {
  const auto parsed = parse_entry(ptx, name);
  if (!parsed) return parsed.error();
  const Function& entry = parsed->entry();
  const auto place = find_entry(ptx, entry);
  if (!place) return place.error();
  const std::string parameter = block_times_parameter(entry.name);
  std::vector<Insertion> insertions{one_more_parameter(*place, parameter),
                                    {place->code_begin, beginning(parameter)}};
  for (std::size_t i = 0; i < entry.code.size(); ++i)
    if (leaves(entry.code[i])) insertions.push_back({place->instructions[i], ending(entry.code[i], entry)});
  if (falls_off(entry)) insertions.push_back({place->body_end, ending({}, entry)});
  return insert(ptx, std::move(insertions));
}

}  // namespace warplens::instrument
