// What panels wish for and files can give: a figure, the window or the state saved, a state opened.
#pragma once

#include <functional>

#include "app/window/interface.hpp"

namespace warplens::app {

// Does what is wished for and says on screen what came of it. window: the pixels of the last frame.
void grant_files(const Wishes& wishes, Model& model, Interface& interface,
                 const std::function<scene::Raster()>& window);

}  // namespace warplens::app
