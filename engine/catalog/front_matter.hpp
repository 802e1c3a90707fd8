// Finds the front matter of a kernel file: the comment /*--- ... ---*/ that begins it.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "engine/base/result.hpp"

namespace warplens::catalog {

// Of a kernel file: the position of the first line behind the front matter that is not empty; 0 without one.
std::size_t first_code_line(std::span<const std::string_view> lines);

}  // namespace warplens::catalog
