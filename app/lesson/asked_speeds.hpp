// What the questions of a lesson ask for that the window would tell beforehand.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "app/lesson/stops.hpp"
#include "engine/lesson/lesson.hpp"

namespace warplens::app {

// For each kernel whose recorded speed an answer is made of, by its id: the first stop that asks for it, from
// 0. stops: of this lesson, as many as it has.
std::map<std::string, std::size_t> asked_speeds(const lesson::Lesson& lesson,
                                                const std::vector<StopState>& stops);

}  // namespace warplens::app
