// What a stage says of a stop of a lesson, sentence by sentence.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/lesson/lesson.hpp"

namespace warplens::lesson_scene {

// With `code` as a stage takes it.
std::string marked_text(const lesson::Spans& spans);

// Once nothing is asked any more, the most important first: what the lesson has for the stage and what there is to try, else what stands
// behind its question, else its text; of that the paragraphs up to what is none, such as a list.
// task: of the assignment in which something is written, where there is one.
std::vector<std::string> stage_sentences(const lesson::Stop& stop, std::string_view task = {});

}  // namespace warplens::lesson_scene
