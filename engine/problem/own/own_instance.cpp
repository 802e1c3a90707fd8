// The data of a problem of a kernel file, and what its result is compared with.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

#include "engine/base/text.hpp"
#include "engine/problem/comparison.hpp"
#include "engine/problem/elements/element_values.hpp"
#include "engine/problem/input.hpp"
#include "engine/problem/own/own_shape.hpp"
#include "engine/problem/parallel.hpp"

namespace warplens::problem {
namespace {

using Bytes = std::span<const std::byte>;
constexpr double kNear = 0.01;  // functions that are approximated are far off for large values
constexpr double kNotFinite = std::numeric_limits<double>::infinity();

// Elements compared one by one, in any order; parts made by several threads are merged.
struct Tally {
  std::int64_t checked = 0, wrong = 0, first_wrong = -1;
  double got = 0, expected = 0, worst = 0, tolerance = 0;

  void add_wrong(std::int64_t index, double value, double right) {
    ++wrong;
    if (first_wrong >= 0 && first_wrong < index) return;
    first_wrong = index, got = value, expected = right;
  }
  void merge(const Tally& other) {
    const std::int64_t sum = wrong + other.wrong;
    if (other.first_wrong >= 0) add_wrong(other.first_wrong, other.got, other.expected);
    wrong = sum;
    checked += other.checked;
    worst = std::max(worst, other.worst);
    tolerance = std::max(tolerance, other.tolerance);
  }
};

// Of a sum of so many terms, in roundings of its size. Sixteen of them for the functions that devices have
// approximations of. In 16 bits errors of either sign meet: the square root of the terms is what they grow
// by.
double tolerance_of(ElementType type, double terms) {
  const double one = unit_roundoff(type);
  if (type == ElementType::f16 || type == ElementType::bf16) return (std::sqrt(terms) + 8) * one;
  return (std::min(terms, 4 * std::sqrt(terms)) + 16) * one;
}

// Of what is carried by functions: their argument may be added up in any order too, and converted.
double tolerance_of_arguments(ElementType type, double terms) {
  constexpr double kMore = 3;
  const double one = unit_roundoff(type);
  if (type == ElementType::f16 || type == ElementType::bf16) return (std::sqrt(terms) + kMore) * one;
  return (std::min(terms, 4 * std::sqrt(terms)) + kMore) * one;
}

// in[i / 256]: as in C++, its writer thinks.
bool divides_in_a_place(const catalog::Written& check) {
  int depth = 0;
  for (const char c : check.text) {
    depth += c == '[' ? 1 : c == ']' ? -1 : 0;
    if (c == '/' && depth > 0) return true;
  }
  return false;
}

class OwnInstance final : public InstanceData {
 public:
  OwnInstance(std::shared_ptr<const OwnShape> shape, Request request)
      : InstanceData(std::move(request)), shape_(std::move(shape)), values_(shape_->values_of(sizes())) {}

  Verification verify(Bytes output, std::span<const std::uint8_t> checked) const override {
    std::vector<Bytes> contents(buffers().size());
    const auto main = std::ranges::find_if(buffers(), &Buffer::is_output);
    contents[static_cast<std::size_t>(main - buffers().begin())] = output;
    return verify_all(contents, checked);
  }

