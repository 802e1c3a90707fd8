// A figure that has nothing but its picture: no film and no table is made of it.
#pragma once

#include "app/window/figure/figure_canvas.hpp"

namespace warplens::app {

inline FigureSnapshot still_figure(std::string id, std::optional<scene::Scene> shown) {
  FigureSnapshot figure;
  figure.name = std::move(id);
  figure.shown = std::move(shown);
  return figure;
}

}  // namespace warplens::app
