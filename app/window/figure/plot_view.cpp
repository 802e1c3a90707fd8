#include "app/window/figure/plot_view.hpp"

#include <utility>

namespace warplens::app {
void PlotView::show(plot::Plot plot, const std::string& name, scene::Size size,
                    const scene::TextMeasure& measure) {
  if (plot_ && name == name_) plot.view = plot_->view;
  plot_ = std::move(plot);
  name_ = name;
  size_ = size;
  layout_ = plot::layout_plot(*plot_, plot::plot_area(size), measure);
}

bool PlotView::set(plot::View view, const scene::TextMeasure& measure) {
  if (!plot_ || plot_->view == view) return false;
  plot::Plot plot = *std::move(plot_);
  plot.view = std::move(view);
  plot_ = std::move(plot);
  layout_ = plot::layout_plot(*plot_, plot::plot_area(size_), measure);
  return true;
}

bool PlotView::zoom(scene::Point around, double factor, const scene::TextMeasure& measure) {
  if (!plot_ || !layout_.frame.contains(around)) return false;
  return set(plot::zoomed(layout_, around, factor), measure);
}

bool PlotView::move(scene::Point by, const scene::TextMeasure& measure) {
  return plot_ && set(plot::panned(layout_, by), measure);
}

bool PlotView::reset(const scene::TextMeasure& measure) { return set({}, measure); }

std::optional<plot::Nearest> PlotView::nearest(scene::Point at) const {
  return plot_ ? plot::nearest(*plot_, layout_, at) : std::nullopt;
}

scene::Scene PlotView::draw(const scene::TextMeasure& measure) const {
  return plot::plot_scene(*plot_, size_, measure);
}

}  // namespace warplens::app
