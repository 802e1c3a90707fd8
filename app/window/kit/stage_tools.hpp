// What a teacher does with the picture in front of a class, beside choosing it.
#pragma once

#include <vector>

#include "viz/scene/geometry.hpp"

namespace warplens::app {

struct StageTools {
  // Nothing is shown, so that the class looks at the teacher.
  enum class Blank { none, black, white } blank = Blank::none;
  bool hides_picture = false;  // the question first; in a lesson its questions hide it
  bool has_sliders = false, has_pointer = false, has_pen = false;
  // Drawn with the pen, in shares of the window's width and height.
  std::vector<std::vector<scene::Point>> strokes = {};

  void toggle(Blank other) { blank = blank == other ? Blank::none : other; }
  // Another picture is looked at.
  void turn_page() { blank = Blank::none, hides_picture = false, strokes.clear(); }
};

}  // namespace warplens::app