  Verification verify_all(std::span<const Bytes> contents,
                          std::span<const std::uint8_t> checked) const override {
    Verification result;
    if (!shape_->text.none.empty()) {
      result.explanation = part_without_value(contents);
      if (result.explanation.empty())
        result.not_checked = shape_->text.none;
      else
        result.mistake = Mistake::unwritten;
      return result;
    }
    {
      const std::lock_guard lock(mutex_);
      result.not_checked = fill_too_long_;
    }
    if (!result.not_checked.empty()) return result;
    const auto main = std::ranges::find_if(buffers(), &Buffer::is_output);
    const auto first = static_cast<std::size_t>(main - buffers().begin());
    if (const Verification spans = check_spans(*main, contents[first], checked); !spans.verified)
      return spans;
    result.verified = true;
    if (!shape_->like.empty()) {
      compare_outputs(contents, first, checked, result);
    } else {
      for (const ElementCheck& check : shape_->checks) {
        const auto output = static_cast<std::size_t>(check.output);
        if (contents[output].empty()) continue;
        const std::vector<std::uint8_t> own = output == first || checked.empty()
                                                  ? std::vector<std::uint8_t>()
                                                  : written(output, contents[output]);
        judge(check, contents, output == first ? checked : own, result);
        if (!result.not_checked.empty()) return result;
      }
    }
    if (!result.verified && std::ranges::any_of(shape_->text.check, divides_in_a_place))
      result.explanation +=
          "; in check / divides real numbers: the whole quotient of a and b is floor_div(a, b)";
    if (result.verified && result.checked_elements == 0) {
      result.verified = false;
      result.max_relative_error = kNotFinite;
      result.explanation = "no element was checked";
    }
    return result;
  }

  bool wants_reference() const override {
    const std::lock_guard lock(mutex_);
    return !shape_->like.empty() && reference_.empty();
  }
  void set_reference(std::vector<std::vector<std::byte>> outputs) const override {
    const std::lock_guard lock(mutex_);
    if (reference_.empty()) reference_ = std::move(outputs);
  }

  double operations() const override {
    const std::string& text = shape_->text.operations.text;
    return text.empty() ? 0 : std::max(0.0, shape_->number(text, sizes()));
  }

 private:
  Comparison compare(Bytes, std::span<const std::uint8_t>) const override {
    return Comparison(0);
  }  // verify_all() does

  ElementData data(std::span<const BufferView> now, std::span<const BufferView> old,
                   std::size_t buffer) const {
    return {.numbers = values_,
            .now = now,
            .old = old,
            .seed = seed() * 0x9e3779b97f4a7c15 + buffer,
            .pattern = pattern(),
            .may_grow = shape_->buffers[buffer].is_of_kind && !is_integer(buffers()[buffer].type),
            .type = is_integer(buffers()[buffer].type) ? ElementType::f32 : buffers()[buffer].type};
  }

  BufferView view(std::size_t b, Bytes bytes) const {
    const Buffer& buffer = buffers()[b];
    return {buffer.type, bytes.data(), static_cast<std::int64_t>(buffer.elements), buffer.shape.columns};
  }

  // ---- what buffers hold at the start

  bool derive(std::size_t b, std::span<std::byte> bytes) const override {
    const OwnBuffer& own = shape_->buffers[b];
    if (own.gaps && pattern() == Pattern::gaps) return fill_by(*own.gaps, b, bytes), true;
    if (own.fill) return fill_by(*own.fill, b, bytes), true;
    const bool known = own.type == ElementType::f32 || own.type == ElementType::f64;
    const bool within_bounds = pattern() == Pattern::negative && !own.is_of_kind;
    if (known && !within_bounds) return false;  // as every problem's inputs are
    fill_random(b, bytes);
    return true;
  }

  void fill_by(const ElementExpression& fill, std::size_t b, std::span<std::byte> bytes) const {
    ElementBudget budget;
    std::vector<BufferView> earlier;
    for (std::size_t e = 0; e < b; ++e) {
      const bool is_read = fill.read[e] != 0;
      earlier.push_back(is_read ? view(e, initial(e)) : BufferView());
    }
    for_parts(static_cast<std::int64_t>(buffers()[b].elements), [&](std::int64_t begin, std::int64_t end) {
      ElementData from = data(earlier, earlier, b);
      from.budget = &budget;
      ElementEvaluation evaluation(fill, from);
      ElementValues values;
      for (std::int64_t i = begin; i < end; i += kLanes) {
        const int count = static_cast<int>(std::min<std::int64_t>(kLanes, end - i));
        evaluation.evaluate(0, i, count, values);
        for (int lane = 0; lane < count; ++lane)
          write_element(buffers()[b].type, bytes.data(), i + lane,
                        floor_of(values.value[static_cast<std::size_t>(lane)], b));
      }
    });
    const std::lock_guard lock(mutex_);
    if (budget.is_spent() && fill_too_long_.empty())
      fill_too_long_ = too_long(fmt::format("filling {} with \"{}\"", buffers()[b].name, fill.text));
  }
  // random(0, 256) of whole numbers has none beside them.
  double floor_of(double value, std::size_t b) const {
    return is_integer(buffers()[b].type) ? std::floor(value) : value;
  }

