#include "engine/check/loops.hpp"

#include <algorithm>
#include <utility>

#include "engine/check/order/lanes.hpp"

namespace warplens::check {

using emulator::WatchedStep;
using ptx::Opcode, ptx::Operand;

namespace {

bool ends_thread(const ptx::Instruction& i) {
  return i.opcode == Opcode::ret || i.opcode == Opcode::exit || i.opcode == Opcode::trap ||
         i.opcode == Opcode::brkpt || i.opcode == Opcode::call;
}

// Whether its results follow from the registers that it reads, in each lane for itself.
bool follows_from_registers(const ptx::Instruction& i) {
  const auto is_constant = [](const Operand& operand) {
    using S = ptx::Special;
    return operand.kind != Operand::Kind::special || operand.special <= S::warpid ||
           (operand.special >= S::lanemask_eq && operand.special <= S::lanemask_gt);
  };
  if (i.opcode == Opcode::ld) return i.space == ptx::Space::param || i.space == ptx::Space::constant;
  const bool computes = (i.opcode >= Opcode::abs && i.opcode <= Opcode::mapa) && i.opcode != Opcode::addc &&
                        i.opcode != Opcode::subc && i.opcode != Opcode::madc;
  return computes && std::all_of(i.operands.begin(), i.operands.end(), is_constant);
}

}  // namespace

std::vector<std::uint32_t> Loops::successors(std::uint32_t pc) const {
  const ptx::Instruction& i = function_.code[pc];
  std::vector<std::uint32_t> next;
  if (i.opcode == Opcode::bra) next.push_back(i.operands[0].target);
  if (i.opcode == Opcode::brx_idx) next = function_.branch_tables[i.operands.back().target].targets;
  const bool goes_on = (i.opcode != Opcode::bra && i.opcode != Opcode::brx_idx) || i.predicated;
  if (goes_on) next.push_back(pc + 1);
  return next;
}

bool Loops::has_way_out(std::uint32_t pc) {
  const auto size = static_cast<std::uint32_t>(function_.code.size());
  if (ends_.empty()) {
    ends_.assign(size + 1, false);
    ends_[size] = true;
    const auto leads_out = [&](std::uint32_t next) { return next >= size || ends_[next]; };
    for (bool grows = true; grows;) {
      grows = false;
      for (std::uint32_t at = size; at-- > 0;) {
        if (ends_[at]) continue;
        const auto next = successors(at);
        ends_[at] = ends_thread(function_.code[at]) || std::any_of(next.begin(), next.end(), leads_out);
        grows |= ends_[at];
      }
    }
  }
  return ends_[std::min(pc, size)];
}

const std::vector<std::uint32_t>& Loops::deciding(std::uint32_t branch,
                                                  const std::vector<RegisterUse>& uses) {
  const auto [known, fresh] = deciding_.try_emplace(branch);
  if (fresh) known->second = find_deciding(branch, uses);
  return known->second;
}

// All from which the branch can be reached without going through its target.
std::vector<bool> Loops::body_of(std::uint32_t branch) const {
  const auto size = static_cast<std::uint32_t>(function_.code.size());
  std::vector<std::vector<std::uint32_t>> before(size + 1);
  for (std::uint32_t pc = 0; pc < size; ++pc)
    for (const std::uint32_t next : successors(pc)) before[std::min(next, size)].push_back(pc);
  std::vector<bool> body(size + 1);
  body[function_.code[branch].operands[0].target] = true;
  std::vector<std::uint32_t> left{branch};
  while (!left.empty()) {
    const std::uint32_t pc = left.back();
    left.pop_back();
    if (body[pc]) continue;
    body[pc] = true;
    left.insert(left.end(), before[pc].begin(), before[pc].end());
  }
  return body;
}

namespace {
bool decides_way(const ptx::Instruction& i) { return i.opcode == Opcode::bra || ends_thread(i); }
}  // namespace

std::vector<std::uint32_t> Loops::find_deciding(std::uint32_t branch,
                                                const std::vector<RegisterUse>& uses) const {
  const ptx::Instruction& back = function_.code[branch];
  if (back.opcode != Opcode::bra || back.operands[0].target > branch) return {};
  const std::vector<bool> body = body_of(branch);
  std::vector<bool> asked(function_.registers.size());
  const auto is_asked = [&](ptx::RegisterId r) { return bool{asked[r]}; };
  std::vector<std::uint32_t> list;
  for (std::size_t before = ~std::size_t{0}; std::exchange(before, list.size()) != list.size();) {
    list.clear();
    for (std::uint32_t pc = 0; pc < function_.code.size(); ++pc) {
      const ptx::Instruction& i = function_.code[pc];
      const auto& written = uses[pc].written;
      const bool is_wanted = decides_way(i) || std::any_of(written.begin(), written.end(), is_asked);
      if (body[pc] && (i.opcode == Opcode::call || i.opcode == Opcode::brx_idx)) return {};
      if (!body[pc] || !is_wanted) continue;
      if (!decides_way(i) && !follows_from_registers(i)) return {};
      list.push_back(pc);
      for (const ptx::RegisterId r : uses[pc].read) asked[r] = true;
      if (i.predicated) asked[i.guard] = true;
    }
  }
  return list;
}

void Turns::begin(std::uint32_t branch, const std::vector<std::uint32_t>& deciding) {
  *this = {};
  if (deciding.empty()) return;
  deciding_ = &deciding;
  branch_ = branch;
}

void Turns::add(const WatchedStep& step) {
  const auto add = [&](std::uint64_t word) { hash_ = (hash_ ^ word) * 1099511628211u; };  // FNV-1a, by words
  add(std::uint64_t{step.pc} << 32 | step.exec);
  for (std::size_t o = step.instruction->destinations; o < step.instruction->operands.size(); ++o) {
    if (step.instruction->operands[o].kind != Operand::Kind::reg) continue;
    std::array<std::uint64_t, 32> values;
    step.values(o, values);
    for_each_lane(step.exec, [&](std::uint32_t lane) { add(values[lane]); });
  }
}

// Ends the watch where the warp is on another way than round this loop.
bool Turns::closes_turn(const WatchedStep& step) {
  const ptx::Instruction& i = *step.instruction;
  const bool goes_back = i.opcode == Opcode::bra && i.operands[0].target <= step.pc && step.exec != 0;
  if (!goes_back && i.opcode != Opcode::brx_idx) return false;
  const bool same = step.pc == branch_ && (turns_ == 0 || step.exec == lanes_);
  if (!same) deciding_ = nullptr;
  return same;
}

bool Turns::is_endless(const WatchedStep& step) {
  if (std::binary_search(deciding_->begin(), deciding_->end(), step.pc)) add(step);
  if (!closes_turn(step)) return false;
  const bool repeats = turns_ == 2 && hash_ == before_;
  if (turns_++ == 2) deciding_ = nullptr;
  lanes_ = step.exec;
  before_ = hash_;
  hash_ = 0;
  return repeats;
}

}  // namespace warplens::check
