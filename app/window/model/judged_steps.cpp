#include "app/window/model/judged_steps.hpp"

#include <algorithm>

#include "app/window/model/model.hpp"

namespace warplens::app {

LadderPlace ladder_place(const Model& model) {
  return {.state = model.state,
          .spec = model.spec(),
          .ladder = model.ladder(),
          .steps = model.steps(),
          .taught = model.taught(),
          .device = model.device(),
          .edited = model.edited()};
}

std::vector<const catalog::KernelSpec*> steps_of(const catalog::Catalog& catalog, const std::string& ladder) {
  std::vector<const catalog::KernelSpec*> steps;
  for (const auto& spec : catalog.kernels())
    if (spec.id.starts_with(ladder + "/")) steps.push_back(&spec);
  return steps;
}

std::size_t step_index(const LadderPlace& place) {
  const auto here = std::ranges::find(place.steps, place.state.kernel, &catalog::KernelSpec::id);
  return static_cast<std::size_t>(here - place.steps.begin());
}
std::size_t step_index(const Model& model) { return step_index(ladder_place(model)); }

const std::string& opening_figure(const Model& model) {
  return model.taught().of(model.ladder()).opens_of(step_index(model) + 1);
}

std::optional<std::size_t> judged_against(const LadderPlace& place, std::size_t index) {
  const auto& steps = place.steps;
  if (index < steps.size() && place.edited != nullptr && steps[index] == &place.edited->spec) {
    const auto original = std::ranges::find(steps, place.edited->original, &catalog::KernelSpec::id);
    return original == steps.end() ? std::nullopt : std::optional<std::size_t>(original - steps.begin());
  }
  return catalog::judged_against(place.taught, place.ladder, steps, index);
}
std::optional<std::size_t> judged_against(const Model& model, std::size_t index) {
  return judged_against(ladder_place(model), index);
}

study::StepOf step_of(const LadderPlace& place, const run::Run& run,
                      const measured::RecordedSpeeds* recorded) {
  study::StepOf step{.steps = place.steps,
                     .here = step_index(place),
                     .taught = place.taught.of(place.ladder),
                     .recorded = recorded};
  if (run.plan().spec.id == place.state.kernel)
    step.judged_against = [place](std::size_t index) { return judged_against(place, index); };
  return step;
}
study::StepOf step_of(const Model& model, const measured::RecordedSpeeds* recorded) {
  const run::Run* run = model.run();
  return run == nullptr ? study::StepOf{} : step_of(ladder_place(model), *run, recorded);
}

}  // namespace warplens::app
