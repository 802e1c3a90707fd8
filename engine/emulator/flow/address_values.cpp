#include "engine/emulator/flow/address_values.hpp"

#include <algorithm>

namespace warplens::emulator {

using ptx::Instruction, ptx::Opcode, ptx::Operand, ptx::Space;

namespace {

constexpr std::uint32_t kSharedBase = 1;  // the node of the start of shared memory

// Division, square root and reciprocal that are rounded as IEEE says, and 64-bit division: calls of a
// subroutine in machine code, across which ptxas vectorizes nothing.
bool becomes_call(const Instruction& i) {
  switch (i.opcode) {
    case Opcode::div:
    case Opcode::rem:
      return ptx::is_float(i.type) ? i.rounding != ptx::Rounding::none : ptx::size_in_bytes(i.type) == 8;
    case Opcode::sqrt:
    case Opcode::rcp:
      return i.rounding != ptx::Rounding::none;
    default:
      return false;
  }
}

// Operations whose result is the same wherever their operands are, and that have no modifiers besides types
// and part.
bool is_pure(const Instruction& i) {
  if (ptx::is_float(i.type) || i.operands.size() > 4 || i.carry_out || i.saturate) return false;
  switch (i.opcode) {
    case Opcode::ld:
      return i.space == Space::param && i.operands[1].kind == Operand::Kind::parameter_symbol;
    case Opcode::mov:
      return i.operands[1].special < ptx::Special::clock ||
             i.operands[1].special > ptx::Special::globaltimer_hi;
    case Opcode::cvt:
      return !ptx::is_float(i.source_type);
    case Opcode::cvta:
    case Opcode::add:
    case Opcode::sub:
    case Opcode::mul:
    case Opcode::mad:
    case Opcode::mul24:
    case Opcode::mad24:
    case Opcode::shl:
    case Opcode::shr:
    case Opcode::and_:
    case Opcode::or_:
    case Opcode::xor_:
    case Opcode::not_:
    case Opcode::neg:
    case Opcode::abs:
    case Opcode::min:
    case Opcode::max:
    case Opcode::bfe:
    case Opcode::selp:
    case Opcode::div:
    case Opcode::rem:
    case Opcode::popc:
    case Opcode::clz:
    case Opcode::brev:
      return true;
    default:
      return false;
  }
}

bool is_shared_access(const Instruction& i) {
  return (i.opcode == Opcode::ld || i.opcode == Opcode::st) && i.space == Space::shared;
}

const Operand& address_of(const Instruction& i) { return i.operands[i.opcode == Opcode::st ? 0 : 1]; }

}  // namespace

bool is_global_load(const Instruction& i) {
  return i.opcode == Opcode::ld && i.space == Space::global && !i.is_volatile;
}

bool changes_shared(const Instruction& i) {
  switch (i.opcode) {
    case Opcode::st:
    case Opcode::atom:
    case Opcode::red:
      return i.space == Space::shared || i.space == Space::generic;
    case Opcode::bar_sync:
    case Opcode::bar_red:
    case Opcode::bar_arrive:
    case Opcode::bar_warp_sync:
    case Opcode::membar:
    case Opcode::fence:
    case Opcode::call:
    case Opcode::nanosleep:
    case Opcode::griddepcontrol:
    case Opcode::cp_async:
    case Opcode::cp_async_wait_all:
    case Opcode::cp_async_wait_group:
    case Opcode::stmatrix:
    case Opcode::wmma_store:
      return true;
    case Opcode::cp_async_bulk:
      return true;
    default:
      return ptx::is_memory_or_cluster_barrier(i.opcode) || becomes_call(i);
  }
}

int width_of(const Instruction& i) { return ptx::size_in_bytes(i.type) * i.vector; }

std::int64_t added_offset(const Instruction& i) {
  const Operand& address = address_of(i);
  const bool in_register = address.kind == Operand::Kind::address || address.kind == Operand::Kind::reg;
  return in_register ? address.offset : 0;
}

bool AddressValues::Less::operator()(const Key& a, const Key& b) const {
  const auto plain = [](const Key& k) {
    const auto& v = std::get<1>(k);
    return std::tuple(std::get<0>(k), v[0].node, v[0].offset, v[1].node, v[1].offset, v[2].node, v[2].offset);
  };
  return plain(a) < plain(b);
}

AddressValues::AddressValues(const ptx::Function& flat, const SharedLayout& layout, const Flow& flow,
                             const Dominators& dominators)
    : flat_(flat),
      layout_(layout),
      flow_(flow),
      dominators_(dominators),
      alignment_(flat, layout),
      current_(flat.registers.size() + 1),
      phis_(flow.blocks().size()) {
  if (flow.blocks().empty()) return;
  place_phis(definitions());
  current_.back() = fresh();
  // blocks around this one, and what to undo on leaving them
  std::vector<std::pair<std::uint32_t, std::size_t>> open;
  for (std::uint32_t block : dominators.preorder()) {
    while (!open.empty() && !dominators.dominates(open.back().first, block)) {
      undo_to(open.back().second);
      open.pop_back();
    }
    open.emplace_back(block, undo_.size());
    walk_block(block);
  }
}

// The blocks that write each register, and at the end those that change shared memory. A register that is
// written once needs no renaming and has an empty list.
std::vector<std::vector<std::uint32_t>> AddressValues::definitions() {
  std::vector<std::vector<std::uint32_t>> blocks(current_.size());
  std::vector<std::uint32_t> times(current_.size(), 0);
  std::vector<ptx::RegisterId> written, read;
  const auto note = [&](std::uint32_t name, std::uint32_t block, std::uint32_t weight) {
    times[name] += weight;
    if (blocks[name].empty() || blocks[name].back() != block) blocks[name].push_back(block);
  };
  for (std::uint32_t b = 0; b < flow_.blocks().size(); ++b) {
    if (!dominators_.reachable(b)) continue;
    for (std::uint32_t pc = flow_.blocks()[b].begin; pc < flow_.blocks()[b].end; ++pc) {
      const Instruction& i = flat_.code[pc];
      registers_of(i, written, read);
      for (auto r : written) note(r, b, i.predicated ? 2 : 1);
      if (changes_shared(i)) note(static_cast<std::uint32_t>(current_.size() - 1), b, 2);
    }
  }
  for (std::size_t name = 0; name < blocks.size(); ++name)
    if (times[name] < 2) blocks[name].clear();
  return blocks;
}

// New values where several definitions meet (Cytron et al., 1991).
void AddressValues::place_phis(const std::vector<std::vector<std::uint32_t>>& written_in) {
  std::vector<std::uint32_t> placed(phis_.size(), 0);
  for (std::uint32_t name = 0; name < written_in.size(); ++name) {
    std::vector<std::uint32_t> work = written_in[name];
    while (!work.empty()) {
      const std::uint32_t block = work.back();
      work.pop_back();
      for (std::uint32_t meeting : dominators_.frontier(block)) {
        if (placed[meeting] == name + 1) continue;
        placed[meeting] = name + 1;
        phis_[meeting].push_back(name);
        work.push_back(meeting);
      }
    }
  }
}

void AddressValues::set(std::uint32_t name, NumberedValue value) {
  undo_.emplace_back(name, current_[name]);
  current_[name] = value;
}

void AddressValues::undo_to(std::size_t depth) {
  for (; undo_.size() > depth; undo_.pop_back()) current_[undo_.back().first] = undo_.back().second;
}

void AddressValues::walk_block(std::uint32_t block) {
  std::vector<ptx::RegisterId> written, read;
  for (std::uint32_t name : phis_[block]) set(name, fresh());
  for (std::uint32_t pc = flow_.blocks()[block].begin; pc < flow_.blocks()[block].end; ++pc) {
    const Instruction& i = flat_.code[pc];
    if (is_shared_access(i)) record(i, pc, block);
    if (changes_shared(i)) set(static_cast<std::uint32_t>(current_.size() - 1), fresh());
    if (is_shared_access(i)) accesses_.back().memory_after = current_.back()->node;
    registers_of(i, written, read);
    const bool numbered = i.destinations == 1 && i.operands[0].kind == Operand::Kind::reg && !i.predicated;
    if (numbered)
      set(i.operands[0].register_id, result(i));
    else
      for (auto r : written) set(r, fresh());
  }
}

void AddressValues::record(const Instruction& i, std::uint32_t pc, std::uint32_t block) {
  const Operand& operand = address_of(i);
  NumberedValue address = of(operand);
  const LowBits low = alignment_.of(operand);
  const LowBits base = low.known < 0
                           ? low_bits(0, 0)
                           : low_bits(low.known, low.value - static_cast<std::uint64_t>(address.offset));
  address.offset += added_offset(i);
  accesses_.push_back({pc, block, current_.back()->node, 0, address, base});
}

NumberedValue AddressValues::of(const Operand& operand) {
  switch (operand.kind) {
    case Operand::Kind::reg:
    case Operand::Kind::address:
      if (!current_[operand.register_id]) set(operand.register_id, fresh());
      return *current_[operand.register_id];
    case Operand::Kind::immediate:
      return {0, static_cast<std::int64_t>(operand.bits)};
    case Operand::Kind::global_symbol:
      return {kSharedBase, layout_.module_offset(operand.symbol) + operand.offset};
    case Operand::Kind::local_symbol:
      return {kSharedBase, layout_.function_offset(operand.symbol) + operand.offset};
    case Operand::Kind::special:
      return hashed(1, {0, static_cast<std::int64_t>(operand.special)});
    case Operand::Kind::parameter_symbol:
      return hashed(2, {0, static_cast<std::int64_t>(operand.symbol)}, {0, operand.offset});
    default:
      return fresh();
  }
}

NumberedValue AddressValues::hashed(std::uint32_t operation, NumberedValue a, NumberedValue b,
                                    NumberedValue c) {
  const auto [place, is_new] = known_.try_emplace(Key{operation, {a, b, c}}, 0);
  if (is_new) place->second = ++nodes_;
  return {place->second, 0};
}

NumberedValue AddressValues::sum(NumberedValue a, NumberedValue b) {
  const std::int64_t offset = a.offset + b.offset;
  if (a.node == 0 || b.node == 0) return {a.node + b.node, offset};
  const auto [low, high] = std::minmax(a.node, b.node);
  return {hashed(3, {low, 0}, {high, 0}).node, offset};
}

NumberedValue AddressValues::difference(NumberedValue a, NumberedValue b) {
  if (b.node == 0) return {a.node, a.offset - b.offset};
  if (a.node == b.node) return {0, a.offset - b.offset};
  return {hashed(4, {a.node, 0}, {b.node, 0}).node, a.offset - b.offset};
}

NumberedValue AddressValues::product(NumberedValue a, NumberedValue b) {
  if (a.node == 0) std::swap(a, b);
  const auto wrapped = [](std::int64_t x, std::int64_t y) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(x) * static_cast<std::uint64_t>(y));
  };
  if (b.node != 0) {
    if (std::tie(b.node, b.offset) < std::tie(a.node, a.offset)) std::swap(a, b);
    return hashed(5, a, b);
  }
  if (a.node == 0) return {0, wrapped(a.offset, b.offset)};
  if (b.offset == 1) return a;
  std::uint32_t inner = a.node;
  std::int64_t factor = b.offset;
  if (const auto found = scaled_.find(a.node); found != scaled_.end()) {
    inner = found->second.first;
    factor = wrapped(factor, found->second.second);
  }
  const std::uint32_t node = hashed(6, {inner, 0}, {0, factor}).node;
  scaled_.try_emplace(node, inner, factor);
  return {node, wrapped(a.offset, b.offset)};
}

