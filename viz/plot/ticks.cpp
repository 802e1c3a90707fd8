#include "viz/plot/ticks.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace warplens::plot {
namespace {

// The steps, the best first, and the weights of the paper.
constexpr std::array<double, 6> kSteps{1, 5, 2, 2.5, 4, 3};
constexpr double kWeightSimplicity = 0.25, kWeightCoverage = 0.2, kWeightDensity = 0.5;

double simplicity(std::size_t i, double j, bool has_zero) {
  return 1 - static_cast<double>(i) / (kSteps.size() - 1) - j + 1 + (has_zero ? 1 : 0);
}

double coverage(Range data, double low, double high) {
  const double range = 0.1 * (data.high - data.low), a = data.high - high, b = data.low - low;
  return 1 - 0.5 * (a * a + b * b) / (range * range);
}

double most_coverage(Range data, double span) {
  const double range = data.high - data.low;
  if (span <= range) return 1;
  const double half = (span - range) / 2;
  return 1 - half * half / (0.01 * range * range);
}

double density(double k, double count, Range data, double low, double high) {
  const double r = (k - 1) / (high - low);
  const double rt = (count - 1) / (std::max(high, data.high) - std::min(low, data.low));
  return 2 - std::max(r / rt, rt / r);
}

double most_density(double k, double count) { return k >= count ? 2 - (k - 1) / (count - 1) : 1; }

double score(double s, double c, double d) {
  return kWeightSimplicity * s + kWeightCoverage * c + kWeightDensity * d;
}

struct Best {
  double score = -2, low = 0, step = 0;
  int count = 0;
};

// All starts for one step, one number of ticks and one skip.
void try_starts(Range data, double count, std::size_t i, int j, int k, int z, Best& best) {
  const double step = j * kSteps[i] * std::pow(10, z);
  const double first = std::floor(data.high / step) * j - (k - 1) * j, last = std::ceil(data.low / step) * j;
  for (double start = first; start <= last; ++start) {
    const double low = start * step / j, high = low + step * (k - 1);
    const double remainder = std::fmod(std::fmod(low, step) + step, step);
    const bool zero = (remainder < 1e-10 * step || step - remainder < 1e-10 * step) && low <= 0 && high >= 0;
    const double s =
        score(simplicity(i, j, zero), coverage(data, low, high), density(k, count, data, low, high));
    if (s > best.score) best = {s, low, step, k};
  }
}

void try_counts(Range data, double count, std::size_t i, int j, Best& best) {
  for (int k = 2; k < 40; ++k) {
    const double dm = most_density(k, count);
    if (score(simplicity(i, j, true), 1, dm) < best.score) break;
    const double delta = (data.high - data.low) / (k + 1) / j / kSteps[i];
    for (int z = static_cast<int>(std::ceil(std::log10(delta)));; ++z) {
      const double span = j * kSteps[i] * std::pow(10, z) * (k - 1);
      if (score(simplicity(i, j, true), most_coverage(data, span), dm) < best.score || z > 400) break;
      try_starts(data, count, i, j, k, z, best);
    }
  }
}

double rounded_to(double value, double step) {
  // Sums of a decimal step in binary drift: 0.30000000000000004 is 0.3.
  const double exact = std::round(value / step) * step;
  const double unit = std::pow(10, std::floor(std::log10(step)) - 3);
  return std::round(exact / unit) * unit;
}

// Digits enough to tell labels apart, at least three.
int digits_for(Range range, double step) {
  const double most = std::max(std::abs(range.low), std::abs(range.high));
  const int digits = most > 0 && step > 0
                         ? static_cast<int>(std::floor(std::log10(most)) - std::floor(std::log10(step))) + 2
                         : 3;
  return std::clamp(digits, 3, 12);
}

bool within(Range range, double v) {
  const double hair = 1e-9 * (range.high - range.low);
  return v >= range.low - hair && v <= range.high + hair;
}

std::vector<Tick> linear_ticks(Range range, double count, Notation notation) {
  const auto numbers = nice_numbers(range, count);
  if (numbers.size() < 2) return {};
  const double step = numbers[1] - numbers[0];
  // A step of 1 or 5 halves twice or five-fold into round minor steps; 2 and 4 into four; 2.5 into five; 3
  // into three.
  const double lead = step / std::pow(10, std::floor(std::log10(step) + 1e-9));
  const int parts = std::abs(lead - 3) < 0.01                                ? 3
                    : std::abs(lead - 2) < 0.01 || std::abs(lead - 4) < 0.01 ? 4
                                                                             : 5;
  std::vector<Tick> ticks;
  for (double major = numbers.front() - step; major <= numbers.back() + step / 2; major += step) {
    const double at = rounded_to(major, step);
    if (within(range, at)) ticks.push_back({at, formatted(at, notation, digits_for(range, step)), true});
    for (int p = 1; p < parts; ++p)
      if (const double minor = at + step * p / parts; within(range, minor))
        ticks.push_back({minor, "", false});
  }
  return ticks;
}

std::vector<Tick> decade_ticks(Range range, double count, Notation notation) {
  const int first = static_cast<int>(std::floor(std::log10(range.low) - 1e-9)),
            last = static_cast<int>(std::ceil(std::log10(range.high) + 1e-9));
  const double decades = std::log10(range.high / range.low);
  const int every = std::max(1, static_cast<int>(std::ceil(decades / std::max(count, 1.0))));
  const bool fives = decades * 3 <= count + 1;
  std::vector<Tick> ticks;
  for (int e = first; e <= last; ++e) {
    for (int m = 1; m < 10; ++m) {
      const double value = m * std::pow(10.0, e);
      if (value < range.low * (1 - 1e-9) || value > range.high * (1 + 1e-9)) continue;
      const bool major = m == 1 ? e % every == 0 : fives && (m == 2 || m == 5);
      if (every > 1 && m != 1) continue;
      ticks.push_back({value, major ? formatted(value, notation, 3) : "", major});
    }
  }
  return ticks;
}

std::vector<Tick> octave_ticks(Range range, double count, Notation notation) {
  const int first = static_cast<int>(std::ceil(std::log2(range.low) - 1e-9)),
            last = static_cast<int>(std::floor(std::log2(range.high) + 1e-9));
  const int every = std::max(1, static_cast<int>(std::ceil((last - first + 1) / std::max(count, 1.0))));
  std::vector<Tick> ticks;
  for (int e = first; e <= last; ++e) {
    const double value = std::exp2(e);
    const bool major = (last - e) % every == 0;  // where curves end, their size is said
    ticks.push_back({value, major ? formatted(value, notation, 6) : "", major});
  }
  return ticks;
}

}  // namespace

