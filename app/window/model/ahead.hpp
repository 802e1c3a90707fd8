// Which values of a kernel's sliders are likely to be asked for next: what is compiled while nobody waits.
#pragma once

#include <string>
#include <vector>

#include "app/window/model/model.hpp"

namespace warplens::app {

// The slider that was moved last, and where to. parameter: empty where none was.
struct SliderMove {
  std::string parameter;
  bool up = false;
};

// Complete sets of values, each without those that are there and each with the likeliest first.
struct LikelyValues {
  std::vector<catalog::Values> same;    // of the slider that was moved last
  std::vector<catalog::Values> others;  // of all others
};

// The legal values that a slider can go to from here, the nearest first, and with them its ends, where people
// pull one that they have not moved yet. Who moved a slider mostly moves it on, in the same direction.
LikelyValues likely_values(const std::vector<Slider>& sliders, const catalog::Values& here,
                           const SliderMove& last);

}  // namespace warplens::app
