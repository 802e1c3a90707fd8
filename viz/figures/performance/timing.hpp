// How the samples of a measured time lie: how many took how long, in which order they came, which are outliers,
// and the clock meanwhile. Of a recording that kept no samples: their quantiles.
#pragma once

#include <string>

#include "engine/explain/explain.hpp"
#include "engine/measured/timing.hpp"
#include "viz/figures/parts/subject.hpp"
#include "viz/scene/scene.hpp"
#include "viz/scene/text_measure.hpp"

namespace warplens::figures {

// Of the GPU that ran it; null where none did.
measured::SharedTiming timing_of(const run::Report& report);

// "20.9 µs in the median, 80 % of the samples within 0.6 % of it", and what lies further away.
explain::Explanation timing_words(const measured::Timing& timing);

// For the table of figures. Errors: nothing was measured of exactly this launch.
Result<scene::Scene> draw_timing(const Subject& subject, scene::Size size, const scene::TextMeasure& measure);
// Rows "sample,seconds,outlier"; where none were kept, with the names of quantiles.
Result<std::string> timing_table(const Subject& subject);

}  // namespace warplens::figures
