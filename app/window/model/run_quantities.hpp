// What a run cost in numbers that two runs can be compared by. Pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/measured/recorded_speeds.hpp"
#include "engine/run/runner.hpp"

namespace warplens::app {

enum class Better { fewer, more, neither };
enum class Form { count, percent, bytes, speed };

// Emulated, and for the whole grid: where only a sample of the blocks ran, scaled by their number.
struct Quantity {
  std::string_view name;
  double value = 0;
  Better better = Better::fewer;
  Form form = Form::count;
  std::string_view meaning;    // the formula behind the number
  std::string_view unit = {};  // of a speed: "GFLOP/s"
};
// The same names in the same order for every run.
std::vector<Quantity> quantities_of(const run::Run& run);

// What was measured of exactly this kernel, its values and its size: null and value 0 where nothing was.
const measured::RecordedSpeed* recorded_speed(const measured::RecordedSpeeds& recorded, const run::Run& run);
Quantity recorded_quantity(const measured::RecordedSpeeds& recorded, const run::Run& run);

std::string text_of(const Quantity& quantity);

// The right run beside the left one.
struct Verdict {
  enum class Kind { same, better, worse, other };
  Kind kind = Kind::same;
  bool up = false;   // the right one is larger
  std::string text;  // "4.1× fewer", "2× more", "the same", "12 against none"
};
// Preconditions: of the same row.
Verdict compare(const Quantity& left, const Quantity& right);

// A table with a heading for a spreadsheet: columns by tabs, numbers in full.
std::string tsv_of(const run::Run& run);
std::string tsv_of(const run::Run& left, const run::Run& right, const measured::RecordedSpeeds& recorded);

}  // namespace warplens::app
