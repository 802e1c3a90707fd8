// What is said of the chosen step beside the one that it is judged against: by the recorded speeds of both, else by their predicted
// ones.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/window/model/ladder/ladder_marks.hpp"
#include "engine/study/study.hpp"
#include "viz/figures/flow/flow.hpp"

namespace warplens::app {

class Model;

class StepsBefore {
 public:
  // The inquiry is that of the place that shows the step, and must outlive this.
  explicit StepsBefore(study::Inquiry& inquiry) : inquiry_(inquiry) {}
  // Compares the chosen step with the other. Empty while that is being found.
  std::optional<figures::AgainstStep> against_of(const Model& model, const LadderMarks& marks);
  // The sentences about the chosen step and its comparison. For a preview they are those that need no counts.
  // Null if there is no run. compares: false if a lesson will still ask how the step compares.
  std::shared_ptr<const figures::StepWords> words_of(const Model& model, const LadderMarks& marks,
                                                     bool compares);
  // Whether what against_of() last said is still being found.
  bool is_comparing() const { return is_comparing_; }

 private:
  study::SharedStep before_of(const Model& model);
  study::SharedAgainst predicted(const Model& model);

  study::Inquiry& inquiry_;
  bool is_comparing_ = false;
  struct Words {
    run::SharedRun run;
    study::SharedStep before;
    std::optional<Judged> judged;
    study::SharedAgainst said;
    std::optional<figures::AgainstStep> predicted;
    bool compares = true;
    std::shared_ptr<const figures::StepWords> words;
  } words_;
};

}  // namespace warplens::app
