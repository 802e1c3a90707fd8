// How far a sum of floats is from the true one, addition by addition: of the thread of a warp whose result is
// the furthest off, with the results of all its threads.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "engine/run/derived/rounding.hpp"
#include "viz/figures/parts/parts.hpp"
#include "viz/figures/parts/subject.hpp"

namespace warplens::figures {

using study::Rounding, study::SharedRounding;

// "The sum is 13 units of its last place off", and against the other step.
explain::Explanation rounding_words(const Rounding& rounding);

// For the table of figures. Errors: not made yet, or not to be made.
Result<scene::Scene> draw_rounding(const Subject& subject, scene::Size size,
                                   const scene::TextMeasure& measure);
// Rows "thread,result,exact,error,units_off".
Result<std::string> rounding_table(const Subject& subject);

}  // namespace warplens::figures
