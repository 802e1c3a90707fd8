// The best that an exercise of a lesson can reach: all sets of parameters of its kernel are tried beside the
// window.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>

#include "app/lesson/stop_context.hpp"
#include "engine/lesson/lesson.hpp"

namespace warplens::app {

// An exercise as it is at a stop whose run is the goal's kernel.
struct ExerciseAtStop {
  std::shared_ptr<const lesson::Lesson> lesson;
  std::shared_ptr<const catalog::Catalog> catalog;
  StopState stop;
  lesson::Try exercise;
};

struct ExerciseReach {
  std::optional<double> best;       // of the sets that reach the goal; nothing is to be made large: 1
  std::size_t reached = 0;          // how many do
  std::size_t tried = 0, sets = 0;  // fewer tried than there are: it goes on, or its time was up
  bool is_whole() const { return tried == sets; }
};
// Takes half a minute at most; partial is called with what is known after each set that reaches the goal.
ExerciseReach reach_of(const ExerciseAtStop& at, const LessonBench& bench, const std::atomic<bool>& cancel,
                       const std::function<void(ExerciseReach)>& partial);

}  // namespace warplens::app
