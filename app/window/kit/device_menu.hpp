// The chips whose rules count, and the GPUs on which kernels run.
#pragma once

#include <string>
#include <string_view>

#include "app/window/kit/ui.hpp"

namespace warplens::app {

// A button with every chip behind it; a click chooses it for the whole window. with_gpus: those of this
// machine too, on which kernels then run.
void draw_device_menu(const Ui& ui, std::string_view name, const Rect& rect, std::string_view text,
                      std::string_view tip, bool with_gpus = false);

std::string short_name(const device::Device& device);  // without the brand

}  // namespace warplens::app
