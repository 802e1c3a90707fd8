#include "engine/emulator/load_merge.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <tuple>

#include "engine/emulator/flow.hpp"

namespace warplens::emulator {

using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;

namespace {

constexpr int kBits = 6;  // alignments up to 64 bytes matter to nobody

// What is known of a value: its low `known` bits are those of `value`. known < 0: not computed yet.
struct LowBits {
  int known = -1;
  std::uint64_t value = 0;
  bool operator==(const LowBits&) const = default;
};

LowBits make(int known, std::uint64_t value) {
  known = std::clamp(known, 0, kBits);
  return {known, value & ((std::uint64_t{1} << known) - 1)};
}
LowBits constant(std::uint64_t value) { return make(kBits, value); }
LowBits unknown() { return make(0, 0); }

LowBits join(LowBits a, LowBits b) {
  if (a.known < 0) return b;
  if (b.known < 0) return a;
  const int same = std::countr_zero((a.value ^ b.value) | (std::uint64_t{1} << kBits));
  return make(std::min({a.known, b.known, same}), a.value);
}

int trailing_zeros(LowBits a) {  // low bits known to be 0
  return std::min(a.known, static_cast<int>(std::countr_zero(a.value | (std::uint64_t{1} << kBits))));
}

LowBits add(LowBits a, LowBits b) { return make(std::min(a.known, b.known), a.value + b.value); }
LowBits subtract(LowBits a, LowBits b) { return make(std::min(a.known, b.known), a.value - b.value); }
LowBits multiply(LowBits a, LowBits b) {
  // (a + 2^ka x)(b + 2^kb y): known up to min(ka + tz(b), kb + tz(a)).
  return make(std::min(a.known + trailing_zeros(b), b.known + trailing_zeros(a)), a.value * b.value);
}
LowBits both(LowBits a, LowBits b) {  // a & b
  const int common = std::min(a.known, b.known);
  LowBits result = make(common, a.value & b.value);
  const LowBits& wider = a.known > b.known ? a : b;
  while (result.known < wider.known && ((wider.value >> result.known) & 1) == 0) ++result.known;
  return result;
}

class Alignment {
 public:
  Alignment(const ptx::Function& function, const SharedLayout& layout)
      : layout_(layout), bits_(function.registers.size()) {
    for (int round = 0; round < 16; ++round) {
      bool changed = false;
      for (const Instruction& instruction : function.code) changed |= visit(instruction);
      if (!changed) return;
    }
    std::fill(bits_.begin(), bits_.end(), unknown());  // no fixed point in sight: know nothing
  }

  LowBits of(const Operand& operand) const {
    switch (operand.kind) {
      case Operand::Kind::reg:
      case Operand::Kind::address:
        return bits_[operand.register_id];
      case Operand::Kind::immediate:
        return constant(operand.bits);
      case Operand::Kind::global_symbol:
        return constant(layout_.module_offset(operand.symbol) + static_cast<std::uint64_t>(operand.offset));
      case Operand::Kind::local_symbol:
        return constant(layout_.function_offset(operand.symbol) + static_cast<std::uint64_t>(operand.offset));
      default:
        return unknown();
    }
  }

 private:
  bool visit(const Instruction& i) {
    if (i.destinations == 0 || i.operands.empty()) return false;
    bool changed = false;
    const bool simple = i.destinations == 1 && i.operands[0].kind == Operand::Kind::reg;
    if (simple) return merge(i.operands[0].register_id, value(i));
    for (std::size_t d = 0; d < i.destinations; ++d) {
      if (i.operands[d].kind == Operand::Kind::reg) changed |= merge(i.operands[d].register_id, unknown());
      for (const Operand& e : i.operands[d].elements)
        if (e.kind == Operand::Kind::reg) changed |= merge(e.register_id, unknown());
    }
    return changed;
  }

