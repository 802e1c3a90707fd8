// The text of a stop: paragraphs, lists and tables of a small part of Markdown.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "engine/lesson/lesson.hpp"

namespace warplens::lesson {

struct ProseMistake {
  int line = 0;  // from 0, in `lines`
  std::string message, next_step;
};

// Mistakes are what the format does not have: it would be shown as it is written.
std::vector<Block> parse_prose(std::span<const std::string_view> lines, std::vector<ProseMistake>& mistakes);

}  // namespace warplens::lesson
