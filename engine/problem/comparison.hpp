// Collects the comparison of an output with its reference into a Verification.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>

#include "engine/problem/problem.hpp"

namespace warplens::problem {

// (min(terms, 4 sqrt(terms)) + 1) 2^-24: see problem.hpp.
double sum_tolerance(std::int64_t terms);

// Elements compared one by one, in any order; parts made by several threads are merged to the same result.
// "1.5"; "NaN", whose sign says nothing, "infinity" and "-infinity".
std::string number_text(double value);

class Comparison {
 public:
  explicit Comparison(double tolerance) : tolerance_(tolerance) {}

  // A sum: right where |got - reference| <= tolerance * scale.
  void sum(std::int64_t index, float got, double reference, double scale) {
    const double error = relative_error(got, reference, scale);
    ++checked_;
    max_error_ = std::max(max_error_, error);
    if (error > tolerance_) wrong(index, got, reference);
  }
  // A copy: right where the bits are the same.
  void copy(std::int64_t index, float got, float reference) {
    ++checked_;
    if (std::bit_cast<std::uint32_t>(got) == std::bit_cast<std::uint32_t>(reference)) return;
    max_error_ = std::max(max_error_, relative_error(got, reference, std::abs(reference)));
    wrong(index, got, reference);
  }
  void merge(const Comparison& other);

  // Where no element was compared it is not verified, and says so.
  Verification result(const Buffer& output) const;

 private:
  // Never NaN: infinity represents all that is not finite.
  static double relative_error(double got, double reference, double scale) {
    const double difference = std::abs(got - reference);
    if (difference == 0) return 0;
    return scale > 0 && std::isfinite(difference) ? difference / scale
                                                  : std::numeric_limits<double>::infinity();
  }
  void wrong(std::int64_t index, float got, double reference);

  double tolerance_;
  double max_error_ = 0;
  std::int64_t checked_ = 0, wrong_ = 0, first_wrong_ = -1;
  float got_ = 0;
  double reference_ = 0;
};

// Spans of the wrong length: a failed verification that says so; else verified.
Verification check_spans(const Buffer& output, std::span<const std::byte> bytes,
                         std::span<const std::uint8_t> checked);

inline float float_at(std::span<const std::byte> bytes, std::int64_t index) {
  float value;
  std::memcpy(&value, bytes.data() + static_cast<std::size_t>(index) * sizeof(float), sizeof(float));
  return value;
}

}  // namespace warplens::problem
