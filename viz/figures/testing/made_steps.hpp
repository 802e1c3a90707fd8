// For the tests of figures: made-up numbers of what warps round away, and of the times of a ladder's steps.
#pragma once

#include <memory>
#include <string>

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

}  // namespace warplens::figures
