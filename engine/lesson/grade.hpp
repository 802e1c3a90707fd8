// Questions: which choice is right once the answer is computed, and what to say to a wrong one.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "engine/base/result.hpp"
#include "engine/lesson/lesson.hpp"
#include "engine/lesson/value.hpp"

namespace warplens::lesson {

// The number that a choice counts as: the first one in it; "not at all" is 1, "none" and "nothing" are 0.
std::optional<double> number_in(std::string_view text);

// Whether the answer stands in the file as the text of a choice: then there is nothing to compute.
bool answer_is_a_choice(const Ask& ask);

// The choice that is right. Numbers: the nearest one on a log scale, at most 40 % away from the answer.
// Texts: the one that is equal; yes and no stand for true and false. Error: none of them, or two at once; the
// question is badly put.
Result<std::size_t> right_choice(const Ask& ask, const Value& answer);

// How an answer is said where it was computed: "4,438", "1 % (computed: 0.966)", "no". right: the choice that
// it is, where there are choices.
std::string answer_words(const Ask& ask, const Value& answer, std::optional<std::size_t> right);

// What a choice is called by: A for the first.
constexpr char letter_of(std::size_t choice) { return static_cast<char>('A' + choice); }
// The choice that a digit means: where choices begin with a number, the one whose number it is; else the one in
// this place, from 1.
std::optional<std::size_t> choice_of_digit(const Ask& ask, int digit);

struct Grade {
  bool right = false;
  std::string reason = {};  // why a wrong choice is wrong, where the file says it
};
// Error: as right_choice; there is no such choice.
Result<Grade> grade(const Ask& ask, const Value& answer, std::size_t chosen);
// A typed number: right where it is near enough to the answer. Error: the answer is no number.
Result<Grade> grade_number(const Ask& ask, const Value& answer, double typed);

}  // namespace warplens::lesson