  // Small whole numbers, so that sums of them fit; fractions in [-1, 1).
  void fill_random(std::size_t b, std::span<std::byte> bytes) const {
    const Buffer& buffer = buffers()[b];
    const std::int64_t columns = std::max<std::int64_t>(buffer.shape.columns, 1);
    for_parts(static_cast<std::int64_t>(buffer.elements), [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i)
        write_element(buffer.type, bytes.data(), i, start_value(buffer, b, i, columns));
    });
  }
  double start_value(const Buffer& buffer, std::size_t b, std::int64_t i, std::int64_t columns) const {
    if (pattern() == Pattern::ones) return 1;
    if (pattern() == Pattern::index || (pattern() == Pattern::identity && b > 0))
      return static_cast<double>(i % 100);
    if (pattern() == Pattern::identity) return i / columns == i % columns ? 1 : 0;
    const double unit = static_cast<double>(random_float(seed(), b, static_cast<std::uint64_t>(i)));
    // What a file's own table leaves open is from -1 to 1.
    if (pattern() == Pattern::negative && !shape_->buffers[b].is_of_kind && !is_integer(buffer.type))
      return -std::abs(unit);
    if (!is_integer(buffer.type)) return is_of_trials(pattern()) ? value_of(pattern(), unit) : unit;
    if (pattern() == Pattern::zero || pattern() == Pattern::equal) return pattern() == Pattern::equal ? 1 : 0;
    const bool has_sign = buffer.type == ElementType::i8 || buffer.type == ElementType::i16 ||
                          buffer.type == ElementType::i32 || buffer.type == ElementType::i64;
    return std::floor(has_sign ? 100 * unit : 100 * (unit + 1));
  }

  // Few parts, each from one thread: running sums begin anew in each.
  template <class Work>
  static void for_parts(std::int64_t count, const Work& work) {
    const std::int64_t part = std::max<std::int64_t>(1 << 14, (count + 7) / 8);
    parallel_for(static_cast<std::size_t>((count + part - 1) / part), [&](std::size_t p) {
      const std::int64_t begin = static_cast<std::int64_t>(p) * part;
      work(begin, std::min(count, begin + part));
    });
  }

  // ---- what is right

  std::vector<std::uint8_t> written(std::size_t b, Bytes bytes) const {
    const std::size_t size = size_in_bytes(buffers()[b].type);
    const Bytes before = initial(b);
    std::vector<std::uint8_t> flags(buffers()[b].elements);
    for (std::size_t e = 0; e < flags.size(); ++e)
      flags[e] = !std::equal(bytes.begin() + static_cast<std::ptrdiff_t>(e * size),
                             bytes.begin() + static_cast<std::ptrdiff_t>((e + 1) * size),
                             before.begin() + static_cast<std::ptrdiff_t>(e * size));
    return flags;
  }

