// What a run cost in numbers that two runs can be compared by. Pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/measured/recorded_speeds.hpp"
#include "engine/run/quantities/quantities.hpp"
#include "engine/run/run.hpp"

namespace warplens::app {

// A number of a run with the row that it is of.
struct Number {
  const run::Quantity* row = nullptr;
  std::optional<double> value = {};  // nothing: not known
  std::string_view unit = {};        // of a speed: "GFLOP/s"
};
// Those that runs are compared by, for the whole grid; the same rows in the same order for every run.
std::vector<Number> numbers_of(const run::Run& run);

// What was measured of exactly this kernel, its values and its size: null and no value where nothing was.
const measured::RecordedSpeed* recorded_speed(const measured::RecordedSpeeds& recorded, const run::Run& run);
Number recorded_number(const measured::RecordedSpeeds& recorded, const run::Run& run);

std::string text_of(const Number& quantity);

// The right run beside the left one.
struct Verdict {
  enum class Kind { same, better, worse, other };
  Kind kind = Kind::same;
  bool up = false;   // the right one is larger
  std::string text;  // "4.1× fewer", "2× more", "the same", "12 against none"
};
// Preconditions: of the same row.
Verdict compare(const Number& left, const Number& right);

// A table with a heading for a spreadsheet: columns by tabs, numbers in full.
std::string tsv_of(const run::Run& run);
std::string tsv_of(const run::Run& left, const run::Run& right, const measured::RecordedSpeeds& recorded);

}  // namespace warplens::app
