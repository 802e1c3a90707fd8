// Lessons as tests: each state runs and is drawn, each question has one right choice, each claim holds.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "app/commands/lesson/lesson_desk.hpp"
#include "app/commands/lesson/lesson_gpu.hpp"
#include "engine/base/json_text.hpp"

namespace warplens::app {

struct LessonFailure {
  Error error;       // with file and line
  int stop = 0;      // from 1; 0: the lesson as a whole
  std::string what;  // "file", "state", "picture", "gpu", "question", "claim", "try" or "write"
};

struct LessonCheck {
  std::size_t lessons = 0, stops = 0, states = 0, questions = 0, claims = 0, tries = 0;
  std::size_t exercises = 0;  // in which code is written
  std::set<std::string> exhibits;
  std::string gpu = {};      // its name; empty: there is none
  std::size_t gpu_runs = 0;  // different launches there
  std::vector<LessonFailure> failed;
};

// Adds what one lesson has and what is wrong with it. gpu: null where there is none.
void check_lesson(LessonDesk& desk, const OpenLesson& open, LessonGpu* gpu, LessonCheck& check);

Json to_json(const LessonCheck& check);
std::string summary(const LessonCheck& check);  // one line

}  // namespace warplens::app
