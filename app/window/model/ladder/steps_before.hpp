// What the step before the chosen one moves at the same size, counted by a worker for figures that show it
// beside.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/window/model/ladder/ladder_marks.hpp"
#include "engine/base/latest_wins.hpp"
#include "engine/run/runner.hpp"
#include "viz/figures/flow/flow.hpp"

namespace warplens::app {

class Model;
using SharedStep = std::shared_ptr<const figures::StepBefore>;

class StepsBefore {
 public:
  StepsBefore();
  // Null while it is being counted, where there is no such step, and where it does not run.
  SharedStep of(const Model& model);
  // What is said of the chosen step, against the other as both were recorded, else by the counts of both.
  // Null without a complete run. compares: false where a lesson has still to ask how the step does.
  std::shared_ptr<const figures::StepWords> words_of(const Model& model, const LadderMarks& marks,
                                                     bool compares);
  std::optional<double> busy_seconds() const { return worker_.busy_seconds(); }

 private:
  struct Request {
    std::shared_ptr<run::Runner> runner;
    run::Request run;
    std::string number;
  };
  std::string asked_;
  SharedStep step_;
  struct Words {
    run::SharedRun run;
    SharedStep before;
    std::optional<Judged> judged;
    std::optional<explain::Against> said;
    bool compares = true;
    std::shared_ptr<const figures::StepWords> words;
  } words_;
  LatestWins<Request, SharedStep> worker_;
};

}  // namespace warplens::app