std::vector<double> nice_numbers(Range data, double count) {
  if (!std::isfinite(data.low) || !std::isfinite(data.high)) return {};
  count = std::max(count, 2.0);
  if (data.high - data.low < 1e-12 * std::max(1e-300, std::abs(data.high))) return {data.low};
  Best best;
  for (int j = 1; j < 20 && score(simplicity(0, j, true), 1, 1) >= best.score; ++j)
    for (std::size_t i = 0; i < kSteps.size(); ++i)
      if (score(simplicity(i, j, true), 1, 1) >= best.score) try_counts(data, count, i, j, best);
  std::vector<double> numbers;
  for (int k = 0; k < best.count; ++k) numbers.push_back(rounded_to(best.low + best.step * k, best.step));
  return numbers;
}

std::vector<Tick> ticks(Range range, Scale scale, double count, Notation notation) {
  if (!(range.high > range.low) || !std::isfinite(range.low) || !std::isfinite(range.high)) return {};
  const auto majors = [](const std::vector<Tick>& t) {
    return std::count_if(t.begin(), t.end(), [](const Tick& x) { return x.major; });
  };
  std::vector<Tick> found;
  if (scale == Scale::log10 && range.low > 0) found = decade_ticks(range, count, notation);
  if (scale == Scale::log2 && range.low > 0) found = octave_ticks(range, count, notation);
  // Less than a decade or two: round numbers say more than powers.
  return majors(found) >= 2 ? found : linear_ticks(range, count, notation);
}

std::vector<Tick> binary_ticks(Range range, double count, Notation notation) {
  if (!(range.high > range.low) || !std::isfinite(range.low) || !std::isfinite(range.high)) return {};
  const double step = std::exp2(std::ceil(std::log2((range.high - range.low) / std::max(count, 1.0)) - 1e-9));
  std::vector<Tick> ticks;
  for (double quarter = std::ceil(range.low / step * 4); quarter * step / 4 <= range.high; ++quarter) {
    const bool major = std::fmod(quarter, 4) == 0;
    const double at = quarter * step / 4;
    ticks.push_back({at, major ? formatted(at, notation, 6) : "", major});
  }
  return ticks;
}

}  // namespace warplens::plot
