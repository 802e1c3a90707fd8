// What came of a stop of a lesson: of its question, and of its exercise.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "app/window/model/lesson/exercise_search.hpp"
#include "engine/lesson/lesson.hpp"
#include "engine/lesson/value.hpp"

namespace warplens::app {

// What came of a stop's question, with the question: `right` and `chosen` are numbers of its choices.
struct Guess {
  std::shared_ptr<const lesson::Ask> ask;  // null: the stop asks nothing
  std::vector<int> votes;                  // of a class, by choice
  std::optional<std::size_t> chosen;       // by who is alone
  std::optional<double> typed;             // where a number is asked for
  bool is_answered = false;                // the answer was asked for: by a guess, or by the teacher
  std::optional<lesson::Value> answer;     // once it was computed
  std::optional<std::size_t> right;        // the choice that it is
  std::optional<Error> error;              // why there is no answer
};

// What came of a stop's exercise, for the run on screen.
struct Trial {
  bool is_reached = false;
  std::optional<double> value;  // of what is to be made large
  std::optional<double> best;   // the largest so far
  // What any parameters of this kernel reach; nothing while nobody has reached the goal with it.
  std::optional<ExerciseReach> known;
  std::optional<Error> error;
};

}  // namespace warplens::app