  bool merge(ptx::RegisterId id, LowBits value) {
    if (value.known < 0) return false;
    const LowBits merged = join(bits_[id], value);
    if (merged == bits_[id]) return false;
    bits_[id] = merged;
    return true;
  }

  LowBits value(const Instruction& i) const {
    const auto source = [&](std::size_t s) { return s < i.operands.size() ? of(i.operands[s]) : unknown(); };
    const LowBits a = source(1), b = source(2), c = source(3);
    const bool two = a.known >= 0 && b.known >= 0;
    switch (i.opcode) {
      case Opcode::mov:
      case Opcode::cvta:
        return a;
      case Opcode::cvt:
        return ptx::is_float(i.type) || ptx::is_float(i.source_type) ? unknown() : a;
      case Opcode::add:
        return two ? add(a, b) : LowBits{};
      case Opcode::sub:
        return two ? subtract(a, b) : LowBits{};
      case Opcode::mul:
        return i.part == ptx::MulPart::hi || ptx::is_float(i.type) ? unknown()
               : two                                               ? multiply(a, b)
                                                                   : LowBits{};
      case Opcode::mad:
        if (i.part == ptx::MulPart::hi) return unknown();
        return two && c.known >= 0 ? add(multiply(a, b), c) : LowBits{};
      case Opcode::shl:
        return !two                               ? LowBits{}
               : b.known == kBits && b.value < 32 ? multiply(a, shifted_one(b.value))
                                                  : unknown();
      case Opcode::and_:
        return two ? both(a, b) : LowBits{};
      case Opcode::or_:
        return two ? make(std::min(a.known, b.known), a.value | b.value) : LowBits{};
      case Opcode::xor_:
        return two ? make(std::min(a.known, b.known), a.value ^ b.value) : LowBits{};
      case Opcode::selp:
        return two ? join(a, b) : LowBits{};
      default:
        return unknown();
    }
  }

  static LowBits shifted_one(std::uint64_t n) { return constant(n >= kBits ? 0 : std::uint64_t{1} << n); }

  const SharedLayout& layout_;
  std::vector<LowBits> bits_;
};

// A shared load that may be merged.
struct Candidate {
  std::uint32_t pc = 0;
  std::int64_t offset = 0;
  int width = 4;
};

// Loads of one window (no barrier or store between) that share base register, its version, guard, and element
// size.
using WindowKey = std::tuple<std::int64_t, std::uint32_t, std::int64_t>;

bool is_shared_load(const Instruction& i) { return i.opcode == Opcode::ld && i.space == ptx::Space::shared; }

bool closes_window(const Instruction& i) {
  switch (i.opcode) {
    case Opcode::st:
      return i.space == ptx::Space::shared || i.space == ptx::Space::generic;
    case Opcode::atom:
    case Opcode::red:
    case Opcode::bar_sync:
    case Opcode::bar_red:
    case Opcode::bar_arrive:
    case Opcode::bar_warp_sync:
    case Opcode::membar:
    case Opcode::fence:
    case Opcode::call:
    case Opcode::cp_async_wait_all:
    case Opcode::cp_async_wait_group:
    case Opcode::stmatrix:
    case Opcode::cp_async:
      return true;
    default:
      return false;
  }
}

class Merger {
 public:
  Merger(const ptx::Function& flat, const SharedLayout& layout)
      : flat_(flat), layout_(layout), result_(flat.code.size()) {}

  std::vector<MergedLoad> run() {
    for (std::uint32_t pc = 0; pc < flat_.code.size(); ++pc) result_[pc].leader = pc;
    const bool any = std::any_of(flat_.code.begin(), flat_.code.end(), is_shared_load);
    if (!any) return std::move(result_);
    const Alignment alignment(flat_, layout_);
    const Flow flow(flat_);
    find_predecessors(flow);
    const auto& blocks = flow.blocks();
    for (std::size_t b = 0; b < blocks.size();) {
      Versions versions;
      Window window;
      walk(blocks[b], alignment, versions, window);
      while (const std::size_t joined = if_converted(flow, b)) {
        for (++b; b < joined; ++b) walk_side(blocks[b], alignment, versions);
        walk(blocks[b], alignment, versions, window);
      }
      close(window);
      ++b;
    }
    return std::move(result_);
  }

