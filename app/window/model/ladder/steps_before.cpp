#include "app/window/model/ladder/steps_before.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/window/model/judged_steps.hpp"
#include "app/window/model/ladder/ladder_marks.hpp"
#include "app/window/model/model.hpp"
#include "engine/base/text.hpp"

namespace warplens::app {

std::optional<figures::LadderStep> step_before(const LadderPlace& place, const run::Run& run) {
  const run::Plan& plan = run.plan();
  const auto other =
      plan.spec.id == place.state.kernel ? judged_against(place, step_index(place)) : std::nullopt;
  if (!other) return std::nullopt;
  return figures::LadderStep{std::to_string(*other + 1),
                             {.spec = *place.steps[*other],
                              .parameters = {},
                              .sizes = plan.sizes,
                              .device = plan.device,
                              .threads = 1,
                              .background = true,
                              .nearest = true}};
}

StepsBefore::StepsBefore()
    : worker_(
          [](const Request& request, const std::atomic<bool>& cancel, const auto&) -> SharedStep {
            return figures::step_before(*request.runner, request.step,
                                        request.judged_against ? &*request.judged_against : nullptr, cancel);
          },
          {}),
      scales_(
          [](const ScaleRequest& request, const std::atomic<bool>& cancel, const auto&) -> SharedScale {
            return std::make_shared<const figures::LadderScale>(
                figures::ladder_scale(*request.runner, request.steps, cancel));
          },
          {}),
      againsts_(
          [](const Predicted& request, const std::atomic<bool>& cancel,
             const auto&) -> std::optional<explain::Against> {
            run::give_way();
            auto said = explain::against(request.of_runs->sides, request.step, request.other, {},
                                         request.called, cancel);
            return said ? *std::move(said) : explain::Against{};
          },
          {}) {}

SharedScale StepsBefore::scale_of(const Model& model) {
  const run::Run* run = model.run();
  if (run == nullptr || !run->complete) return nullptr;
  const run::Plan& plan = run->plan();
  ScaleRequest request{model.runner(), figures::steps_of_problem(model.steps(), plan)};
  std::string key = plan.device.id + " " + run::value_words(plan.sizes);
  for (figures::LadderStep& step : request.steps) {
    key += " " + fingerprint(step.run.spec.code);
    step.run.threads = 1, step.run.background = true;
  }
  if (key != scale_asked_) {
    scale_asked_ = std::move(key);
    scale_.reset();
    scales_.submit(std::move(request));
  }
  if (auto done = scales_.poll()) scale_ = *std::move(done);
  return scale_;
}

SharedStep StepsBefore::of(const Model& model) {
  const run::Run* run = model.run();
  if (run == nullptr || !run->complete) return nullptr;
  const LadderPlace place = ladder_place(model);
  auto before = step_before(place, *run);
  if (!before) return nullptr;
  std::string key = run::count_key(before->run);
  if (key != asked_) {
    asked_ = std::move(key);
    step_.reset();
    const auto other = judged_against(place, step_index(place));
    const auto its = other ? judged_against(place, *other) : std::nullopt;
    worker_.submit(
        {model.runner(), *std::move(before), its ? std::optional(*place.steps[*its]) : std::nullopt});
  }
  if (auto done = worker_.poll()) step_ = *std::move(done);
  return step_;
}

std::optional<figures::AgainstStep> StepsBefore::against_of(const Model& model, const LadderMarks& marks) {
  const SharedStep before = of(model);
  if (marks.judged()) {
    if (!marks.said()) return std::nullopt;
    return figures::AgainstStep{std::to_string(marks.judged()->than), marks.judged()->size, *marks.said(),
                                before == nullptr ? std::vector<std::string>() : before->says};
  }
  if (before == nullptr) return std::nullopt;
  auto said = predicted_against(model, ladder_place(model));
  if (!said) return std::nullopt;
  return figures::AgainstStep{before->number, "", *std::move(said), before->says};
}

// Precondition: the run is complete, and there is a step before it.
std::optional<explain::Against> StepsBefore::predicted_against(const Model& model, const LadderPlace& place) {
  const auto other = step_before(place, *model.run());
  if (!other) return std::nullopt;
  const run::Plan& plan = model.run()->plan();
  run::Request step = other->run;
  step.spec = plan.spec, step.parameters = plan.parameters, step.nearest = false;
  std::string key = run::count_key(step) + " " + run::count_key(other->run);
  if (key != against_asked_) {
    against_asked_ = std::move(key);
    against_.reset();
    againsts_.submit({model.of_runs(), std::move(step), other->run, "step " + other->number});
  }
  if (auto done = againsts_.poll()) against_ = *std::move(done);
  return against_;
}

std::shared_ptr<const figures::StepWords> StepsBefore::words_of(const Model& model, const LadderMarks& marks,
                                                                bool compares) {
  const run::SharedRun run = model.shared_run();
  if (run == nullptr) return nullptr;
  // A preview counts nothing. What was said of the step stays until all of it ran: without these words the
  // picture would move to their room and back, and an access be praised of a step that is slower.
  const bool is_same = words_.run != nullptr && words_.run->plan().spec.id == run->plan().spec.id;
  if (!run->complete && is_same && words_.compares == compares) return words_.words;
  const SharedStep before = marks.judged() || !run->complete ? nullptr : of(model);
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
