// Where the ticks of an axis stand and what they say.
#pragma once

#include <string>
#include <vector>

#include "viz/plot/number_format.hpp"

namespace warplens::plot {

enum class Scale { linear, log10, log2, category };

struct Range {
  double low = 0, high = 1;
  bool operator==(const Range&) const = default;
};

struct Tick {
  double value = 0;
  std::string label;  // empty for a minor tick
  bool major = true;
  bool operator==(const Tick&) const = default;
};

// The loose labelling of Talbot, Lin and Hanrahan, "An extension of Wilkinson's algorithm for positioning
// tick labels on axes" (2010), without its legibility term: about `count` round numbers near [low, high].
std::vector<double> nice_numbers(Range range, double count);

// Ticks inside the range, minor ones between; about `count` major ones. Log scales: decades or powers of two,
// and at 2 and 5 (or like a linear scale) where there are few. Precondition for log scales: range.low > 0.
std::vector<Tick> ticks(Range range, Scale scale, double count, Notation notation);

// About `count` multiples of a power of two inside a linear range, each cut in four by minor ones.
std::vector<Tick> binary_ticks(Range range, double count, Notation notation);

}  // namespace warplens::plot