 private:
  using Versions = std::map<ptx::RegisterId, std::uint32_t>;
  using Window = std::map<WindowKey, std::pair<LowBits, std::vector<Candidate>>>;

  void find_predecessors(const Flow& flow) {
    predecessors_.assign(flow.blocks().size(), 0);
    for (const BasicBlock& block : flow.blocks())
      for (std::uint32_t next : block.successors) ++predecessors_[next];
  }

  // ptxas turns a short branch over a few instructions into predicated ones, and what was three or four basic blocks into
  // one. The block where the sides of block b meet again, if that will happen to b; else 0.
  std::size_t if_converted(const Flow& flow, std::size_t b) const {
    const auto& blocks = flow.blocks();
    const Instruction& last = flat_.code[blocks[b].end - 1];
    if (last.opcode != Opcode::bra || !last.predicated || b + 2 >= blocks.size()) return 0;
    const std::uint32_t target = flow.block_of(last.operands[0].target);
    if (!convertible(blocks[b + 1]) || predecessors_[b + 1] != 1) return 0;
    const auto& then_next = blocks[b + 1].successors;
    if (then_next.size() != 1) return 0;
    if (target == b + 2 && then_next[0] == target && predecessors_[target] == 2) return target;
    const bool diamond = b + 3 < blocks.size() && target == b + 2 && then_next[0] == b + 3 && convertible(blocks[b + 2]) && predecessors_[b + 2] == 1 &&
                         blocks[b + 2].successors.size() == 1 && blocks[b + 2].successors[0] == b + 3 && predecessors_[b + 3] == 2;
    return diamond ? b + 3 : 0;
  }

  bool convertible(const BasicBlock& block) const {
    constexpr std::uint32_t kMost = 12;  // instructions; longer sides were seen to stay branches
    if (block.end - block.begin > kMost) return false;
    for (std::uint32_t pc = block.begin; pc < block.end; ++pc) {
      const Instruction& i = flat_.code[pc];
      if (closes_window(i) || i.opcode == Opcode::ret || i.opcode == Opcode::exit || i.opcode == Opcode::brx_idx) return false;
    }
    return true;
  }

  // Instructions that every path takes.
  void walk(const BasicBlock& block, const Alignment& alignment, Versions& versions, Window& window) {
    std::vector<ptx::RegisterId> written, read;
    for (std::uint32_t pc = block.begin; pc < block.end; ++pc) {
      const Instruction& i = flat_.code[pc];
      if (closes_window(i)) close(window);
      if (is_shared_load(i)) take(i, pc, versions, alignment, window);
      registers_of(i, written, read);
      for (auto r : written) ++versions[r];
    }
  }

  // Instructions that will be predicated: their shared loads merge only among themselves.
  void walk_side(const BasicBlock& block, const Alignment& alignment, Versions& versions) {
    Window own;
    walk(block, alignment, versions, own);
    close(own);
  }

