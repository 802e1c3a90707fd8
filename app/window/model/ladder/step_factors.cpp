#include "app/window/model/ladder/step_factors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/base/text.hpp"
#include "viz/plot/number_format.hpp"

namespace warplens::app {
namespace {

double first_amount(const StepAmount& step) { return step.as_first > 0 ? step.as_first : step.amount; }

std::string times_words(double times) {
  return times < 0.995  ? fmt::format("{:.2g}×", times)
         : times < 9.95 ? fmt::format("{:.3g}×", std::round(100 * times) / 100)
                        : grouped(static_cast<std::uint64_t>(std::llround(times))) + "×";
}

}  // namespace

std::vector<StepFactor> step_factors(std::span<const StepAmount> steps) {
  std::vector<StepFactor> factors;
  for (const StepAmount& step : steps) {
    const auto is_same = [&](const StepAmount& other) { return other.problem == step.problem; };
    const auto base = std::ranges::find_if(
        steps, [&](const StepAmount& other) { return is_same(other) && first_amount(other) > 0; });
    if (base == steps.end()) {
      factors.push_back({.base = factors.size(), .is_alone = true});
      continue;
    }
    factors.push_back({.times = step.amount / first_amount(*base),
                       .base = static_cast<std::size_t>(base - steps.begin()),
                       .is_alone = std::ranges::count_if(steps, is_same) == 1});
  }
  return factors;
}

std::string factor_words(const std::vector<StepFactor>& factors, std::size_t index) {
  const StepFactor& factor = factors[index];
  if (factor.times <= 0 || (factor.base == index && index > 0)) return "";
  const std::string times = times_words(factor.times);
  return factor.base == 0 ? times : fmt::format("{} step {}", times, factor.base + 1);
}

SpeedUnit speed_unit(std::span<const double> speeds, const std::string& unit) {
  constexpr double kLeast = 0.01, kMost = 1e4;  // that three digits say, in the room of a number
  const double most = speeds.empty() ? 0 : *std::ranges::max_element(speeds);
  double least = most, scale = most >= 1e6 ? 1e6 : most >= 1e3 ? 1e3 : 1;
  for (const double speed : speeds)
    if (speed > 0) least = std::min(least, speed);
  if (least / scale < kLeast && scale > 1 && most / (scale / 1e3) < kMost) scale /= 1e3;
  const std::string rest = unit.empty() ? "" : unit.substr(1);  // behind the G
  return {scale, (scale >= 1e6 ? "P" : scale >= 1e3 ? "T" : "G") + rest};
}

std::string speed_in(const SpeedUnit& unit, double speed) {
  constexpr double kLeast = 1e-3;  // more zeros have no room
  const double value = speed / unit.scale;
  if (value < kLeast) return "<0.001";
  std::string text = plot::plain(value, 3);
  // Three digits in each row of a list: "8.00" beside "9.27".
  const auto digits = std::ranges::count_if(text, [](char c) { return c >= '0' && c <= '9'; });
  if (value >= 1 && digits < 3)
    text += (text.find('.') == std::string::npos ? "." : "") +
            std::string(static_cast<std::size_t>(3 - digits), '0');
  return text;
}

}  // namespace warplens::app
