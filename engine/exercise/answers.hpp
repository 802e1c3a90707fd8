// Predictions that stand in a submission as comments.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "engine/base/result.hpp"
#include "engine/lesson/grade.hpp"

namespace warplens::exercise {

// What stands behind "// answer 2:" in the text, for the second; empty where nothing does.
std::string answer_in(std::string_view text, std::size_t number);

// Right where it is the right choice's text or number, or a number that is near enough. Error: as of lesson::grade.
Result<lesson::Grade> grade_answer(const lesson::Ask& ask, const lesson::Value& value,
                                   const std::string& answer);

}  // namespace warplens::exercise
