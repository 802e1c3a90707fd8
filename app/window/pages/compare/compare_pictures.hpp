// The pictures of a comparison: the same figure of both sides.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "app/window/figure/figure_canvas.hpp"
#include "app/window/model/compare_model.hpp"
#include "viz/scene/scene.hpp"
#include "viz/scene/text_measure.hpp"

namespace warplens::app {

// Makes a scene anew only where a run, selection or size of either side changed: both look alike.
class ComparePictures {
  struct Key {
    const figures::Figure* figure = nullptr;
    figures::Subject subject = {};
    scene::Size size = {};
    bool operator==(const Key&) const = default;
  };
  struct Half {
    Key key, beside;  // of the other half
    std::optional<scene::Scene> scene;
    std::string says = {};
  };

 public:
  // Null where the side has not run yet. Valid until the next call for that side.
  const scene::Scene* picture(Comparison& comparison, Side side, const PerformanceData& performance,
                              scene::Size size, const scene::TextMeasure& measure,
                              const Audience& audience = {});
  const scene::Scene* shown(Side side) const {  // what was asked for last; null where there is none
    const Half& half = halves_[static_cast<std::size_t>(side)];
    return half.scene ? &*half.scene : nullptr;
  }
  // What the picture that was asked for last shows, a sentence; empty where it says it itself.
  const std::string& says(Side side) const { return halves_[static_cast<std::size_t>(side)].says; }
  // The cell under a point of a side's scene, as figures::pick() finds it; and the rectangles of cells in it.
  std::optional<figures::Pick> pick(Side side, scene::Point at, const scene::TextMeasure& measure) const;
  std::vector<scene::Rect> places(Side side, std::span<const figures::CellId> cells,
                                  const scene::TextMeasure& measure) const;
  // The pictures that were asked for last, side by side under the kernels' names; empty if there are none.
  std::optional<scene::Scene> together() const;

 private:
  // What a half was drawn from; empty if it has no such picture.
  std::optional<figures::Subject> subject(const Half& half) const;
  std::array<Half, 2> halves_;
};

}  // namespace warplens::app
