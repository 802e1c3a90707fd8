// One stop of a lesson, or one step of a ladder, in front of a class: a headline, one picture, a question
// with the class's guesses, one sentence, and how far the lesson has come. Type is for the last row: nothing
// is smaller than 2.5 % of the height, but for what the picture itself says.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "viz/scene/scene.hpp"
#include "viz/scene/text_measure.hpp"

namespace warplens::lesson_scene {

enum class Mark { none, right, wrong };
struct StageChoice {
  std::string text;
  int votes = 0;
  Mark mark = Mark::none;
};

// Headline, context and sentences may have `code` in them, whose spaces shall be breakless.
struct Stage {
  std::string lesson;                  // its title
  std::string heading;                 // what the stop is called
  std::string headline;                // the question, or again what the stop is called
  std::string context;                 // in place of a covered picture: what the question is about
  std::string sentence;                // below the picture; may be empty
  std::vector<std::string> more = {};  // sentences that follow it, where there is room for them
  std::vector<StageChoice> choices;
  std::string prompt;  // below the choices: what comes next
  bool is_covered = false;
  bool has_column = false;          // beside the picture, though nothing is asked
  std::size_t stop = 0, stops = 1;  // from 0
  double type = 1;                  // times as large, where the teacher wants that
};

// What a stage still has room for.
inline constexpr double kLeastType = 0.75, kMostType = 1.5;

struct StageLayout {
  scene::Rect picture, question;  // question: without width where nothing is asked
};
// size: scene pixels; made for 1280 x 720 and the same shape, larger or smaller.
StageLayout stage_layout(const Stage& stage, scene::Size size, const scene::TextMeasure& measure);

// Whether all sentences have room: those that have none are left out, and with them what the stop is about.
bool says_all(const Stage& stage, scene::Size size, const scene::TextMeasure& measure);

// All but the picture. Choices can be hit as "choice:0" and so on, the marks of the stops as "stop:0".
scene::Scene draw_stage(const Stage& stage, scene::Size size, const scene::TextMeasure& measure);

// In place of a picture that the class shall guess first: what the question is about.
void add_cover(scene::Group& group, const scene::Rect& rect, const std::string& context,
               const scene::TextMeasure& measure);

}  // namespace warplens::lesson_scene
