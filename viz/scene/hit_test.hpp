// What is under the pointer: the same scene that is drawn answers.
#pragma once

#include <optional>
#include <string>

#include "viz/scene/scene.hpp"
#include "viz/scene/text_measure.hpp"

namespace warplens::scene {

struct Hit {
  std::string id;     // of the topmost item that has one, or of the nearest group around it
  std::string title;  // of that item; where it has none, of the nearest group around it
  Rect bounds;        // of the item, in scene coordinates
  Point local;        // the point in the item's own coordinates
  // For an image: its cell under the point, column from the left and row from the top.
  struct Cell {
    int column = 0, row = 0;
    bool operator==(const Cell&) const = default;
  };
  std::optional<Cell> cell;
};

// Lines and unfilled shapes are hit within `slop` scene pixels. Items without an id, in groups without one,
// are looked through.
std::optional<Hit> hit_test(const Scene& scene, Point point, const TextMeasure& measure, double slop = 3);

// The bounds of the item or group with this id, in scene coordinates.
std::optional<Rect> find_bounds(const Scene& scene, std::string_view id, const TextMeasure& measure);

// The smallest rectangle around a shape, in the coordinates of the group it stands in; nothing for an empty
// group.
std::optional<Rect> bounds(const Shape& shape, const TextMeasure& measure);

}  // namespace warplens::scene
