// For tests and benchmarks: where things are. The absolute folders are known to places.cpp alone, so that the
// compiler cache knows every other source again in another folder.
#pragma once

#include <string>
#include <string_view>

namespace warplens {

// The folder of the repository, or what is `below` it, such as "assets/devices.toml".
std::string source_path(std::string_view below = "");

// The cache folder that all tests share, so that each kernel is compiled once a build tree. It is where a
// program that CTest starts has its own.
std::string test_cache_path();

// A program of this build, such as "warplens".
std::string program_path(std::string_view name);

}  // namespace warplens
