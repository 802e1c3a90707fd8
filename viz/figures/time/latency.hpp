// How fast a kernel would be with other numbers of warps on a multiprocessor (SM), by the model of time:
// whether those that it has hide each other's waiting.
#pragma once

#include <memory>
#include <string>

#include "engine/time/launch/over_warps.hpp"
#include "viz/figures/parts/parts.hpp"
#include "viz/figures/parts/subject.hpp"
#include "viz/figures/time/time.hpp"
#include "viz/plot/plot.hpp"

namespace warplens::figures {

using study::over_warps_of, study::SharedOverWarps;

plot::Plot latency_plot(const run::Run& run, const time::OverWarps& over, Look look);
TimeSaid latency_words(const run::Run& run, const time::OverWarps& over);

// For the table of figures. Errors: not made yet, or not to be made.
Result<scene::Scene> draw_latency(const Subject& subject, scene::Size size,
                                  const scene::TextMeasure& measure);
Result<std::string> latency_table(const Subject& subject);

}  // namespace warplens::figures
