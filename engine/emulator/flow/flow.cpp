#include "engine/emulator/flow/flow.hpp"

namespace warplens::emulator {

using ptx::Instruction, ptx::Opcode, ptx::Operand;

bool BitSet::merge(const BitSet& other) {
  bool grew = false;
  for (std::size_t w = 0; w < words_.size(); ++w) {
    const std::uint64_t merged = words_[w] | other.words_[w];
    grew |= merged != words_[w];
    words_[w] = merged;
  }
  return grew;
}

namespace {

void add_registers(const Operand& operand, bool is_destination, std::vector<ptx::RegisterId>& written,
                   std::vector<ptx::RegisterId>& read) {
  if (operand.kind == Operand::Kind::reg)
    (is_destination && !operand.is_memory ? written : read).push_back(operand.register_id);
  if (operand.kind == Operand::Kind::address) read.push_back(operand.register_id);
  for (const Operand& element : operand.elements) add_registers(element, is_destination, written, read);
}

bool ends_block(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::bra:
    case Opcode::brx_idx:
    case Opcode::ret:
    case Opcode::exit:
    case Opcode::trap:
      return true;
    default:
      return false;
  }
}

}  // namespace

void registers_of(const Instruction& instruction, std::vector<ptx::RegisterId>& written,
                  std::vector<ptx::RegisterId>& read) {
  written.clear();
  read.clear();
  for (std::size_t i = 0; i < instruction.operands.size(); ++i)
    add_registers(instruction.operands[i], i < instruction.destinations, written, read);
  // The accumulators are added to.
  if (instruction.opcode == Opcode::wgmma_mma_async) read.insert(read.end(), written.begin(), written.end());
  if (instruction.predicated) read.push_back(instruction.guard);
}

Flow::Flow(const ptx::Function& function) : function_(function) {
  split();
  connect();
  find_live();
}

void Flow::split() {
  const auto& code = function_.code;
  std::vector<bool> starts(code.size() + 1, false);
  starts[0] = true;
  for (const auto& table : function_.branch_tables)
    for (std::uint32_t target : table.targets)
      if (target < code.size()) starts[target] = true;
  for (std::uint32_t pc = 0; pc < code.size(); ++pc) {
    for (const Operand& operand : code[pc].operands)
      if (operand.kind == Operand::Kind::label && code[pc].opcode != Opcode::brx_idx)
        starts[operand.target] = true;
    if (ends_block(code[pc])) starts[pc + 1] = true;
  }
  block_of_.resize(code.size() + 1);
  for (std::uint32_t pc = 0; pc < code.size(); ++pc) {
    if (starts[pc]) {
      if (!blocks_.empty()) blocks_.back().end = pc;
      blocks_.emplace_back().begin = pc;
    }
    block_of_[pc] = static_cast<std::uint32_t>(blocks_.size() - 1);
  }
  if (!blocks_.empty()) blocks_.back().end = static_cast<std::uint32_t>(code.size());
  block_of_[code.size()] = static_cast<std::uint32_t>(blocks_.size());
}

void Flow::connect() {
  const auto& code = function_.code;
  const auto link = [&](BasicBlock& block, std::uint32_t target) {
    if (target < code.size()) block.successors.push_back(block_of_[target]);
  };
  for (BasicBlock& block : blocks_) {
    const Instruction& last = code[block.end - 1];
    if (last.opcode == Opcode::bra) link(block, last.operands[0].target);
    if (last.opcode == Opcode::brx_idx)
      for (std::uint32_t target : function_.branch_tables[last.operands.back().target].targets)
        link(block, target);
    if (!ends_block(last) || last.predicated) link(block, block.end);
  }
}

void Flow::find_live() {
  const std::size_t count = register_count();
  std::vector<BitSet> generated, killed;
  std::vector<ptx::RegisterId> written, read;
  for (BasicBlock& block : blocks_) {
    BitSet gen(count), kill(count);
    for (std::uint32_t pc = block.end; pc-- > block.begin;) {
      registers_of(function_.code[pc], written, read);
      if (!function_.code[pc].predicated)
        for (auto r : written) kill.set(r), gen.reset(r);
      for (auto r : read) gen.set(r), kill.reset(r);
    }
    block.live_in = gen;
    block.live_out = BitSet(count);
    generated.push_back(std::move(gen));
    killed.push_back(std::move(kill));
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t b = blocks_.size(); b-- > 0;) {
      BasicBlock& block = blocks_[b];
      for (std::uint32_t next : block.successors) changed |= block.live_out.merge(blocks_[next].live_in);
      BitSet in = block.live_out;
      killed[b].for_each([&](std::size_t r) { in.reset(r); });
      in.merge(generated[b]);
      changed |= block.live_in.merge(in);
    }
  }
}

BitSet Flow::live_before(std::uint32_t pc) const {
  if (pc >= function_.code.size()) return BitSet(register_count());
  const BasicBlock& block = blocks_[block_of_[pc]];
  if (pc == block.begin) return block.live_in;
  BitSet live = block.live_out;
  std::vector<ptx::RegisterId> written, read;
  for (std::uint32_t at = block.end; at-- > pc;) {
    registers_of(function_.code[at], written, read);
    if (!function_.code[at].predicated)
      for (auto r : written) live.reset(r);
    for (auto r : read) live.set(r);
  }
  return live;
}

}  // namespace warplens::emulator
