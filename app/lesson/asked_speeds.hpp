// What the questions of a lesson ask for that the window would tell beforehand.
#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "engine/lesson/lesson.hpp"

namespace warplens::app {

// For each kernel whose recorded speed an answer is made of, by its id: the first stop that asks for it, from
// 0.
std::map<std::string, std::size_t> asked_speeds(const lesson::Lesson& lesson);

}  // namespace warplens::app
