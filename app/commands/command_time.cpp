// warplens time: how long a kernel takes on a device, by the model, and what it waits for.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "app/base/workspace.hpp"
#include "app/commands/choose.hpp"
#include "app/commands/commands.hpp"
#include "app/gpu/gpu_run.hpp"
#include "app/gpu/time_text.hpp"
#include "engine/run/device_needs.hpp"
#include "engine/run/run.hpp"
#include "engine/time/predict_run.hpp"
#include "viz/figures/time/time.hpp"
#include "viz/figures/time/time_words.hpp"

namespace warplens::app {
namespace {

struct Predicted {
  run::Job job;
  time::Prediction prediction;
};
Result<Predicted> predict(const run::Plan& plan, compile::Compiler& compiler, run::Instances& instances) {
  auto job = job_of(plan, compiler, instances);
  if (!job) return job.error();
  const auto kernel = run::prepare(job->build, plan.device);
  if (!kernel) return kernel.error();
  const auto counted = time::count(*job, **kernel);
  if (!counted) return counted.error();
  if (const std::string missing = run::missing_instruction((*kernel)->function(), plan.device);
      !missing.empty())
    return Error{fmt::format("{} cannot run {}: {}", plan.device.name, plan.spec.id, missing),
                 "choose another device"};
  auto prediction = time::predict(*job, **kernel, *counted);
  if (!prediction) return prediction.error();
  return Predicted{*std::move(job), *std::move(prediction)};
}

std::string head_text(const run::Plan& plan) {
  return fmt::format("{:<15}{}\n{:<15}{} on {}\n", plan.spec.id + " ", run::value_words(plan.parameters),
                     "size", figures::size_words(plan), plan.device.name);
}

std::string said_text(const explain::Explanation& said) {
  return fmt::format("{:<15}{}\n{:<15}{}\n{:<15}{}\n", "limit", said.what, "why", said.why, "fix", said.fix);
}

struct Chosen {
  Workspace workspace;
  run::Plan plan;
  compile::Compiler compiler;
};
Result<Chosen> choose(const CommonOptions& common, const TimeOptions& options) {
  auto workspace = Workspace::open(common);
  if (!workspace) return workspace.error();
  const auto device = workspace->device(options.kernel.device);
  if (!device) return device.error();
  auto plan = plan_one(*workspace, options.kernel, *device);
  if (!plan) return plan.error();
  compile::Compiler compiler = workspace->compiler();
  return Chosen{*std::move(workspace), *std::move(plan), std::move(compiler)};
}

}  // namespace

Result<int> time_command(const CommonOptions& common, const TimeOptions& options) {
  auto chosen = choose(common, options);
  if (!chosen) return chosen.error();
  run::Instances instances(run::Instances::Options{});
  const auto predicted = predict(chosen->plan, chosen->compiler, instances);
  if (!predicted) return predicted.error();
  const auto& [job, prediction] = *predicted;
  const auto said = figures::time_words(job, prediction).explanation;
  const double recorded = recorded_seconds(chosen->workspace, chosen->plan);
  if (common.json) {
    Json json = app::to_json(prediction);
    json["limit"] = {{"what", said.what}, {"why", said.why}, {"fix", said.fix}};
    json["stalls_by_instruction"] = stalls_by_instruction(prediction);
    json["recorded_seconds"] = recorded > 0 ? Json(recorded) : Json(nullptr);
    fmt::print("{}", warplens::to_text(json));
    return kExitFine;
  }
  fmt::print("{}{}{}{}", head_text(job.plan), to_text(prediction), said_text(said),
             lines_text(prediction, run::lines_of(job.plan.spec.code)));
  if (recorded > 0)
    fmt::print("recorded       {}; the prediction is {:.1f} % too {}\n", time_words(recorded),
               100 * std::abs(prediction.seconds / recorded - 1),
               prediction.seconds > recorded ? "long" : "short");
  return kExitFine;
}

}  // namespace warplens::app
