// A stop of a lesson as what a stage says.
#pragma once

#include <string_view>

#include "app/window/model/lesson/lesson_player.hpp"
#include "viz/lesson/stage.hpp"

namespace warplens::app {

// Precondition of both: a lesson is open.
lesson_scene::Stage lesson_stage(const LessonPlayer& player);
// What a click on "choice:2" or "stop:4" of that stage does.
void click_lesson_stage(LessonPlayer& player, std::string_view id);

}  // namespace warplens::app
