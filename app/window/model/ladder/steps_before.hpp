// Counts on a worker what the step before the chosen one moves at the same size, for figures that show both
// steps side by side.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/window/model/ladder/ladder_marks.hpp"
#include "engine/base/latest_wins.hpp"
#include "engine/run/runner.hpp"
#include "viz/figures/flow/ladder_scale.hpp"

namespace warplens::app {

class Model;
using SharedStep = std::shared_ptr<const figures::StepBefore>;
using SharedScale = std::shared_ptr<const figures::LadderScale>;

// The step that the place's kernel is judged against, which is then counted like the run. Empty if there is
// no such step, or if the run is of another kernel.
std::optional<figures::LadderStep> step_before(const LadderPlace& place, const run::Run& run);

class StepsBefore {
 public:
  StepsBefore();
  // Null while the step is being counted, if there is no such step, and if it does not run.
  SharedStep of(const Model& model);
  // Compares the chosen step with the other by their recorded speeds, or else by their predicted ones. Empty
  // while that is being found.
  std::optional<figures::AgainstStep> against_of(const Model& model, const LadderMarks& marks);
  // The sentences about the chosen step and its comparison. For a preview they are those that need no counts.
  // Null if there is no run. compares: false if a lesson will still ask how the step compares.
  std::shared_ptr<const figures::StepWords> words_of(const Model& model, const LadderMarks& marks,
                                                     bool compares);
  // The scale of the pipes for all steps of the ladder, at this size and device. Null while it is counted.
  SharedScale scale_of(const Model& model);
  // Whether what against_of() says is still being found.
  bool is_comparing() const { return worker_.busy_seconds() || againsts_.busy_seconds(); }
  std::optional<double> busy_seconds() const {
    if (const auto seconds = worker_.busy_seconds()) return seconds;
    return scales_.busy_seconds() ? scales_.busy_seconds() : againsts_.busy_seconds();
  }

 private:
  struct Request {
    std::shared_ptr<run::Runner> runner;
    figures::LadderStep step;
    std::optional<catalog::KernelSpec> judged_against;
  };
  struct ScaleRequest {
    std::shared_ptr<run::Runner> runner;
    std::vector<figures::LadderStep> steps;
  };
  std::optional<explain::Against> predicted_against(const Model& model, const LadderPlace& place);

  std::string asked_, scale_asked_;
  SharedStep step_;
  SharedScale scale_;
  // A comparison of two steps that were not measured.
  struct Predicted {
    std::shared_ptr<OfRuns> of_runs;
    run::Request step, other;
    std::string called;
  };
  std::string against_asked_;
  std::optional<explain::Against> against_;
  struct Words {
    run::SharedRun run;
    SharedStep before;
    std::optional<Judged> judged;
    std::optional<explain::Against> said;
    std::optional<figures::AgainstStep> predicted;
    bool compares = true;
    std::shared_ptr<const figures::StepWords> words;
  } words_;
  LatestWins<Request, SharedStep> worker_;
  LatestWins<ScaleRequest, SharedScale> scales_;
  LatestWins<Predicted, std::optional<explain::Against>> againsts_;
};

}  // namespace warplens::app
