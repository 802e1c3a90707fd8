// What panels wish for and files can give: a figure, the window or the state saved, a state opened.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "app/window/interface.hpp"

namespace warplens::app {

// With its folder, as the user did not choose the one that the program was started in.
std::string full_name(const std::filesystem::path& file);

// Does what is wished for and says on screen what came of it. window: the pixels of the last frame.
void grant_files(const Wishes& wishes, Model& model, Interface& interface,
                 const std::function<scene::Raster()>& window);

}  // namespace warplens::app
