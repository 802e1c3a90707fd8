// How numbers and messages are written in the window.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace warplens::app {

// "17.3 M", "134.2 k", "4"
std::string short_count(double value);
// A kernel as a part of a file's name: "matmul-01_naive", or what its own file is called.
std::string file_part(const std::string& kernel);
// The first of "name.png", "name-2.png", ... that no file has: nothing is written over.
std::filesystem::path free_name(const std::filesystem::path& name, std::string_view ending);
// With its folder, as the user did not choose the one that the program was started in.
std::string full_name(const std::filesystem::path& file);

}  // namespace warplens::app