  void judge(const ElementCheck& check, std::span<const Bytes> contents,
             std::span<const std::uint8_t> checked, Verification& result) const {
    std::vector<BufferView> now, old;
    for (std::size_t b = 0; b < buffers().size(); ++b) {
      const std::uint8_t read = check.right.read[b];
      const bool needs_old = (read & 2) != 0 || ((read & 1) != 0 && !buffers()[b].is_output);
      old.push_back(needs_old ? view(b, initial(b)) : BufferView());
      now.push_back(!buffers()[b].is_output ? old.back()
                    : contents[b].empty()   ? BufferView()
                                            : view(b, contents[b]));
    }
    const auto output = static_cast<std::size_t>(check.output);
    const BufferView result_view = view(output, contents[output]);
    Tally tally;
    std::mutex merging;
    const auto add = [&](const Tally& part) {
      const std::lock_guard lock(merging);
      tally.merge(part);
    };
    ElementBudget budget;
    ElementData from = data(now, old, output);
    from.budget = &budget;
    if (!check.at.empty()) {
      judge_one(check, from, result_view, add);
    } else if (check.is_matrix) {
      const std::int64_t columns = std::max<std::int64_t>(result_view.columns, 1);
      const std::int64_t rows = result_view.elements / columns,
                         part = std::max<std::int64_t>(1, (rows + 15) / 16);
      parallel_for(static_cast<std::size_t>((rows + part - 1) / part), [&](std::size_t p) {
        Judge judge(*this, check, from, result_view, checked);
        judge.evaluation.make_tiles(0, 1);
        const std::int64_t begin = static_cast<std::int64_t>(p) * part;
        for (std::int64_t row = begin; row < std::min(rows, begin + part); ++row) {
          judge.evaluation.set_index(0, row);
          judge.range(1, row * columns, 0, columns);
        }
        add(judge.tally);
      });
    } else {
      for_parts(result_view.elements, [&](std::int64_t begin, std::int64_t end) {
        Judge judge(*this, check, from, result_view, checked);
        judge.range(0, 0, begin, end);
        add(judge.tally);
      });
    }
    if (budget.is_spent()) return give_up(check, result);
    conclude(tally, output, contents[output], check.is_value ? "" : check.right.text, result);
  }

  std::string too_long(const std::string& what) const {
    std::string at;
    for (const auto& [name, value] : sizes())
      at +=
          fmt::format("{}{} = {}", at.empty() ? "" : ", ", name, grouped(static_cast<std::uint64_t>(value)));
    return fmt::format("{} takes more than {} terms of its sums at {}; choose a smaller size", what,
                       grouped(ElementBudget::kMost), at);
  }
  void give_up(const ElementCheck& check, Verification& result) const {
    result.verified = false;
    result.not_checked = too_long(fmt::format("the check \"{}\"", check.text));
  }

  // Of one thread.
  struct Judge {
    Judge(const OwnInstance& own, const ElementCheck& check, const ElementData& data, const BufferView& got,
          std::span<const std::uint8_t> checked)
        : instance(own), what(check), evaluation(check.right, data), result(got), flags(checked) {}

    // The elements base + first to base + end, of which the index `slot` counts.
    void range(int slot, std::int64_t base, std::int64_t first, std::int64_t end) {
      for (std::int64_t at = first; at < end;) {
        const int count = checked_from(base + at, static_cast<int>(std::min<std::int64_t>(kLanes, end - at)));
        if (count > 0) evaluation.evaluate(slot, at, count, values);
        for (int lane = 0; lane < count; ++lane) {
          const auto n = static_cast<std::size_t>(lane);
          one(base + at + lane, values.value[n], values.size[n], values.carried[n]);
        }
        at += std::max(count, 1);
      }
    }
    // How many elements from here on are checked, one after the other.
    int checked_from(std::int64_t first, int most) const {
      if (flags.empty()) return most;
      const auto begin = flags.begin() + static_cast<std::ptrdiff_t>(first);
      return static_cast<int>(std::find(begin, begin + most, std::uint8_t{0}) - begin);
    }
    void one(std::int64_t index, double expected, double size, double carried) {
      const double got = read_element(result.type, result.bytes, index);
      if (what.is_value)
        return instance.compare_one(tally, result.type, index, got, expected,
                                    {size, carried, evaluation.most_terms()});
      ++tally.checked;
      if (!(expected != 0)) tally.add_wrong(index, got, 1);
    }