  void take(const Instruction& i, std::uint32_t pc, std::map<ptx::RegisterId, std::uint32_t>& version,
            const Alignment& alignment,
            std::map<WindowKey, std::pair<LowBits, std::vector<Candidate>>>& window) {
    const Operand& address = i.operands.back();
    const int width = ptx::size_in_bytes(i.type) * i.vector;
    result_[pc].width = static_cast<std::uint8_t>(width);
    const bool has_register = address.kind == Operand::Kind::address || address.kind == Operand::Kind::reg;
    result_[pc].offset = has_register ? address.offset : 0;
    if (i.is_volatile || width < 4 || width > 8) return;
    const std::int64_t base = has_register ? static_cast<std::int64_t>(address.register_id) : -1;
    const std::int64_t guard =
        i.predicated ? static_cast<std::int64_t>(i.guard) * 2 + (i.guard_negated ? 1 : 0) : -1;
    const std::int64_t key_guard = guard < 0 ? -1 : guard * 65536 + version[i.guard];
    const LowBits low = has_register ? alignment.of(address) : constant(0);
    auto& entry = window[{base, has_register ? version[address.register_id] : 0, key_guard}];
    entry.first = low;
    const std::int64_t offset =
        has_register
            ? address.offset
            : static_cast<std::int64_t>(
                  address.kind == Operand::Kind::immediate ? address.bits
                  : address.kind == Operand::Kind::global_symbol
                      ? layout_.module_offset(address.symbol) + static_cast<std::uint64_t>(address.offset)
                      : layout_.function_offset(address.symbol) + static_cast<std::uint64_t>(address.offset));
    entry.second.push_back({pc, offset, width});
  }

  void close(Window& window) {
    for (auto& [key, group] : window) {
      const bool absolute = std::get<0>(key) < 0;
      auto& loads = group.second;
      std::stable_sort(loads.begin(), loads.end(),
                       [](const Candidate& a, const Candidate& b) { return a.offset < b.offset; });
      for (std::size_t first = 0; first < loads.size();)
        first += merge_from(loads, first, group.first, absolute);
    }
    window.clear();
  }

  // Merges the loads at `first` and behind it into the widest access that is provably aligned; how many were
  // used.
  std::size_t merge_from(const std::vector<Candidate>& loads, std::size_t first, LowBits base,
                         bool absolute) {
    for (int target : {16, 8}) {
      const int zeros = std::countr_zero(static_cast<unsigned>(target));
      if (base.known < zeros) continue;
      const auto start = static_cast<std::uint64_t>(loads[first].offset) + base.value;
      if ((start & static_cast<std::uint64_t>(target - 1)) != 0) continue;
      std::int64_t end = loads[first].offset + loads[first].width;
      std::size_t last = first + 1;
      while (last < loads.size() && end - loads[first].offset < target && loads[last].offset == end)
        end += loads[last++].width;
      if (end - loads[first].offset != target || last - first < 2) continue;
      std::uint32_t leader = loads[first].pc;
      for (std::size_t l = first; l < last; ++l) leader = std::min(leader, loads[l].pc);
      for (std::size_t l = first; l < last; ++l) {
        result_[loads[l].pc].leader = leader;
        result_[loads[l].pc].width = static_cast<std::uint8_t>(target);
        result_[loads[l].pc].offset =
            absolute ? loads[first].offset - own_constant(loads[l].pc) : loads[first].offset;
      }
      return last - first;
    }
    return 1;
  }

  // For an absolute address the "register" is the whole address of the load itself.
  std::int64_t own_constant(std::uint32_t pc) const {
    const Operand& address = flat_.code[pc].operands.back();
    if (address.kind == Operand::Kind::immediate) return static_cast<std::int64_t>(address.bits);
    const std::uint32_t place = address.kind == Operand::Kind::global_symbol
                                    ? layout_.module_offset(address.symbol)
                                    : layout_.function_offset(address.symbol);
    return place + address.offset;
  }

  const ptx::Function& flat_;
  const SharedLayout& layout_;
  std::vector<MergedLoad> result_;
  std::vector<std::uint32_t> predecessors_;  // of each basic block
};

}  // namespace

std::vector<MergedLoad> merge_shared_loads(const ptx::Function& flat, const SharedLayout& layout) {
  return Merger(flat, layout).run();
}

std::array<std::uint32_t, 6> count_by_width(const std::vector<MergedLoad>& merged) {
  std::array<std::uint32_t, 6> counts{};
  for (std::uint32_t pc = 0; pc < merged.size(); ++pc)
    if (merged[pc].width != 0 && merged[pc].leader == pc)
      ++counts[static_cast<std::size_t>(std::countr_zero(merged[pc].width))];
  return counts;
}

}  // namespace warplens::emulator
