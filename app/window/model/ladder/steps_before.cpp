#include "app/window/model/ladder/steps_before.hpp"

#include <utility>

#include "app/window/model/judged_steps.hpp"
#include "app/window/model/ladder/ladder_marks.hpp"
#include "app/window/model/model.hpp"

namespace warplens::app {

study::SharedStep StepsBefore::before_of(const Model& model) {
  const study::StepOf ladder = step_of(model, nullptr);
  return inquiry_.of({.run = model.counted_run(), .ladder = &ladder}, study::Fact::before).before;
}

study::SharedAgainst StepsBefore::predicted(const Model& model) {
  const study::StepOf ladder = step_of(model, nullptr);
  const run::SharedRun& run = model.counted_run();
  const auto other = run == nullptr ? std::nullopt : ladder.other();
  if (!other) return nullptr;
  const run::Plan& plan = run->plan();
  study::Launches launches{.step = study::like(plan, plan.spec, true),
                           .other = study::like(plan, *ladder.steps[*other], true),
                           .called = "step " + std::to_string(*other + 1)};
  launches.step.parameters = plan.parameters, launches.step.nearest = false;
  return inquiry_.of({.run = run, .launches = &launches}, study::Fact::against).against;
}

std::optional<figures::AgainstStep> StepsBefore::against_of(const Model& model, const LadderMarks& marks) {
  const study::SharedStep before = before_of(model);
  is_comparing_ = inquiry_.is_awaited(study::Fact::before);
  if (marks.judged()) {
    if (marks.said() == nullptr) return std::nullopt;
    return figures::AgainstStep{std::to_string(marks.judged()->than), marks.judged()->size, *marks.said(),
                                before == nullptr ? std::vector<std::string>() : before->says};
  }
  if (before == nullptr) return std::nullopt;
  const study::SharedAgainst said = predicted(model);
  if (said == nullptr) {
    is_comparing_ = inquiry_.is_awaited(study::Fact::against);
    return std::nullopt;
  }
  return figures::AgainstStep{before->number, "", *said, before->says};
}

std::shared_ptr<const figures::StepWords> StepsBefore::words_of(const Model& model, const LadderMarks& marks,
                                                                bool compares) {
  const run::SharedRun run = model.shared_run();
  if (run == nullptr) return nullptr;
  // A preview counts nothing. What was said of the step stays until all of it ran: without these words the
  // picture would move to their room and back, and an access be praised of a step that is slower.
  const bool is_same = words_.run != nullptr && words_.run->plan().spec.id == run->plan().spec.id;
  if (!run->complete && is_same && words_.compares == compares) return words_.words;
  const study::SharedStep before = marks.judged() || !run->complete ? nullptr : before_of(model);
  const bool is_measured = marks.judged().has_value();
  const auto predicted = compares && run->complete && !is_measured ? against_of(model, marks) : std::nullopt;
  if (words_.run == run && words_.before == before && words_.judged == marks.judged() &&
      words_.said == marks.said() && words_.compares == compares && words_.predicted == predicted)
    return words_.words;
  const auto against = compares && is_measured ? against_of(model, marks) : predicted;
  words_ = {
      run, before, marks.judged(), marks.said(), predicted, compares, figures::step_words(*run, against)};
  return words_.words;
}

}  // namespace warplens::app
