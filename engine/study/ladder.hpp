// What is known of a run by the other steps of its ladder, each counted or predicted at the run's size on its device: the step
// before, the thickest pipe of all steps, and their times.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/catalog/ladders.hpp"
#include "engine/explain/against.hpp"
#include "engine/measured/recorded_speeds.hpp"
#include "engine/run/runner.hpp"
#include "engine/time/predict_run.hpp"

namespace warplens::study {

struct LadderStep {
  std::string number;  // in its ladder, from 1
  run::Request run;
};
// To run or count a step as a plan is: with the values of its own file or the nearest that the device takes, but for the parameters
// that their problem's check or operations have, at the plan's size on its device. Behind what the user waits for it takes one thread and waits for the compiler.
run::Request like(const run::Plan& plan, const catalog::KernelSpec& step, bool in_background = false);

// Those of a ladder's steps that solve the plan's problem.
std::vector<LadderStep> steps_of_problem(std::span<const catalog::KernelSpec* const> ladder,
                                         const run::Plan& plan, bool in_background = false);

// The thickest pipe of a ladder's steps, so that their pictures have one scale.
struct LadderScale {
  double bytes = 0;    // of one unit of work, as StepCount counts it
  std::string number;  // of the step that has it
};
// Of one that has this number; the pipes whose traffic is counted, not what caches may keep.
void widen(LadderScale& scale, const run::StepCount& count, int shared_banks, const std::string& number);
// Without the steps that do not run; of those before where it was cancelled.
LadderScale ladder_scale(run::Runner& runner, std::span<const LadderStep> steps,
                         const std::atomic<bool>& cancel);

// The step before in the ladder, at the same size, of which less is known.
struct StepBefore {
  StepBefore(std::string its_number, std::string its_title, run::StepCount its_count)
      : number(std::move(its_number)), title(std::move(its_title)), count(std::move(its_count)) {}
  std::string number, title;
  run::StepCount count;
  // What its access figure says of its loads, that of the one on which it opens first; empty: not known.
  std::vector<std::string> says = {};
};
// Counted; and what it says of its loads, by its recorded blocks. judged_against: that it is compared with itself, null where there
// is none. Null where it does not run, or was cancelled.
std::shared_ptr<const StepBefore> step_before(run::Runner& runner, const LadderStep& step,
                                              const catalog::KernelSpec* judged_against,
                                              const std::atomic<bool>& cancel);

struct StepTime {
  std::string kernel, number, title;
  time::Prediction predicted;
  int sms = 0;                               // of the device
  double recorded = 0;                       // seconds, of exactly this launch; 0: it was not measured
  std::optional<catalog::Turns> turns = {};  // of all threads

  // Cycles: of an SM for one turn of a warp, and of such a warp itself, which waits beside others. Without
  // turns 0.
  double sm_cycles() const;
  double warp_cycles() const;
};
// Those of one problem, at one size on one device.
struct LadderTimes {
  std::vector<StepTime> steps;
  std::string against = {};  // number of the step that the run's one is judged against; empty: there is none
};
// Whether the ladder says of each step what it does again and again.
bool has_turns(const LadderTimes& times);

// The run itself as it is, other steps of its problem with the values of their files. Steps that do not run
// are left out. recorded: on the run's device.
LadderTimes ladder_times(explain::Sides& sides, const run::Run& run,
                         std::span<const catalog::KernelSpec* const> ladder, const catalog::Ladder& taught,
                         const measured::RecordedSpeeds& recorded, const std::atomic<bool>& cancel);

}  // namespace warplens::study
