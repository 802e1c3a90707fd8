#include "engine/check/stretches.hpp"

#include <algorithm>
#include <utility>

namespace warplens::check {
namespace {

using ptx::Opcode;

// Whether all that matters of an instruction is which registers it reads and writes.
bool only_computes(const ptx::Instruction& i, const RegisterUse& use) {
  const bool arithmetic = (i.opcode >= Opcode::abs && i.opcode <= Opcode::cvt) || i.opcode == Opcode::mov;
  const bool may_divide_by_zero =
      (i.opcode == Opcode::div || i.opcode == Opcode::rem) && !ptx::is_float(i.type);
  return arithmetic && !may_divide_by_zero && !i.predicated && !use.may_point;
}

std::vector<bool> branch_targets(const ptx::Function& function) {
  std::vector<bool> targets(function.code.size() + 1);
  for (const ptx::Instruction& i : function.code)
    if (i.opcode == Opcode::bra && !i.operands.empty()) targets[i.operands[0].target] = true;
  for (const ptx::BranchTable& table : function.branch_tables)
    for (const std::uint32_t target : table.targets)
      if (target < targets.size()) targets[target] = true;
  return targets;
}

// Whether a register was met before in this stretch, of those numbered from 1.
class Met {
 public:
  explicit Met(std::size_t registers) : last_(registers) {}
  bool add(ptx::RegisterId r, std::uint32_t stretch) { return std::exchange(last_[r], stretch) != stretch; }
  bool has(ptx::RegisterId r, std::uint32_t stretch) const { return last_[r] == stretch; }

 private:
  std::vector<std::uint32_t> last_;
};

}  // namespace

Stretches::Stretches(const ptx::Function& function, const std::vector<RegisterUse>& uses)
    : numbers_(function.code.size() + 1) {
  // What is looked at in one go; longer rows become several stretches.
  constexpr std::uint32_t kMost = 128;
  const std::vector<bool> is_target = branch_targets(function);
  Met read(function.registers.size()), written(function.registers.size());
  const auto size = static_cast<std::uint32_t>(function.code.size());
  for (std::uint32_t begin = 0, end = 0; begin < size; begin = std::max(end, begin + 1)) {
    for (end = begin; end < size && end - begin < kMost; ++end)
      if (!only_computes(function.code[end], uses[end]) || (end > begin && is_target[end])) break;
    if (end < begin + 2) continue;
    Stretch& stretch = stretches_.emplace_back(Stretch{end, {}, {}});
    const auto number = static_cast<std::uint32_t>(stretches_.size());
    numbers_[begin] = number;
    for (std::uint32_t pc = begin; pc < end; ++pc) {
      for (const ptx::RegisterId r : uses[pc].read)
        if (!written.has(r, number) && read.add(r, number)) stretch.read.push_back(r);
      for (const ptx::RegisterId r : uses[pc].written)
        if (written.add(r, number)) stretch.written.push_back(r);
    }
  }
}

}  // namespace warplens::check
