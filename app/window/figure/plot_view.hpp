// A plot on screen: the wheel zooms around the pointer, a drag moves, and what the pointer rests on is named.
#pragma once

#include <optional>
#include <string>

#include "viz/plot/plot_layout.hpp"

namespace warplens::app {

class PlotView {
 public:
  // Points and sizes below are in pixels of the plot's own scene. The zoom stays while the name does.
  void show(plot::Plot plot, const std::string& name, scene::Size size, const scene::TextMeasure& measure);
  void hide() { plot_.reset(); }
  bool is_shown() const { return plot_.has_value(); }
  const plot::Plot& plot() const { return *plot_; }  // precondition: is_shown()

  // Each answers whether the scene changed.
  bool zoom(scene::Point around, double factor, const scene::TextMeasure& measure);
  bool move(scene::Point by, const scene::TextMeasure& measure);
  bool reset(const scene::TextMeasure& measure);
  bool is_zoomed() const { return plot_ && plot_->view != plot::View{}; }

  std::optional<plot::Nearest> nearest(scene::Point at) const;
  scene::Scene draw(const scene::TextMeasure& measure) const;  // precondition: is_shown()

 private:
  bool set(plot::View view, const scene::TextMeasure& measure);
  std::optional<plot::Plot> plot_;
  std::string name_;
  scene::Size size_;
  plot::Layout layout_;
};

}  // namespace warplens::app
