// A list of actions played in a process of its own, so that its death is an answer and not the end.
#pragma once

#include <string>
#include <vector>

#include "app/window/testing/monkey/action.hpp"

namespace warplens::app::monkey {

struct Limits {
  double hang = 30;  // seconds without an action done
};

struct Outcome {
  std::string death;  // what it died of, in words; empty: it lived
  std::string said;   // on stderr
  std::string did;    // the actions that were begun, with words for people, one a line
  std::size_t begun = 0;
};

// program: this one, whose main() calls play_here. It dies of a signal, of an exception that nobody caught,
// of a sanitizer's report, where an action does not end in time, and of what must not happen
// (World::after_action).
Outcome play(const std::string& program, const Actions& actions, const Limits& limits);

// The child's side: plays what stands in the file, and says what it does on stdout. Returns the exit code.
int play_here(const std::string& file);

inline constexpr int kNoCage = 77;  // exit code: see keep_writes_below; CTest takes it for a skip

}  // namespace warplens::app::monkey
