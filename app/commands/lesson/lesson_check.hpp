// Lessons as tests: each state runs and is drawn, each question has one right choice, each claim holds.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "app/commands/lesson/lesson_desk.hpp"
#include "engine/base/json_text.hpp"

namespace warplens::app {

struct LessonFailure {
  Error error;       // with file and line
  int stop = 0;      // from 1; 0: the lesson as a whole
  std::string what;  // "file", "state", "picture", "question", "claim" or "try"
};

struct LessonCheck {
  std::size_t lessons = 0, stops = 0, states = 0, questions = 0, claims = 0, tries = 0;
  std::set<std::string> exhibits;
  std::vector<LessonFailure> failed;
};

// Adds what one lesson has and what is wrong with it.
void check_lesson(LessonDesk& desk, const OpenLesson& open, LessonCheck& check);

Json to_json(const LessonCheck& check);
std::string summary(const LessonCheck& check);  // one line

}  // namespace warplens::app
