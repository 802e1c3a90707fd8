#include "app/window/model/ladder/own_cure.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <vector>

#include "engine/explain/payoff/payoff.hpp"

namespace warplens::app {
namespace {

constexpr double kAlike = 0.02;  // of the time: what warps that run apart make of it

struct Found {
  OwnCure cure;
  std::int64_t away = 0;  // from the slider's value
};

}  // namespace

std::optional<OwnCure> own_cure(const std::vector<Slider>& sliders, const catalog::Values& here,
                                const PredictedSets& known, const time::Prediction& now,
                                explain::CostKind cost) {
  std::vector<Found> all;
  for (const Slider& slider : sliders)
    for (const catalog::Choice& choice : slider.choices) {
      if (!choice.valid || choice.value == slider.value) continue;
      catalog::Values values = here;
      values[slider.parameter.name] = choice.value;
      const PredictedSets::Known other = known.find(values);
      if (other == nullptr) return std::nullopt;
      if (!*other || !explain::removes(**other, now, cost)) continue;
      all.push_back({{slider.parameter, choice.value, 1 - (*other)->seconds / now.seconds},
                     std::abs(choice.value - slider.value)});
    }
  const auto gain = [](const Found& found) { return found.cure.gain; };
  const auto best = std::ranges::max_element(all, {}, gain);
  if (best == all.end() || !explain::pays(best->cure.gain)) return std::nullopt;
  const auto is_worse = [&](const Found& found) {
    return found.cure.parameter.name != best->cure.parameter.name || gain(found) < gain(*best) - kAlike;
  };
  std::vector<Found> as_good;
  std::ranges::remove_copy_if(all, std::back_inserter(as_good), is_worse);
  return std::ranges::min_element(as_good, {}, &Found::away)->cure;
}

}  // namespace warplens::app
