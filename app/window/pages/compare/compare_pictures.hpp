// The pictures of a comparison: the same figure of both sides.
#pragma once

#include <array>
#include <optional>

#include "app/window/figure/figure_canvas.hpp"
#include "app/window/model/compare_model.hpp"
#include "viz/scene/scene.hpp"
#include "viz/scene/text_measure.hpp"

namespace warplens::app {

// Makes a scene anew only where a run, selection or size of either side changed: both look alike.
class ComparePictures {
 public:
  // Null where the side has not run yet. Valid until the next call for that side.
  const scene::Scene* picture(const Comparison& comparison, Side side, const figures::Figure& figure,
                              const Drawing& drawing, scene::Size size, const scene::TextMeasure& measure,
                              const Audience& audience = {});
  // What was asked for last, side by side under the names of the kernels; nothing where there is none.
  std::optional<scene::Scene> together() const;

 private:
  struct Key {
    const figures::Figure* figure = nullptr;
    figures::Subject subject = {};
    scene::Size size = {};
    bool operator==(const Key&) const = default;
  };
  struct Half {
    Key key, beside;  // of the other half
    std::optional<scene::Scene> scene;
  };
  std::array<Half, 2> halves_;
};

}  // namespace warplens::app
