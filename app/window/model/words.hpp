// How numbers and messages are written in the window.
#pragma once

#include <filesystem>
#include <string>

namespace warplens::app {

// "17.3 M", "134.2 k", "4"
std::string short_count(double value);
// With its folder, as the user did not choose the one that the program was started in.
std::string full_name(const std::filesystem::path& file);

}  // namespace warplens::app