    const OwnInstance& instance;
    const ElementCheck& what;
    ElementEvaluation evaluation;
    BufferView result;
    std::span<const std::uint8_t> flags;
    ElementValues values;
    Tally tally;
  };

  template <class Add>
  void judge_one(const ElementCheck& check, const ElementData& from, const BufferView& result,
                 const Add& add) const {
    std::int64_t place = 0;
    for (const ElementExpression& index : check.at) {
      ElementEvaluation evaluation(index, from);
      ElementValues values;
      evaluation.evaluate(values);
      place = place * std::max<std::int64_t>(result.columns, 1) + static_cast<std::int64_t>(values.value[0]);
      if (check.at.size() == 1) place = static_cast<std::int64_t>(values.value[0]);
    }
    Judge judge(*this, check, from, result, {});
    if (place < 0 || place >= result.elements) return add(judge.tally);
    judge.evaluation.evaluate(judge.values);
    judge.one(place, judge.values.value[0], judge.values.size[0], judge.values.carried[0]);
    add(judge.tally);
  }

  // Of how the right value was made: see ElementValues.
  struct Made {
    double size = 0, carried = 0, terms = 1;
  };
  void compare_one(Tally& tally, ElementType type, std::int64_t index, double got, double expected,
                   const Made& made) const {
    ++tally.checked;
    double tolerance = shape_->text.tolerance.value_or(tolerance_of(type, made.terms));
    if (made.carried > 0 && made.size > 0)
      tolerance += tolerance_of_arguments(type, made.terms) * made.carried / made.size;
    tally.tolerance = std::max(tally.tolerance, tolerance);
    const double right = as_written(type, expected);
    if (got == right) return;
    if (is_of_trials(pattern()) && !is_integer(type)) {
      if (!std::isfinite(right) || (shape_->has_open_scalar && std::isfinite(got))) return;
      tolerance = std::max(tolerance, kNear);
    }
    const double difference = std::abs(got - (is_integer(type) ? right : expected));
    const double scale = is_integer(type) ? std::max(1.0, std::abs(right)) : made.size;
    const double error = std::isfinite(difference) && scale > 0 ? difference / scale : kNotFinite;
    tally.worst = std::max(tally.worst, error);
    if (!(error <= tolerance) && !(difference <= least_difference(type))) tally.add_wrong(index, got, right);
  }

  // With the outputs of another kernel, which may round otherwise: its values are of the size of its larger
  // ones.
  void compare_outputs(std::span<const Bytes> contents, std::size_t first,
                       std::span<const std::uint8_t> checked, Verification& result) const {
    const std::lock_guard lock(mutex_);
    if (reference_.empty()) {
      result.verified = false;
      result.explanation = fmt::format("{}, whose result is the right one, did not run", shape_->like);
      return;
    }
    for (std::size_t b = 0; b < buffers().size(); ++b) {
      if (!buffers()[b].is_output || contents[b].empty() || reference_[b].size() != contents[b].size())
        continue;
      const ElementType type = buffers()[b].type;
      const auto count = static_cast<std::int64_t>(buffers()[b].elements);
      double sum = 0;
      for (std::int64_t i = 0; i < count; ++i) sum += std::abs(read_element(type, reference_[b].data(), i));
      const std::vector<std::uint8_t> own = checked.empty() || b == first
                                                ? std::vector<std::uint8_t>(checked.begin(), checked.end())
                                                : written(b, contents[b]);
      Tally tally;
      for (std::int64_t i = 0; i < count; ++i) {
        if (!own.empty() && own[static_cast<std::size_t>(i)] == 0) continue;
        const double right = read_element(type, reference_[b].data(), i);
        const double size = std::max(std::abs(right), sum / static_cast<double>(count));
        compare_one(tally, type, i, read_element(type, contents[b].data(), i), right, {size, 0, 1 << 16});
      }
      conclude(tally, b, contents[b], "", result);
    }
  }

