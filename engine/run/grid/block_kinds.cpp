#include "engine/run/grid/block_kinds.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>
#include <optional>
#include <vector>

#include "engine/run/grid/moved_constants.hpp"

namespace warplens::run {
namespace {

using ptx::Instruction, ptx::Opcode, ptx::Operand, ptx::Special;

using Slope = std::array<std::int64_t, 3>;  // by the block's index in x, y and z

// What is known of a register in all blocks.
struct Value {
  enum class Kind : std::uint8_t {
    unset,    // not written yet
    related,  // a value that is the same in all blocks, plus a slope times the block's index
    other,    // from memory, or related to the block in another way
  };
  Kind kind = Kind::unset;
  // More than one where branches, selections, least and greatest values choose: each choice is the outcome of
  // a comparison, which the witnesses of a box share.
  std::vector<Slope> slopes = {Slope{}};
  std::optional<std::int64_t> constant = {};     // where it is one and known
  std::uint64_t may_be_set = ~std::uint64_t{0};  // bits; the others are 0
  // What it is not below: of max(0, N - x) 0. Nothing: not known.
  std::optional<std::int64_t> least = {};

  bool is_same() const { return kind == Kind::related && slopes.size() == 1 && slopes[0] == Slope{}; }
  bool operator==(const Value&) const = default;
};

Value other() { return {.kind = Value::Kind::other}; }
Value same() { return {.kind = Value::Kind::related}; }
Value same_below(std::uint64_t limit) {
  Value value = same();
  value.may_be_set = std::bit_ceil(limit) - 1;
  return value;
}
Value constant(std::int64_t number) {
  Value value = same();
  value.constant = value.least = number;
  value.may_be_set = static_cast<std::uint64_t>(number);
  return value;
}
Value related(std::vector<Slope> slopes) {
  constexpr std::size_t kMostSlopes = 6;
  std::sort(slopes.begin(), slopes.end());
  slopes.erase(std::unique(slopes.begin(), slopes.end()), slopes.end());
  if (slopes.size() > kMostSlopes) return other();
  return {.kind = Value::Kind::related, .slopes = std::move(slopes)};
}

bool is_unset(const Value& value) { return value.kind == Value::Kind::unset; }
bool is_other(const Value& value) { return value.kind == Value::Kind::other; }

// One of the two, as comparisons decide.
Value join(const Value& a, const Value& b) {
  if (is_unset(a)) return b;
  if (is_unset(b) || a == b) return a;
  if (is_other(a) || is_other(b)) return other();
  std::vector<Slope> slopes = a.slopes;
  slopes.insert(slopes.end(), b.slopes.begin(), b.slopes.end());
  Value value = related(std::move(slopes));
  value.may_be_set = a.may_be_set | b.may_be_set;
  if (a.least && b.least) value.least = std::min(*a.least, *b.least);
  return value;
}

// From the lowest of these bits on.
std::uint64_t from_lowest(std::uint64_t bits) { return ~(bits - 1) | bits; }

Value greater_of(const Value& a, const Value& b) {
  Value value = join(a, b);
  if (is_other(value)) return value;
  value.least = std::max(a.least, b.least);  // nothing is less than any number
  return value;
}

Value sum(const Value& a, const Value& b, std::int64_t sign) {
  if (is_other(a) || is_other(b)) return other();
  if (a.constant && b.constant) return constant(*a.constant + sign * *b.constant);
  std::vector<Slope> slopes;
  for (const Slope& left : a.slopes)
    for (const Slope& right : b.slopes)
      slopes.push_back({left[0] + sign * right[0], left[1] + sign * right[1], left[2] + sign * right[2]});
  Value value = related(std::move(slopes));
  const std::uint64_t either = a.may_be_set | b.may_be_set;
  const bool carries = (a.may_be_set & b.may_be_set) != 0 || sign < 0;
  value.may_be_set = carries ? from_lowest(either) : either;
  return value;
}

// Without the overflow of signed numbers.
std::int64_t times(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

Value product(const Value& a, const Value& b) {
  if (is_other(a) || is_other(b)) return other();
  if (a.constant && b.constant) return constant(times(*a.constant, *b.constant));
  if (a.is_same() && b.is_same()) return same();
  const Value& factor = a.constant ? a : b;
  const Value& varying = a.constant ? b : a;
  if (!factor.constant) return other();
  std::vector<Slope> slopes = varying.slopes;
  for (Slope& slope : slopes)
    for (std::int64_t& of_direction : slope) of_direction = times(of_direction, *factor.constant);
  Value value = related(std::move(slopes));
  const std::uint64_t by = factor.may_be_set;
  value.may_be_set =
      std::has_single_bit(by) ? varying.may_be_set * by : from_lowest(varying.may_be_set * (by & -by));
  return value;
}

Value same_with_bits(std::uint64_t may_be_set) {
  Value value = same();
  value.may_be_set = may_be_set;
  return value;
}

// Bits that do not meet add up.
Value joined_bits(const Value& a, const Value& b) {
  if (a.is_same() && b.is_same()) return same_with_bits(a.may_be_set | b.may_be_set);
  const bool meet = (a.may_be_set & b.may_be_set) != 0;
  return is_other(a) || is_other(b) || meet ? other() : sum(a, b, 1);
}

// Of a value that all blocks share; the distance is known.
Value shifted_right(const Value& a, std::int64_t distance, bool has_sign) {
  if (distance < 0 || distance > 63) return same();
  return same_with_bits(has_sign
                            ? static_cast<std::uint64_t>(static_cast<std::int64_t>(a.may_be_set) >> distance)
                            : a.may_be_set >> distance);
}

bool is_ordering(ptx::Compare compare) {
  using C = ptx::Compare;
  return compare != C::eq && compare != C::ne && compare != C::equ && compare != C::neu &&
         compare != C::num && compare != C::nan;
}

// Of memory on every device, and a row of all banks.
constexpr std::uint64_t kLine = 128;

class Analysis {
 public:
  Analysis(const emulator::Kernel& kernel, const emulator::Launch& launch)
      : function_(with_moved_constants(kernel.function())),
        launch_(launch),
        values_(function_.registers.size()) {}

  BlockKinds find() {
    while (visit_all()) {
    }
    for (const Instruction& i : function_.code) check(i);
    return std::move(found_);
  }

 private:
  bool visit_all() {
    bool changed = false;
    for (const Instruction& i : function_.code) changed |= visit(i);
    return changed;
  }

  bool merge(const Operand& operand, const Value& value) {
    if (operand.kind == Operand::Kind::vector) {
      bool changed = false;
      for (const Operand& element : operand.elements)
        changed |= merge(element, is_same(value) ? same() : other());
      return changed;
    }
    if (operand.kind != Operand::Kind::reg) return false;
    Value& known = values_[operand.register_id];
    const Value merged = join(known, value);
    if (merged == known) return false;
    known = merged;
    return true;
  }
  static bool is_same(const Value& value) { return value.is_same(); }

  bool visit(const Instruction& i) {
    if (i.destinations == 0) return false;
    const Value value = guarded(i, result(i));
    if (is_unset(value)) return false;
    bool changed = false;
    for (std::size_t d = 0; d < i.destinations; ++d) changed |= merge(i.operands[d], value);
    return changed;
  }

  // Where the guard is from memory, whether it is written is too.
  Value guarded(const Instruction& i, const Value& value) const {
    return i.predicated && is_other(values_[i.guard]) ? other() : value;
  }

  Value of_special(Special special) const {
    const auto index = [&](Special first) {
      return static_cast<std::size_t>(special) - static_cast<std::size_t>(first);
    };
    if (special >= Special::tid_x && special <= Special::tid_z)
      return same_below(launch_.block[index(Special::tid_x)]);
    if (special >= Special::ntid_x && special <= Special::ntid_z)
      return constant(launch_.block[index(Special::ntid_x)]);
    if (special >= Special::nctaid_x && special <= Special::nctaid_z)
      return constant(launch_.grid[index(Special::nctaid_x)]);
    if (special >= Special::ctaid_x && special <= Special::ctaid_z) {
      if (launch_.grid[index(Special::ctaid_x)] == 1) return constant(0);
      Slope slope{};
      slope[index(Special::ctaid_x)] = 1;
      return related({slope});
    }
    if (special == Special::laneid) return same_below(32);
    const bool of_cluster = special >= Special::cluster_ctaid_x && special <= Special::nclusterid_z;
    const bool varies = of_cluster || special == Special::smid || special == Special::nsmid ||
                        special == Special::pm ||
                        (special >= Special::clock && special <= Special::globaltimer_hi);
    return varies ? other() : same();
  }

  Value of(const Operand& operand) const {
    switch (operand.kind) {
      case Operand::Kind::reg:
        return values_[operand.register_id];
      case Operand::Kind::address:
        return is_unset(values_[operand.register_id]) ? values_[operand.register_id]
                                                      : sum(values_[operand.register_id], same(), 1);
      case Operand::Kind::immediate:
        return constant(static_cast<std::int64_t>(operand.bits));
      case Operand::Kind::special:
        return of_special(operand.special);
      case Operand::Kind::vector: {
        Value all = same();
        for (const Operand& element : operand.elements) {
          const Value value = of(element);
          if (is_unset(value)) return value;
          if (!value.is_same()) all = other();
        }
        return all;
      }
      default:
        return same();
    }
  }

  Value parameter(const Instruction& i) const {
    const Operand& from = i.operands[1];
    const std::size_t bytes = ptx::size_in_bytes(i.type);
    if (from.kind != Operand::Kind::parameter_symbol || i.vector > 1 || ptx::is_float(i.type)) return same();
    const auto at = function_.parameters[from.symbol].offset + static_cast<std::uint64_t>(from.offset);
    if (bytes > 8 || at + bytes > launch_.arguments.size()) return same();
    std::uint64_t bits = 0;
    std::memcpy(&bits, launch_.arguments.data() + at, bytes);
    const auto unused = static_cast<int>(64 - 8 * bytes);
    return constant(static_cast<std::int64_t>(bits << unused) >> unused);
  }

  // Of so many bits without a sign; what has a slope is taken not to leave them.
  static Value widened(const Value& value, bool is_signed, std::size_t bytes) {
    if (!value.constant || is_signed || bytes >= 8 || *value.constant >= 0) return value;
    return constant(static_cast<std::int64_t>(static_cast<std::uint64_t>(*value.constant) &
                                              ((std::uint64_t{1} << (8 * bytes)) - 1)));
  }

  Value converted(const Instruction& i, const Value& a) const {
    if (a.is_same() && !a.constant) return ptx::is_float(i.type) || ptx::is_float(i.source_type) ? same() : a;
    if (ptx::is_float(i.type) || ptx::is_float(i.source_type)) return a.is_same() ? same() : other();
    if (a.constant) return widened(a, ptx::is_signed(i.source_type), ptx::size_in_bytes(i.source_type));
    return ptx::size_in_bytes(i.type) >= 4 ? a : other();
  }

  Value multiplied(const Instruction& i, const Value& a, const Value& b) const {
    if (i.part == ptx::MulPart::hi) return a.is_same() && b.is_same() ? same() : other();
    const bool is_wide = i.part == ptx::MulPart::wide;
    const std::size_t bytes = ptx::size_in_bytes(i.type);
    const bool has_sign = ptx::is_signed(i.type);
    return is_wide ? product(widened(a, has_sign, bytes), widened(b, has_sign, bytes)) : product(a, b);
  }

  Value compared(const Instruction& i, const Value& a, const Value& b) const {
    if (is_other(a) || is_other(b)) return other();
    const bool same_slope = a.slopes.size() == 1 && a.slopes == b.slopes;
    // What is never below 0 is 0 where it is not above.
    const bool is_with_least = (b.constant && a.least == b.constant) || (a.constant && b.least == a.constant);
    return same_slope || is_with_least || is_ordering(i.compare) ? same() : other();
  }

  Value result(const Instruction& i) const {
    std::vector<Value> from;
    for (std::size_t o = i.destinations; o < i.operands.size(); ++o) {
      from.push_back(of(i.operands[o]));
      if (is_unset(from.back())) return {};
    }
    const bool all_same = std::all_of(from.begin(), from.end(), is_same);
    if (i.opcode == Opcode::ld && i.space == ptx::Space::param) return parameter(i);
    switch (i.opcode) {
      case Opcode::ld:
      case Opcode::ldu:
      case Opcode::atom:
      case Opcode::ldmatrix:
      case Opcode::wmma_load:
      case Opcode::call:
      case Opcode::elect:
        return other();
      case Opcode::mov:
        return i.operands[0].kind == Operand::Kind::vector || i.operands[1].kind == Operand::Kind::vector
                   ? (all_same ? same() : other())
                   : from[0];
      case Opcode::cvta:
        return from[0];
      case Opcode::shfl:
        return of_another_lane(from[0]);
      case Opcode::setp: {
        const Value outcome = compared(i, from[0], from[1]);
        return from.size() > 2 && is_other(from[2]) ? other() : outcome;
      }
      case Opcode::selp:
        if (is_other(from[2])) return other();
        return join(from[0], from[1]);
      default:
        return ptx::is_float(i.type) ? (all_same ? same() : other()) : integer(i, from, all_same);
    }
  }

  static Value of_another_lane(const Value& value) {
    return is_other(value) ? other() : related(value.slopes);
  }

  // Constants as registers hold them.
  Value integer(const Instruction& i, const std::vector<Value>& from, bool all_same) const {
    const Value whole = whole_integer(i, from, all_same);
    const bool is_half = whole.constant && ptx::size_in_bytes(i.type) == 4 && i.part != ptx::MulPart::wide;
    return is_half ? constant(static_cast<std::int32_t>(*whole.constant)) : whole;
  }

  Value whole_integer(const Instruction& i, const std::vector<Value>& from, bool all_same) const {
    switch (i.opcode) {
      case Opcode::cvt:
        return converted(i, from[0]);
      case Opcode::add:
        return sum(from[0], from[1], 1);
      case Opcode::sub:
        return sum(from[0], from[1], -1);
      case Opcode::mul:
        return multiplied(i, from[0], from[1]);
      case Opcode::mad:
        return sum(multiplied(i, from[0], from[1]), from[2], 1);
      case Opcode::shl:
        if (!from[1].constant || *from[1].constant < 0 || *from[1].constant > 62)
          return all_same ? same() : other();
        return product(from[0], constant(std::int64_t{1} << *from[1].constant));
      case Opcode::or_:
        return i.type == ptx::Type::pred ? (all_same ? same() : other()) : joined_bits(from[0], from[1]);
      case Opcode::and_:
        if (i.type == ptx::Type::pred || !all_same) return all_same ? same() : other();
        return same_with_bits(from[0].may_be_set & from[1].may_be_set);
      case Opcode::shr:
        if (!all_same || !from[1].constant) return all_same ? same() : other();
        return shifted_right(from[0], *from[1].constant, ptx::is_signed(i.type));
      case Opcode::min:
        return join(from[0], from[1]);
      case Opcode::max:
        return greater_of(from[0], from[1]);
      default:
        return all_same ? same() : other();
    }
  }

  void refuse(const Instruction& i, const std::string& what) {
    if (!found_.why_not.empty()) return;
    const int line = i.location < 0 ? 0 : function_.locations[static_cast<std::size_t>(i.location)].line;
    found_.why_not = line > 0 ? "line " + std::to_string(line) + " " + what : "the kernel " + what;
  }

  void check(const Instruction& i) {
    if (i.predicated && is_other(values_[i.guard])) refuse(i, "branches on more than a block's place");
    if (i.opcode == Opcode::call) refuse(i, "calls a function of the system");
    if (i.opcode == Opcode::brx_idx && !of(i.operands[0]).is_same()) refuse(i, "branches by a table");
    if (i.opcode == Opcode::cp_async && i.operands.size() > 3 && !of(i.operands[3]).is_same())
      refuse(i, "copies as many bytes as memory says");
    for (const Operand& operand : i.operands)
      if (operand.is_memory) check_address(i, operand);
  }

  void check_address(const Instruction& i, const Operand& operand) {
    const Value address = of(operand);
    if (is_unset(address) || i.space == ptx::Space::param) return;
    if (is_other(address)) return refuse(i, "takes an address from more than a block's place");
    for (const Slope& slope : address.slopes)
      for (std::size_t d = 0; d < 3; ++d) {
        const auto apart = static_cast<std::uint64_t>(std::abs(slope[d]));
        const std::uint64_t period = kLine / std::gcd(kLine, apart == 0 ? kLine : apart);
        found_.period[d] = std::max(found_.period[d], period);  // both are powers of two
      }
  }

  ptx::Function function_;
  const emulator::Launch& launch_;
  std::vector<Value> values_;
  BlockKinds found_;
};

}  // namespace

BlockKinds block_kinds(const emulator::Kernel& kernel, const emulator::Launch& launch) {
  return Analysis(kernel, launch).find();
}

}  // namespace warplens::run
