#include "app/window/model/judged_steps.hpp"

#include <algorithm>

#include "app/window/model/model.hpp"

namespace warplens::app {

std::size_t step_index(const Model& model) {
  const auto steps = model.steps();
  const auto here = std::ranges::find(steps, model.state.kernel, &catalog::KernelSpec::id);
  return static_cast<std::size_t>(here - steps.begin());
}

std::optional<std::size_t> judged_against(const Model& model, std::size_t index) {
  const auto steps = model.steps();
  const EditedKernel* edited = model.edited();
  if (index < steps.size() && edited != nullptr && steps[index] == &edited->spec) {
    const auto original = std::ranges::find(steps, edited->original, &catalog::KernelSpec::id);
    return original == steps.end() ? std::nullopt : std::optional<std::size_t>(original - steps.begin());
  }
  return catalog::judged_against(model.taught(), model.ladder(), steps, index);
}

}  // namespace warplens::app
