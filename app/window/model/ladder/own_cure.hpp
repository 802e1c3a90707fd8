// The value of one of a kernel's own sliders that mends what a picture names as a cost, by what the model predicts of both.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/window/model/ladder/speeds_ahead.hpp"
#include "engine/explain/cost.hpp"

namespace warplens::app {

struct OwnCure {
  catalog::Parameter parameter;
  std::int64_t value = 0;
  double gain = 0;  // of the kernel's time
};

// Of those that remove most of the cost and pay, the one that saves most of the time, or one that is nearer to the slider's value and
// saves about as much; nothing where none does, and until all of them are predicted: else one would be proposed, and a moment later
// another. here: the values that are set.
std::optional<OwnCure> own_cure(const std::vector<Slider>& sliders, const catalog::Values& here,
                                const PredictedSets& known, const time::Prediction& now,
                                explain::CostKind cost);

}  // namespace warplens::app
