#include "app/window/model/steps_before.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/window/model/ladder_marks.hpp"
#include "app/window/model/model.hpp"
#include "engine/base/text.hpp"

namespace warplens::app {

StepsBefore::StepsBefore()
    : worker_(
          [](const Request& request, const std::atomic<bool>& cancel, const auto&) -> SharedStep {
            auto count = request.runner->count(request.run, cancel);
            if (!count) return nullptr;
            return std::make_shared<const figures::StepBefore>(request.number, request.run.spec.title,
                                                               *std::move(count));
          },
          {}) {}

SharedStep StepsBefore::of(const Model& model) {
  const run::Run* run = model.run();
  if (run == nullptr || !run->complete) return nullptr;
  const auto steps = model.steps();
  const catalog::KernelSpec* before = nullptr;
  std::size_t number = 0;
  for (std::size_t s = 1; s < steps.size(); ++s)
    if (steps[s]->id == run->plan().spec.id && steps[s - 1]->problem == steps[s]->problem)
      before = steps[s - 1], number = s;
  // A copy that is being edited stands against its original.
  if (const EditedKernel* edited = model.edited();
      edited != nullptr && edited->spec.id == run->plan().spec.id)
    for (std::size_t s = 0; s < steps.size(); ++s)
      if (steps[s]->id == edited->original) before = steps[s], number = s + 1;
  if (before == nullptr) return nullptr;
  const run::Plan& plan = run->plan();
  std::string key = fmt::format("{} {} {} {}", before->id, fingerprint(before->code), plan.device.id,
                                run::value_words(plan.sizes));
  if (key != asked_) {
    asked_ = std::move(key);
    step_.reset();
    worker_.submit({model.runner(),
                    {.spec = *before,
                     .parameters = {},
                     .sizes = plan.sizes,
                     .device = plan.device,
                     .threads = 1,
                     .background = true,
                     .nearest = true},
                    std::to_string(number)});
  }
  if (auto done = worker_.poll()) step_ = *std::move(done);
  return step_;
}

std::shared_ptr<const figures::StepWords> StepsBefore::words_of(const Model& model,
                                                                const PerformanceData& performance) {
  const run::SharedRun run = model.shared_run();
  if (run == nullptr || !run->complete) return nullptr;
  const SharedStep before = of(model);
  auto measured = speed_against_before(model, performance);
  if (words_.run != run || words_.before != before || words_.measured != measured)
    words_ = {run, before, measured, figures::step_words(*run, before.get(), measured)};
  return words_.words;
}

}  // namespace warplens::app
