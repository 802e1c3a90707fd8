// Finds the front matter of a kernel file: the comment /*--- ... ---*/ that begins it.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "engine/base/result.hpp"

namespace warplens::catalog {

struct FrontMatter {
  std::string_view toml;  // between the marks; begins on the line of the opening one
  int line = 1;           // of the opening mark in the file, from 1
};

// Errors have the file and the line: no opening mark, no closing one, a comment that ends before it.
Result<FrontMatter> find_front_matter(std::string_view text, std::string_view path);

// Of a kernel file: the position of the first line behind the front matter that is not empty; 0 without one.
std::size_t first_code_line(std::span<const std::string_view> lines);

}  // namespace warplens::catalog
