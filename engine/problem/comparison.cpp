#include "engine/problem/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "engine/base/text.hpp"
#include "engine/problem/input.hpp"

namespace warplens::problem {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Mistake mistake_of(float got) {
  return std::bit_cast<std::uint32_t>(got) == kUnwritten ? Mistake::unwritten : Mistake::differs;
}

std::string got_text(float got) {
  if (mistake_of(got) == Mistake::unwritten) return "was not written";
  return std::isfinite(got) ? fmt::format("is {}", got) : "is " + number_text(got);
}

std::string place_text(const Buffer& output, std::int64_t index) {
  if (output.elements == 1) return output.name;
  const MatrixShape& shape = output.shape;
  const std::int64_t leading = std::max<std::int64_t>(1, shape.leading_dimension);
  const std::int64_t line = index / leading, place = index % leading;
  const auto row = static_cast<std::uint64_t>(shape.row_major ? line : place);
  const auto column = static_cast<std::uint64_t>(shape.row_major ? place : line);
  return fmt::format("{} at row {}, column {}", output.name, grouped(row), grouped(column));
}

Verification failed(std::string explanation) {
  Verification verification;
  verification.max_relative_error = kInfinity;
  verification.explanation = std::move(explanation);
  return verification;
}

}  // namespace

std::string number_text(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "-infinity" : "infinity";
  return fmt::format("{:.9g}", value);
}

double sum_tolerance(std::int64_t terms) {
  const auto count = static_cast<double>(terms);
  return (std::min(count, 4 * std::sqrt(count)) + 1) * 0x1p-24;
}

void Comparison::wrong(std::int64_t index, float got, double reference) {
  ++wrong_;
  if (first_wrong_ >= 0 && first_wrong_ < index) return;
  first_wrong_ = index;
  got_ = got;
  reference_ = reference;
}

void Comparison::merge(const Comparison& other) {
  checked_ += other.checked_;
  max_error_ = std::max(max_error_, other.max_error_);
  const std::int64_t sum_of_wrong = wrong_ + other.wrong_;
  if (other.first_wrong_ >= 0) wrong(other.first_wrong_, other.got_, other.reference_);
  wrong_ = sum_of_wrong;
}

Verification Comparison::result(const Buffer& output) const {
  if (checked_ == 0) return failed("no element was checked");
  Verification verification;
  verification.verified = wrong_ == 0;
  verification.max_relative_error = max_error_;
  verification.wrong_elements = wrong_;
  verification.first_wrong = first_wrong_;
  verification.tolerance = tolerance_;
  verification.checked_elements = checked_;
  if (wrong_ > 0) {
    verification.mistake = mistake_of(got_);
    verification.explanation = fmt::format(
        "{} {}, expected {}; {} of {} checked elements {} wrong", place_text(output, first_wrong_),
        got_text(got_), number_text(reference_), grouped(static_cast<std::uint64_t>(wrong_)),
        grouped(static_cast<std::uint64_t>(checked_)), wrong_ == 1 ? "is" : "are");
  }
  return verification;
}

Verification check_spans(const Buffer& output, std::span<const std::byte> bytes,
                         std::span<const std::uint8_t> checked) {
  if (bytes.size() != bytes_of(output)) {
    return failed(fmt::format("{} has {} bytes, expected {}", output.name, bytes.size(), bytes_of(output)));
  }
  if (!checked.empty() && checked.size() != output.elements) {
    return failed(fmt::format("{} flags of checked elements, expected {}", checked.size(), output.elements));
  }
  Verification fine;
  fine.verified = true;
  return fine;
}

}  // namespace warplens::problem
