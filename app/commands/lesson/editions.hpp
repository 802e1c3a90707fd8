// The hand-outs that a lesson has: for whoever reads alone, for students in a class, for who teaches it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.hpp"
#include "engine/exercise/assignment.hpp"
#include "engine/lesson/lesson.hpp"

namespace warplens::app {

enum class Edition : std::uint8_t {
  reader,  // each question with its answer
  student,  // no answers, hints and solutions; what follows a question gives it away and is left out; room to write
  teacher,  // answers, times, what to draw on the board, what usually goes wrong, solutions
};
// Of --edition; empty is the reader's. Error: another word.
Result<Edition> edition_named(std::string_view name);

// Minutes from the lesson's beginning at which each of its stops begins: its minutes shared out by what a class does
// there, which is to read, to guess, or to write.
std::vector<int> beginnings(const lesson::Lesson& lesson);
// "from 12 min, 3 min"
std::string time_words(const lesson::Lesson& lesson, std::size_t stop);

// A kernel's text without its front matter, line by line.
std::vector<std::string> code_lines(std::string_view kernel);
// Those lines of `text` that `start` does not have: what was written.
std::vector<std::string> written_lines(const std::string& start, const std::string& text);

// What has to hold of an answer, in the assignment's words.
std::vector<std::string> goals_of(const exercise::Assignment& assignment);

}  // namespace warplens::app
