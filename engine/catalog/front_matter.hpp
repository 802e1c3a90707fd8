// Finds the front matter of a kernel file: the comment /*--- ... ---*/ that begins it.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "engine/base/result.hpp"

namespace warplens::catalog {

// Whether it begins with one: /*--- that ends its line. A banner such as /*------- is a comment.
bool has_front_matter(std::string_view text);
// As other programs write it, with a byte order mark in front, and lines that end in \r alone: as NVRTC and
// TOML take it, line by line.
std::string usual_text(std::string_view text);

// Of a kernel file: the position of the first line behind the front matter that is not empty; 0 without one.
std::size_t first_code_line(std::span<const std::string_view> lines);

}  // namespace warplens::catalog
