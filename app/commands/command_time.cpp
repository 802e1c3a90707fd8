// warplens time: how long a kernel takes on a device, by the model, and what it waits for.
// warplens tune: which parameters the model finds quickest.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/base/workspace.hpp"
#include "app/commands/choose.hpp"
#include "app/commands/commands.hpp"
#include "app/gpu/time_text.hpp"
#include "engine/run/device_needs.hpp"
#include "engine/run/run.hpp"
#include "engine/time/predict_run.hpp"
#include "engine/time/sets/set_times.hpp"

namespace warplens::app {
namespace {

Result<time::Prediction> predict(const run::Plan& plan, compile::Compiler& compiler,
                                 run::Instances& instances) {
  auto instance = instances.instantiate(plan);
  if (!instance) return instance.error();
  auto build = run::compile(compiler, plan);
  if (!build) return build.error();
  const auto kernel = run::prepare(*build, plan.device);
  if (!kernel) return kernel.error();
  const run::Job job{plan, *std::move(instance), *std::move(build)};
  const auto counted = time::count(job, **kernel);
  if (!counted) return counted.error();
  if (const std::string missing = run::missing_instruction((*kernel)->function(), plan.device);
      !missing.empty())
    return Error{fmt::format("{} cannot run {}: {}", plan.device.name, plan.spec.id, missing),
                 "choose another device"};
  return time::predict(job, **kernel, *counted);
}

struct Timed {
  catalog::Values parameters;
  double seconds = 0;
};

Json to_json(const Timed& timed) {
  Json params = Json::object();
  for (const auto& [name, value] : timed.parameters) params[name] = value;
  return {{"params", params}, {"seconds", timed.seconds}};
}

void print_tuned(const std::vector<Timed>& tuned, const run::Plan& plan, bool json) {
  if (json) {
    Json all = Json::array();
    for (const Timed& timed : tuned) all.push_back(to_json(timed));
    fmt::print(
        "{}",
        warplens::to_text(Json{
            {"kernel", plan.spec.id}, {"device", plan.device.id}, {"best", all.front()}, {"ranked", all}}));
    return;
  }
  fmt::print("{}: {} parameter sets by predicted time\n", plan.spec.id, tuned.size());
  for (std::size_t i = 0; i < std::min<std::size_t>(tuned.size(), 10); ++i)
    fmt::print("{:>12.2f} us  {}\n", tuned[i].seconds * 1e6, run::value_words(tuned[i].parameters));
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
  const auto prediction = predict(chosen->plan, chosen->compiler, instances);
  if (!prediction) return prediction.error();
  const double recorded = recorded_seconds(chosen->workspace, chosen->plan);
  if (common.json) {
    Json json = app::to_json(*prediction);
    json["stalls_by_instruction"] = stalls_by_instruction(*prediction);
    json["recorded_seconds"] = recorded > 0 ? Json(recorded) : Json(nullptr);
    fmt::print("{}", warplens::to_text(json));
    return kExitFine;
  }
  const auto& spec = chosen->plan.spec;
  fmt::print("{}{}", to_text(*prediction), lines_text(*prediction, run::lines_of(spec.code)));
  if (recorded > 0)
    fmt::print("recorded       {}; the prediction is {:.1f} % too {}\n", time_words(recorded),
               100 * std::abs(prediction->seconds / recorded - 1),
               prediction->seconds > recorded ? "long" : "short");
  return kExitFine;
}

Result<int> tune_command(const CommonOptions& common, const TimeOptions& options) {
  auto chosen = choose(common, options);
  if (!chosen) return chosen.error();
  const run::Plan& plan = chosen->plan;
  run::Instances instances(run::Instances::Options{});
  const auto instance = instances.instantiate(plan);
  if (!instance) return instance.error();
  const auto sets = catalog::valid_parameter_sets(plan.spec, plan.sizes);
  std::vector<double> seconds(sets.size());  // 0: it does not run
  const Status done = time::predict_sets(
      plan, sets, *instance,
      [&](const compile::Request& request) { return chosen->compiler.compile(request); }, {},
      [&](std::size_t set, const Result<time::Prediction>& prediction) {
        if (prediction) seconds[set] = prediction->seconds;
      });
  if (!done) return done.error();
  std::vector<Timed> tuned;
  for (std::size_t set = 0; set < sets.size(); ++set)
    if (seconds[set] > 0) tuned.push_back({sets[set], seconds[set]});
  if (tuned.empty()) return Error{"no parameters of " + plan.spec.id + " run on " + plan.device.name, ""};
  std::ranges::stable_sort(tuned, {}, &Timed::seconds);
  print_tuned(tuned, plan, common.json);
  return kExitFine;
}

}  // namespace warplens::app
