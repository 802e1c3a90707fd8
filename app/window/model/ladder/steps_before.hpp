// What the step before the chosen one moves at the same size, counted by a worker for figures that show it
// beside.
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

// The step that the place's kernel is judged against, to be counted as the run is. Nothing where there is
// none, and where the run is of another kernel.
std::optional<figures::LadderStep> step_before(const LadderPlace& place, const run::Run& run);

class StepsBefore {
 public:
  StepsBefore();
  // Null while it is being counted, where there is no such step, and where it does not run.
  SharedStep of(const Model& model);
  // The chosen step against the other, as both were recorded, else as both are predicted. Nothing while that
  // is being found.
  std::optional<figures::AgainstStep> against_of(const Model& model, const LadderMarks& marks);
  // What is said of the chosen step, against the other too. Of a preview as far as it is known without
  // counts. Null without a run. compares: false where a lesson has still to ask how the step does.
  std::shared_ptr<const figures::StepWords> words_of(const Model& model, const LadderMarks& marks,
                                                     bool compares);
  // Of the pipes of its ladder, at the same size on the same device. Null while that is being counted.
  SharedScale scale_of(const Model& model);
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
  // Of two steps that were not measured.
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
