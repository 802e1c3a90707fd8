// For the tests of figures: made-up numbers of what warps round away, of the times of a ladder's steps, and of
// the samples of a timing.
#pragma once

#include <memory>
#include <string>

#include "engine/measured/timing.hpp"
#include "viz/figures/time/waits.hpp"
#include "viz/figures/warp/rounding.hpp"

namespace warplens::figures {

inline trace::ThreadRounding thread_off_by(double units) {
  trace::ThreadRounding thread{.stored = true, .exact = 12.5};
  thread.result = thread.exact + units * thread.unit();
  for (std::uint32_t at = 1; at <= 64; ++at)
    thread.steps.push_back({at, units * thread.unit() * at / 64 * (at % 2 == 0 ? 1 : 0.8)});
  return thread;
}

inline trace::WarpRounding warp_off_by(double units) {
  trace::WarpRounding warp;
  for (int lane = 0; lane < 32; ++lane)
    warp.threads[static_cast<std::size_t>(lane)] = thread_off_by(units * (lane % 5 - 2) / 2);
  return warp;
}

inline StepTime step_time(const std::string& kernel, const char* number, double cycles, double waiting,
                          double busy) {
  StepTime step;
  step.kernel = kernel, step.number = number, step.title = std::string("Step ") + number;
  step.predicted.cycles = cycles, step.predicted.seconds = 1e-9 * cycles, step.predicted.resident_warps = 4;
  step.predicted.limiter = "issue", step.predicted.units.issue = busy;
  step.predicted.stalls[static_cast<std::size_t>(time::Stall::long_scoreboard)] = waiting;
  step.predicted.stalls[static_cast<std::size_t>(time::Stall::selected)] = 1 - waiting;
  step.sms = 10;
  step.turns = catalog::Turns{"load", 3200};
  return step;
}

inline SharedLadderTimes times_of(const run::Run& run) {
  LadderTimes times;
  times.steps = {step_time(run.plan().spec.id, "5", 4000, 0.9, 0.1),
                 step_time("latency/06", "6", 1000, 0.2, 0.8)};
  times.against = "6";
  return std::make_shared<const LadderTimes>(std::move(times));
}

// 60 samples around 20 microseconds, of which the fifth and the fortieth were disturbed.
inline measured::SharedTiming made_timing() {
  measured::Timing timing{.samples = 60,
                          .launches_per_sample = 5,
                          .least = 19.8e-6,
                          .p10 = 19.9e-6,
                          .median = 20e-6,
                          .p90 = 20.1e-6,
                          .clock_mhz = 1980,
                          .lowest_clock_mhz = 1755,
                          .power_watts = 312,
                          .held_back_by = {"power cap"},
                          .device = "NVIDIA H100 80GB HBM3"};
  for (int i = 0; i < timing.samples; ++i)
    timing.seconds.push_back(1e-7 * (198 + i * 7 % 5) + (i == 4 || i == 39 ? 2e-6 : 0));
  return std::make_shared<const measured::Timing>(std::move(timing));
}

}  // namespace warplens::figures
