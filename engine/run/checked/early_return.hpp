// Threads that do not come to a barrier: whether the source lets them return before it, or go around it.
#pragma once

#include <string_view>

#include "engine/check/finding.hpp"

namespace warplens::run {

// Whether the line has a return, or an if whose body has one.
bool returns_at(std::string_view code, int line);
// Whether the kernel around the line has a return before it: the compiler may have joined what follows both.
bool returns_before(std::string_view code, int line);

// Whether the line begins an if or a loop, without a return, around the line `inside`: who leaves there goes around what is
// inside.
bool goes_around(std::string_view code, int line, int inside);

// Whether the innermost if or loop around the line is a loop.
bool is_in_loop(std::string_view code, int line);

// A barrier waits for the threads that have not ended, so a return before it is information. A warning where
// something is wrong, since what those were to do for the others is missing, and where a thread only went
// around the barrier: compute capability 7.0 promises nothing of that. Of masks that name lanes which have ended only the latter is told. A
// barrier in a loop gets another cure than one under a condition.
void judge_missing(check::Findings& findings, std::string_view code, bool is_wrong);

}  // namespace warplens::run
