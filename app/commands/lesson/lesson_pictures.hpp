// What a stop of a lesson shows, as a picture in a file: the figure that `warplens export` draws of its
// state.
#pragma once

#include "app/commands/lesson/lesson_desk.hpp"
#include "viz/scene/picture_words.hpp"
#include "viz/scene/scene.hpp"

namespace warplens::app {

// Two pictures side by side where the stop compares, or shows both memories of the playground. Errors: what
// cannot be run or drawn, a wrong result, a figure that only the window draws. Source of a few lines is lower
// than `size`. words: filled with what the picture says, where it is wanted; of two pictures with both.
Result<scene::Scene> stop_picture(LessonDesk& desk, StopContext& stop, scene::Size size,
                                  scene::PictureWords* words = nullptr);

// Instead of the picture, until the question is answered.
scene::Scene covered_picture(const std::string& question, scene::Size size,
                             const scene::TextMeasure& measure);

// Whether the stop's figure is drawn by the window alone: there is no picture of it in a file.
bool is_of_window(const State& state);

}  // namespace warplens::app