  // Adds what was found of one output.
  void conclude(const Tally& tally, std::size_t output, Bytes bytes, const std::string& truth,
                Verification& result) const {
    const Buffer& buffer = buffers()[output];
    result.checked_elements += tally.checked;
    result.max_relative_error = std::max(result.max_relative_error, tally.worst);
    result.tolerance = std::max(result.tolerance, tally.tolerance);
    result.wrong_elements += tally.wrong;
    if (tally.wrong == 0) return;
    const bool is_first = result.verified;
    result.verified = false;
    if (!is_first) return;
    result.first_wrong = tally.first_wrong;
    const bool unwritten =
        !buffer.starts_filled && !buffer.starts_at_zero &&
        is_unwritten(bytes, static_cast<std::size_t>(tally.first_wrong), size_in_bytes(buffer.type));
    result.mistake = unwritten ? Mistake::unwritten : Mistake::differs;
    const std::string found = unwritten ? std::string("was not written") : "is " + number_text(tally.got);
    result.explanation = fmt::format(
        "{} {}, {}; {} of {} checked elements {} wrong", place_of(buffer, tally.first_wrong), found,
        truth.empty() ? "expected " + number_text(tally.expected)
                      : fmt::format("and {} does not hold", truth),
        grouped(static_cast<std::uint64_t>(tally.wrong)), grouped(static_cast<std::uint64_t>(tally.checked)),
        tally.wrong == 1 ? "is" : "are");
  }

  // Of an output of structs or vectors the part that no thread writes, where others are written; empty: there
  // is none.
  std::string part_without_value(std::span<const Bytes> contents) const {
    for (std::size_t b = 0; b < buffers().size(); ++b) {
      const Buffer& buffer = buffers()[b];
      const auto parts = static_cast<std::size_t>(shape_->buffers[b].parts);
      if (parts < 2 || !buffer.is_output || buffer.starts_filled || buffer.starts_at_zero ||
          contents[b].empty())
        continue;
      std::vector<bool> has_value(parts);
      for (std::size_t e = 0; e < buffer.elements; ++e)
        if (!has_value[e % parts])
          has_value[e % parts] = !is_unwritten(contents[b], e, size_in_bytes(buffer.type));
      const auto open = std::ranges::find(has_value, false);
      if (open == has_value.end() || std::ranges::count(has_value, true) == 0) continue;
      const auto part = static_cast<std::size_t>(open - has_value.begin()),
                 bytes = size_in_bytes(buffer.type);
      return fmt::format("what stands in bytes {} to {} of the {} of each element of {} was not written",
                         part * bytes, (part + 1) * bytes - 1, parts * bytes, buffer.name);
    }
    return "";
  }

  std::string place_of(const Buffer& buffer, std::int64_t index) const {
    if (buffer.elements == 1) return buffer.name;
    if (buffer.shape.rows <= 1)
      return fmt::format("{} at element {}", buffer.name, grouped(static_cast<std::uint64_t>(index)));
    return fmt::format("{} at row {}, column {}", buffer.name,
                       grouped(static_cast<std::uint64_t>(index / buffer.shape.columns)),
                       grouped(static_cast<std::uint64_t>(index % buffer.shape.columns)));
  }

  std::shared_ptr<const OwnShape> shape_;
  std::vector<double> values_;
  mutable std::mutex mutex_;  // guards what is below
  mutable std::vector<std::vector<std::byte>> reference_;
  mutable std::string fill_too_long_;  // why a buffer is not filled to its end
};

}  // namespace

std::shared_ptr<const Instance> make_own_instance(std::shared_ptr<const OwnShape> shape, Request request) {
  request.signature = shape->signature;
  return std::make_shared<OwnInstance>(std::move(shape), std::move(request));
}

}  // namespace warplens::problem