// Conversions between integers: shared addresses have 32 bits, so narrowing to 32 changes nothing.
NumberedValue AddressValues::widened(const Instruction& i, NumberedValue a) {
  const int to = ptx::size_in_bytes(i.type), from = ptx::size_in_bytes(i.source_type);
  if (a.node == 0 && from >= 4) return a;
  if (from >= 4 && to >= 4 && to <= from) return a;
  return hashed(
      7 + 16 * static_cast<std::uint32_t>(i.source_type) + 1024 * static_cast<std::uint32_t>(i.type), a);
}

NumberedValue AddressValues::result(const Instruction& i) {
  if (!is_pure(i)) return fresh();
  std::array<NumberedValue, 3> v{};
  for (std::size_t s = 1; s < i.operands.size() && s < 4; ++s) v[s - 1] = of(i.operands[s]);
  const bool whole = ptx::size_in_bytes(i.type) >= 4;
  const auto type = static_cast<std::uint32_t>(i.type);
  const auto wide = [&] { return hashed(8 + 16 * type, v[0], v[1]); };
  switch (i.opcode) {
    case Opcode::mov:
    case Opcode::cvta:
      return v[0];
    case Opcode::cvt:
      return widened(i, v[0]);
    case Opcode::add:
      if (whole) return sum(v[0], v[1]);
      break;
    case Opcode::sub:
      if (whole) return difference(v[0], v[1]);
      break;
    case Opcode::shl:
      if (whole && v[1].node == 0 && v[1].offset < 32)
        return product(v[0], {0, std::int64_t{1} << v[1].offset});
      break;
    case Opcode::mul:
      if (i.part == ptx::MulPart::wide) return wide();
      if (whole && i.part == ptx::MulPart::lo) return product(v[0], v[1]);
      break;
    case Opcode::mad:
      if (i.part == ptx::MulPart::wide) return sum(wide(), v[2]);
      if (whole && i.part == ptx::MulPart::lo) return sum(product(v[0], v[1]), v[2]);
      break;
    default:
      break;
  }
  const auto operation =
      static_cast<std::uint32_t>(i.opcode) << 4 | type << 12 | static_cast<std::uint32_t>(i.part) << 20;
  return hashed(operation | 9, v[0], v[1], v[2]);
}

}  // namespace warplens::emulator
