// A slider over the listed values of a kernel's parameter.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "app/window/kit/ui.hpp"

namespace warplens::app {

// A value that is not legal beside the others cannot be chosen; its reason is shown below, or only while the
// pointer is on it. Returns where it ends.
double draw_slider(const Ui& ui, std::string_view mark, const Slider& slider, double x, double y,
                   double width, const std::function<void(std::int64_t)>& choose, bool with_reason = true);

}  // namespace warplens::app
