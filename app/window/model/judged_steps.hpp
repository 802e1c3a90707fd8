// A kernel in its ladder, and which step it is judged against.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "app/state/state.hpp"
#include "app/window/model/model_options.hpp"
#include "engine/catalog/ladders.hpp"
#include "engine/device/device.hpp"
#include "engine/study/study.hpp"

namespace warplens::app {

class Model;

// The ladder of a state's kernel: of the window's state, or of one that comes next, which is complete too.
// What it refers to outlives it.
struct LadderPlace {
  const State& state;
  const catalog::KernelSpec& spec;
  std::string ladder;  // "matmul"
  std::vector<const catalog::KernelSpec*> steps;
  const catalog::Ladders& taught;
  const device::Device& device;
  const EditedKernel* edited = nullptr;
};
LadderPlace ladder_place(const Model& model);
std::vector<const catalog::KernelSpec*> steps_of(const catalog::Catalog& catalog, const std::string& ladder);

// The position of the state's kernel among the steps of its ladder; their number if it is none of them.
std::size_t step_index(const LadderPlace& place);
std::size_t step_index(const Model& model);
// The figure that the state's step opens on.
const std::string& opening_figure(const Model& model);
// Like catalog::judged_against(); for an edited copy, the answer for its original.
std::optional<std::size_t> judged_against(const LadderPlace& place, std::size_t index);
std::optional<std::size_t> judged_against(const Model& model, std::size_t index);

// The place of the run among the steps, for what is asked of it beside them. Of a run of another kernel than the state's nothing is
// known but the steps. What the place refers to must outlive it. recorded: on the run's device; may be null.
study::StepOf step_of(const LadderPlace& place, const run::Run& run,
                      const measured::RecordedSpeeds* recorded);
// The same of the model's run; of no run an empty place.
study::StepOf step_of(const Model& model, const measured::RecordedSpeeds* recorded);

}  // namespace warplens::app
