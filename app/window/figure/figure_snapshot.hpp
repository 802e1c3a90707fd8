// A figure for a file, apart from the window.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "engine/explain/explain.hpp"
#include "viz/figures/figure.hpp"
#include "viz/plot/plot.hpp"
#include "viz/scene/scene.hpp"

namespace warplens::app {

// A figure as it stands on screen, to be saved by a worker.
struct FigureSnapshot {
  std::string name;                         // for its file
  const figures::Figure* figure = nullptr;  // null: a page of its own, such as the comparison
  figures::Subject subject;
  scene::Size size;
  std::optional<plot::Plot> plot;  // with its zoom
  std::optional<scene::Scene> shown;
  explain::Explanation words = {};  // below a plot
};

// A figure that has nothing but its picture: no film and no table is made of it.
inline FigureSnapshot still_figure(std::string name, std::optional<scene::Scene> shown) {
  return {.name = std::move(name),
          .figure = nullptr,
          .subject = {},
          .size = {},
          .plot = {},
          .shown = std::move(shown)};
}

}  // namespace warplens::app
