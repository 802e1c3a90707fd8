#include "engine/problem/elements/element_evaluation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "engine/problem/elements/element_functions.hpp"
#include "engine/problem/elements/element_values.hpp"
#include "engine/problem/input.hpp"

namespace warplens::problem {
namespace {

using Kind = ElementNode::Kind;
using expression::Op;

// SplitMix64, as in engine/problem/input.cpp: any element without those before it.
double unit_random(std::uint64_t seed, double index, int draw) {
  std::uint64_t z = seed + (static_cast<std::uint64_t>(index) + 1) * 0x9e3779b97f4a7c15 +
                    static_cast<std::uint64_t>(draw) * 0xd1342543de82ef95;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

double remainder_of(double a, double b) {
  return b == 0 ? std::numeric_limits<double>::quiet_NaN() : std::fmod(a, b);
}

struct Pair {
  double value, size;
};

// What is read, chosen or cut, not computed.
bool is_exact(const ElementNode& node) {
  const auto are_exact = [&](std::size_t first) {
    return std::all_of(node.parts.begin() + static_cast<std::ptrdiff_t>(first), node.parts.end(),
                       [](const SharedElement& part) { return is_exact(*part); });
  };
  switch (node.kind) {
    case Kind::number:
    case Kind::named:
    case Kind::index:
    case Kind::load:
    case Kind::random:
      return true;
    case Kind::negate:
      return are_exact(0);
    case Kind::choose:
      return are_exact(1);
    case Kind::call: {
      const ElementFunction& function = element_functions()[static_cast<std::size_t>(node.slot)];
      return !function.rounds && are_exact(0);
    }
    case Kind::reduce:
      return (node.reduction == Reduction::least || node.reduction == Reduction::largest) && are_exact(2);
    default:
      return false;
  }
}

bool is_arithmetic(Op op) {
  return op == Op::add || op == Op::subtract || op == Op::multiply || op == Op::divide;
}

// Whether it has functions in it that pass errors on.
bool carries(const ElementNode& node) {
  if (node.kind == Kind::binary && node.op == Op::power) return true;
  if (node.kind == Kind::call && element_functions()[static_cast<std::size_t>(node.slot)].rounds) return true;
  return std::any_of(node.parts.begin(), node.parts.end(),
                     [](const SharedElement& part) { return carries(*part); });
}

// What an operation makes of what its values carry; off: with what they are off by themselves.
double carried_by(Op op, Pair a, Pair b, double a_carries, double b_carries) {
  switch (op) {
    case Op::add:
    case Op::subtract:
      return a_carries + b_carries;
    case Op::multiply:
      return std::abs(a.value) * b_carries + std::abs(b.value) * a_carries;
    case Op::divide:
      return (a_carries + std::abs(a.value / b.value) * b_carries) / std::abs(b.value);
    case Op::remainder:
      return a_carries + std::abs(a.value / b.value) * b_carries;
    default:
      return 0;
  }
}

// One operation on two values, with what it does to their sizes.
template <Op op>
Pair applied(Pair a, Pair b) {
  if constexpr (op == Op::add) return {a.value + b.value, a.size + b.size};
  if constexpr (op == Op::subtract) return {a.value - b.value, a.size + b.size};
  if constexpr (op == Op::multiply) return {a.value * b.value, a.size * b.size};
  if constexpr (op == Op::divide) {
    const double divisor = std::abs(b.value), value = a.value / b.value;
    return {value, a.size / divisor + std::abs(value) * (b.size / divisor)};
  }
  if constexpr (op == Op::remainder) {
    const double value = remainder_of(a.value, b.value);
    return {value, std::abs(value)};
  }
  if constexpr (op == Op::power) {
    const double value = std::pow(a.value, b.value);
    return {value, std::abs(value)};
  }
  double truth = 0;
  if constexpr (op == Op::equal) truth = a.value == b.value;
  if constexpr (op == Op::unequal) truth = a.value != b.value;
  if constexpr (op == Op::less) truth = a.value < b.value;
  if constexpr (op == Op::at_most) truth = a.value <= b.value;
  if constexpr (op == Op::more) truth = a.value > b.value;
  if constexpr (op == Op::at_least) truth = a.value >= b.value;
  if constexpr (op == Op::both) truth = a.value != 0 && b.value != 0;
  if constexpr (op == Op::either) truth = a.value != 0 || b.value != 0;
  return {truth, truth};
}

template <Op op>
void apply(int count, ElementValues& out, const ElementValues& right) {
  for (int i = 0; i < count; ++i) {
    const auto n = static_cast<std::size_t>(i);
    const Pair made = applied<op>({out.value[n], out.size[n]}, {right.value[n], right.size[n]});
    out.value[n] = made.value;
    out.size[n] = made.size;
  }
}

struct OperationOnAll {
  Op op;
  void (*apply)(int count, ElementValues& out, const ElementValues& right);
};
template <Op... ops>
constexpr std::array<OperationOnAll, sizeof...(ops)> operations_on_all() {
  return {{{ops, apply<ops>}...}};
}
constexpr auto kOperations =
    operations_on_all<Op::add, Op::subtract, Op::multiply, Op::divide, Op::remainder, Op::power, Op::equal,
                      Op::unequal, Op::less, Op::at_most, Op::more, Op::at_least, Op::both, Op::either>();

void fill(int count, double value, double size, ElementValues& out, double carried = 0) {
  std::fill_n(out.value.begin(), count, value);
  std::fill_n(out.size.begin(), count, size);
  std::fill_n(out.carried.begin(), count, carried);
}

// What a reduction is of no terms.
double start_of(Reduction reduction) {
  switch (reduction) {
    case Reduction::product:
    case Reduction::all:
      return 1;
    case Reduction::least:
      return std::numeric_limits<double>::infinity();
    case Reduction::largest:
      return -std::numeric_limits<double>::infinity();
    default:
      return 0;
  }
}

void accumulate(Reduction reduction, int count, const ElementValues& terms, double& value, double& size) {
  for (int i = 0; i < count; ++i) {
    const double term = terms.value[static_cast<std::size_t>(i)],
                 own = terms.size[static_cast<std::size_t>(i)];
    switch (reduction) {
      case Reduction::sum:
        value += term, size += own;
        break;
      case Reduction::product:
        size = size * own, value *= term;
        break;
      case Reduction::least:
        value = std::min(value, term), size = std::max(size, own);
        break;
      case Reduction::largest:
        value = std::max(value, term), size = std::max(size, own);
        break;
      case Reduction::count:
        value += term != 0 ? 1 : 0, size = value;
        break;
      case Reduction::any:
        value = value != 0 || term != 0, size = value;
        break;
      case Reduction::all:
        value = value != 0 && term != 0, size = value;
        break;
    }
  }
}

// What a reduction carries, of the value so far and more terms.
void carry_on(Reduction reduction, int count, const ElementValues& terms, double value, double& carried) {
  for (int i = 0; i < count; ++i) {
    const double term = terms.value[static_cast<std::size_t>(i)],
                 own = terms.carried[static_cast<std::size_t>(i)];
    if (reduction == Reduction::sum) carried += own;
    if (reduction == Reduction::product)
      carried = carried * std::abs(term) + std::abs(value) * own, value *= term;
    if (reduction == Reduction::least || reduction == Reduction::largest) carried = std::max(carried, own);
  }
}

}  // namespace

ElementEvaluation::ElementEvaluation(const ElementExpression& expression, const ElementData& data)
    : expression_(expression),
      data_(data),
      carries_(carries(*expression.root)),
      indices_(static_cast<std::size_t>(expression.indices)),
      memos_(static_cast<std::size_t>(expression.reductions)) {}

void ElementEvaluation::evaluate(int slot, std::int64_t first, int count, ElementValues& values) {
  lane_ = slot;
  first_ = static_cast<double>(first);
  set_index(slot, first);
  at(*expression_.root, count, values);
  if (!carries_) std::fill_n(values.carried.begin(), count, 0);
  lane_ = -1;
}

void ElementEvaluation::evaluate(ElementValues& values) {
  lane_ = -1;
  at(*expression_.root, 1, values);
  if (!carries_) values.carried[0] = 0;
}

void ElementEvaluation::at(const ElementNode& node, int count, ElementValues& out) {
  if (lane_ >= 0 && !depends_on_lane(node) && (count > 1 || node.kind == Kind::reduce)) {
    const int lane = std::exchange(lane_, -1);
    const double first = first_;
    at(node, 1, out);
    lane_ = lane;
    first_ = first;
    return fill(count, out.value[0], out.size[0], out, out.carried[0]);
  }
  switch (node.kind) {
    case Kind::number:
      return fill(count, node.number, std::abs(node.number), out);
    case Kind::named: {
      const double value = data_.numbers[static_cast<std::size_t>(node.slot)];
      return fill(count, value, std::abs(value), out);
    }
    case Kind::index:
      if (node.slot != lane_) {
        const double value = indices_[static_cast<std::size_t>(node.slot)];
        return fill(count, value, std::abs(value), out);
      }
      for (int i = 0; i < count; ++i) {
        const double value = first_ + i;
        out.value[static_cast<std::size_t>(i)] = value;
        out.size[static_cast<std::size_t>(i)] = std::abs(value);
        out.carried[static_cast<std::size_t>(i)] = 0;
      }
      return;
    case Kind::load:
      return load(node, count, out);
    case Kind::negate:
      at(*node.parts[0], count, out);
      for (int i = 0; i < count; ++i) out.value[static_cast<std::size_t>(i)] *= -1;
      return;
    case Kind::negation:
      at(*node.parts[0], count, out);
      for (int i = 0; i < count; ++i) {
        double& value = out.value[static_cast<std::size_t>(i)];
        out.size[static_cast<std::size_t>(i)] = value = value == 0;
        out.carried[static_cast<std::size_t>(i)] = 0;
      }
      return;
    case Kind::binary:
      return binary(node, count, out);
    case Kind::choose:
      return choose(node, count, out);
    case Kind::call:
      return call(node, count, out);
    case Kind::random:
      return random(node, count, out);
    case Kind::reduce:
      return reduce_lanes(node, count, out);
  }
}

// Whether the value grows by the same from lane to lane.
bool ElementEvaluation::is_straight(const ElementNode& node) const {
  if (!depends_on_lane(node)) return true;
  if (node.kind == Kind::index) return true;
  if (node.kind == Kind::negate) return is_straight(*node.parts[0]);
  if (node.kind != Kind::binary) return false;
  const ElementNode &a = *node.parts[0], &b = *node.parts[1];
  if (node.op == Op::add || node.op == Op::subtract) return is_straight(a) && is_straight(b);
  if (node.op != Op::multiply) return false;
  return (!depends_on_lane(a) && is_straight(b)) || (!depends_on_lane(b) && is_straight(a));
}

// Elements at the same distance, all within the buffer: without looking at each place.
bool ElementEvaluation::load_straight(const ElementNode& node, const BufferView& view, int count,
                                      ElementValues& out) {
  std::array<std::int64_t, 2> from{}, step{};
  for (std::size_t part = 0; part < node.parts.size(); ++part) {
    if (!is_straight(*node.parts[part])) return false;
    at(*node.parts[part], 2, out);
    if (!(std::abs(out.value[0]) < 0x1p52) || !(std::abs(out.value[1]) < 0x1p52)) return false;
    from[part] = static_cast<std::int64_t>(out.value[0]);
    step[part] = static_cast<std::int64_t>(out.value[1]) - from[part];
    if (static_cast<double>(from[part]) != out.value[0] ||
        static_cast<double>(from[part] + step[part]) != out.value[1])
      return false;
    const bool is_row = node.parts.size() == 2 && part == 0;
    const std::int64_t limit = node.parts.size() == 1 ? view.elements
                               : is_row ? view.elements / std::max<std::int64_t>(view.columns, 1)
                                        : view.columns;
    const std::int64_t last = from[part] + step[part] * (count - 1);
    if (from[part] < 0 || last < 0 || from[part] >= limit || last >= limit) return false;
  }
  const bool matrix = node.parts.size() == 2;
  read_elements(view.type, view.bytes, matrix ? from[0] * view.columns + from[1] : from[0],
                matrix ? step[0] * view.columns + step[1] : step[0], count, out.value.data());
  return true;
}

void ElementEvaluation::load(const ElementNode& node, int count, ElementValues& out) {
  const BufferView& view = (node.is_old ? data_.old : data_.now)[static_cast<std::size_t>(node.slot)];
  if (view.bytes == nullptr) return fill(count, 0, 0, out);
  std::fill_n(out.carried.begin(), count, 0);
  if (count > 2 && load_straight(node, view, count, out)) {
    for (int i = 0; i < count; ++i)
      out.size[static_cast<std::size_t>(i)] = std::abs(out.value[static_cast<std::size_t>(i)]);
    return;
  }
  at(*node.parts[0], count, out);
  ElementValues columns;
  const bool matrix = node.parts.size() == 2;
  if (matrix) at(*node.parts[1], count, columns);
  const double rows = matrix ? static_cast<double>(view.elements / std::max<std::int64_t>(view.columns, 1))
                             : static_cast<double>(view.elements);
  for (int i = 0; i < count; ++i) {
    const auto n = static_cast<std::size_t>(i);
    const double row = out.value[n], column = matrix ? columns.value[n] : 0;
    const bool inside =
        row >= 0 && row < rows && (!matrix || (column >= 0 && column < static_cast<double>(view.columns)));
    const std::int64_t place =
        !inside  ? 0
        : matrix ? static_cast<std::int64_t>(row) * view.columns + static_cast<std::int64_t>(column)
                 : static_cast<std::int64_t>(row);
    out.value[n] = inside ? read_element(view.type, view.bytes, place) : 0;
    out.size[n] = std::abs(out.value[n]);
    out.carried[n] = 0;
  }
}

bool ElementEvaluation::is_of_type(double value) const {
  if (data_.type == ElementType::f32) return static_cast<double>(static_cast<float>(value)) == value;
  return as_written(data_.type, value) == value;
}

// By how many roundings the operations that made it may have it off: none where it was read as it is.
double ElementEvaluation::own_rounding(const ElementNode& node, double value, double size) const {
  const bool is_one_operation = node.kind == Kind::binary && is_arithmetic(node.op) &&
                                is_exact(*node.parts[0]) && is_exact(*node.parts[1]);
  if (!is_one_operation && !is_exact(node)) return size;
  return is_of_type(value) ? 0 : std::abs(value);
}

void ElementEvaluation::binary(const ElementNode& node, int count, ElementValues& out) {
  ElementValues right;
  at(*node.parts[0], count, out);
  at(*node.parts[1], count, right);
  const ElementNode &left_node = *node.parts[0], &right_node = *node.parts[1];
  for (int i = 0; carries_ && i < count; ++i) {
    const auto n = static_cast<std::size_t>(i);
    const Pair a{out.value[n], out.size[n]}, b{right.value[n], right.size[n]};
    out.carried[n] = node.op == Op::power
                         ? carried_by_power(std::pow(a.value, b.value), a.value, b.value,
                                            out.carried[n] + own_rounding(left_node, a.value, a.size),
                                            right.carried[n] + own_rounding(right_node, b.value, b.size))
                         : carried_by(node.op, a, b, out.carried[n], right.carried[n]);
    if (node.op == Op::power) terms_ = std::max(terms_, terms_of_power(b.value));
  }
  // One rounding of what was read: no terms that cancel.
  const bool is_one_sum =
      (node.op == Op::add || node.op == Op::subtract) && is_exact(left_node) && is_exact(right_node);
  std::array<bool, kLanes> is_known;
  for (int i = 0; is_one_sum && i < count; ++i) {
    const auto n = static_cast<std::size_t>(i);
    is_known[n] = is_of_type(out.value[n]) && is_of_type(right.value[n]);
  }
  std::find_if(kOperations.begin(), kOperations.end(), [&](const OperationOnAll& row) {
    return row.op == node.op;
  })->apply(count, out, right);
  for (int i = 0; is_one_sum && i < count; ++i) {
    const auto n = static_cast<std::size_t>(i);
    if (is_known[n]) out.size[n] = std::abs(out.value[n]);
  }
}

void ElementEvaluation::choose(const ElementNode& node, int count, ElementValues& out) {
  ElementValues test, no;
  at(*node.parts[0], count, test);
  at(*node.parts[1], count, out);
  at(*node.parts[2], count, no);
  for (int i = 0; i < count; ++i) {
    const auto n = static_cast<std::size_t>(i);
    if (test.value[n] != 0) continue;
    out.value[n] = no.value[n];
    out.size[n] = no.size[n];
    out.carried[n] = no.carried[n];
  }
}

void ElementEvaluation::call(const ElementNode& node, int count, ElementValues& out) {
  const ElementFunction& function = element_functions()[static_cast<std::size_t>(node.slot)];
  std::vector<ElementValues> parts(node.parts.size());
  for (std::size_t p = 0; p < parts.size(); ++p) at(*node.parts[p], count, parts[p]);
  std::array<double, 16> x{}, sizes{}, off{};
  const int arguments = static_cast<int>(parts.size());
  for (int i = 0; i < count; ++i) {
    const auto n = static_cast<std::size_t>(i);
    for (std::size_t p = 0; p < parts.size(); ++p) {
      x[p] = parts[p].value[n], sizes[p] = parts[p].size[n];
      off[p] = carries_ ? parts[p].carried[n] : 0;
      if (function.rounds) off[p] += own_rounding(*node.parts[p], x[p], sizes[p]);
    }
    out.value[n] = function.value(x.data(), arguments);
    if (function.terms != nullptr) terms_ = std::max(terms_, function.terms(x.data()));
    out.size[n] = function.size(out.value[n], x.data(), sizes.data(), arguments);
    out.carried[n] =
        function.carried != nullptr ? function.carried(out.value[n], x.data(), off.data(), arguments) : 0;
  }
}

void ElementEvaluation::random(const ElementNode& node, int count, ElementValues& out) {
  ElementValues to;
  at(*node.parts[0], count, out);
  at(*node.parts[1], count, to);
  for (int i = 0; i < count; ++i) {
    const auto n = static_cast<std::size_t>(i);
    const double index = lane_ == 0 ? first_ + i : indices_[0];
    const double from = out.value[n];
    out.value[n] =
        value_between(data_.pattern, from, to.value[n], unit_random(data_.seed, index, 0), data_.may_grow);
    out.size[n] = std::abs(out.value[n]);
    out.carried[n] = 0;
  }
}

void ElementEvaluation::reduce_lanes(const ElementNode& node, int count, ElementValues& out) {
  if (lane_ < 0) return reduce(node, out, 0);
  if (count_lanes(node, count, out) || sum_tiles(node, count, out)) return;
  const int lane = std::exchange(lane_, -1);
  const double first = first_, own = indices_[static_cast<std::size_t>(lane)];
  for (int i = 0; i < count; ++i) {
    indices_[static_cast<std::size_t>(lane)] = first + i;
    reduce(node, out, static_cast<std::size_t>(i));
  }
  indices_[static_cast<std::size_t>(lane)] = own;
  lane_ = lane;
  first_ = first;
}

// count(k, 0, N, in[k] == i) for many i: one look at each in[k] for all of them.
bool ElementEvaluation::count_lanes(const ElementNode& node, int count, ElementValues& out) {
  const ElementNode& term = *node.parts[2];
  if (node.reduction != Reduction::count || term.kind != Kind::binary || term.op != Op::equal) return false;
  const auto is_lane = [&](const ElementNode& part) {
    return part.kind == Kind::index && part.slot == lane_;
  };
  const bool first = is_lane(*term.parts[0]);
  const ElementNode& counted = *term.parts[first ? 1 : 0];
  if (!(first || is_lane(*term.parts[1])) || depends_on_lane(counted) || depends_on_lane(*node.parts[0]) ||
      depends_on_lane(*node.parts[1]))
    return false;
  const int lane = std::exchange(lane_, -1);
  const double first_lane = first_;
  ElementValues values;
  at(*node.parts[0], 1, values);
  const double from = values.value[0];
  at(*node.parts[1], 1, values);
  const double to = values.value[0];
  fill(count, 0, 0, out);
  for (double term_at = from; term_at < to; term_at += kLanes) {
    const int terms = static_cast<int>(std::min<double>(kLanes, std::ceil(to - term_at)));
    if (!may_go_on(terms)) break;
    lane_ = node.slot;
    first_ = term_at;
    at(counted, terms, values);
    for (int i = 0; i < terms; ++i) {
      const double place = values.value[static_cast<std::size_t>(i)] - first_lane;
      if (place >= 0 && place < count && place == std::floor(place))
        out.value[static_cast<std::size_t>(place)] += 1;
    }
  }
  lane_ = lane;
  first_ = first_lane;
  for (int i = 0; i < count; ++i)
    out.size[static_cast<std::size_t>(i)] = out.value[static_cast<std::size_t>(i)];
  return true;
}

bool ElementEvaluation::may_go_on(int values) {
  if (data_.budget == nullptr) return true;
  constexpr std::uint64_t kEach = 1 << 16;  // threads meet at the budget as seldom
  unspent_ += static_cast<std::uint64_t>(values);
  if (unspent_ >= kEach) data_.budget->spend(std::exchange(unspent_, 0));
  return !data_.budget->is_spent();
}

// No index differs here. What was summed before with the same indices is gone on with.
void ElementEvaluation::reduce(const ElementNode& node, ElementValues& out, std::size_t lane) {
  double &value = out.value[lane], &size = out.size[lane], &carried = out.carried[lane];
  ElementValues terms;
  at(*node.parts[0], 1, terms);
  const double from = terms.value[0];
  at(*node.parts[1], 1, terms);
  const double to = terms.value[0];
  Memo& memo = memos_[static_cast<std::size_t>(node.id)];
  const ElementNode& term = *node.parts[2];
  bool goes_on = memo.is_known && memo.from == from && memo.to <= to;
  memo.indices.resize(indices_.size());
  for (std::size_t index = 0; index < indices_.size(); ++index) {
    const bool counts = (term.uses >> index & 1) != 0 && static_cast<int>(index) != node.slot;
    goes_on = goes_on && (!counts || memo.indices[index] == indices_[index]);
    memo.indices[index] = indices_[index];
  }
  value = goes_on ? memo.value : start_of(node.reduction);
  size = goes_on ? memo.size : (node.reduction == Reduction::product ? 1 : 0);
  carried = goes_on ? memo.carried : 0;
  const double outer_terms = std::exchange(terms_, goes_on ? memo.terms : 1);
  double at_term = goes_on ? memo.to : from;
  for (; at_term < to; at_term += kLanes) {
    const int count = static_cast<int>(std::min<double>(kLanes, std::ceil(to - at_term)));
    if (!may_go_on(count)) break;
    lane_ = node.slot;
    first_ = at_term;
    at(term, count, terms);
    lane_ = -1;
    if (carries_) carry_on(node.reduction, count, terms, value, carried);
    accumulate(node.reduction, count, terms, value, size);
  }
  // A memo of a sum within this one may have been made anew meanwhile; its place is the same.
  memo.is_known = to >= from;
  memo.from = from;
  memo.to = std::max(from, to);
  memo.value = value;
  memo.size = size;
  memo.carried = carried;
  memo.terms = terms_;
  const bool adds = node.reduction == Reduction::sum || node.reduction == Reduction::product;
  terms_ = std::max(outer_terms, terms_ * (adds ? std::max(1.0, to - from) : 1));
  if (std::isnan(from) || std::isnan(to)) value = size = std::numeric_limits<double>::quiet_NaN();
}

}  // namespace warplens::problem
