#include "app/window/model/ahead.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace warplens::app {
namespace {

using Unlikely = std::pair<std::ptrdiff_t, catalog::Values>;  // with how unlikely they are

// Of one slider.
std::vector<Unlikely> values_of(const Slider& slider, const catalog::Values& here, const SliderMove& last) {
  const auto& choices = slider.choices;
  const auto now = std::ranges::find(choices, slider.value, &catalog::Choice::value);
  const auto is_valid = [](const auto& choice) { return choice.valid; };
  std::vector<Unlikely> list;
  for (auto it = choices.begin(); it != choices.end(); ++it) {
    if (!it->valid || it == now) continue;
    const bool is_end =
        std::none_of(choices.begin(), it, is_valid) || std::none_of(it + 1, choices.end(), is_valid);
    const std::ptrdiff_t away = std::abs(it - now);
    const std::ptrdiff_t onward = 2 * away + ((it > now) == last.up ? 0 : 1);
    const bool is_same = slider.parameter.name == last.parameter;
    list.emplace_back(is_same ? onward : is_end ? 1 : away, here);
    list.back().second[slider.parameter.name] = it->value;
  }
  return list;
}

std::vector<catalog::Values> in_order(std::vector<Unlikely> list) {
  std::ranges::stable_sort(list, {}, &Unlikely::first);
  std::vector<catalog::Values> values;
  for (Unlikely& one : list) values.push_back(std::move(one.second));
  return values;
}

}  // namespace

LikelyValues likely_values(const std::vector<Slider>& sliders, const catalog::Values& here,
                           const SliderMove& last) {
  std::vector<Unlikely> same, others;
  for (const Slider& slider : sliders) {
    auto& list = slider.parameter.name == last.parameter ? same : others;
    std::ranges::move(values_of(slider, here, last), std::back_inserter(list));
  }
  return {in_order(std::move(same)), in_order(std::move(others))};
}

}  // namespace warplens::app
