// The TOML of a lesson: its front matter and its fenced blocks.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/lesson/lesson.hpp"

namespace warplens::lesson {

// Errors have the line, but no file. line: of the text's first line in the lesson.
std::vector<Error> read_front_matter(std::string_view toml, int line, Lesson& lesson);

struct FencedBlock {
  std::optional<Part> part;
  std::vector<Error> errors;
};
FencedBlock read_fenced(const std::string& name, const std::string& text, int line);

}  // namespace warplens::lesson
