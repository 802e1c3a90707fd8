#include "app/export_performance.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/figure_run.hpp"
#include "app/run_job.hpp"

namespace warplens::app {
namespace {

// Results as `warplens bench --save` writes them; null where there is no file for the device. Error: a file
// that is no JSON.
Result<nlohmann::json> read_recorded(const std::filesystem::path& file) {
  if (!std::filesystem::exists(file)) return nlohmann::json();
  const auto text = read_file(file);
  if (!text) return text.error();
  auto json = nlohmann::json::parse(*text, nullptr, false);
  if (json.is_discarded() || !json.is_object())
    return Error{"the recorded measurements are not JSON",
                 "make them again with 'warplens bench --save'",
                 {file.string(), 0, 0}};
  return json;
}

// The quickest verified result of this step at this size; with `same_params`, only one with the plan's own
// parameters. Null where there is none.
const nlohmann::json* find_recorded(const nlohmann::json& recorded, const RunPlan& plan, bool same_params) {
  const nlohmann::json* best = nullptr;
  const auto results = recorded.find("results");
  if (results == recorded.end() || !results->is_array()) return best;
  const auto equal = [](const nlohmann::json& result, const char* key, const catalog::Values& values) {
    const auto found = result.find(key);
    if (found == result.end() || !found->is_object()) return false;
    for (const auto& [name, value] : values)
      if (!found->contains(name) || (*found)[name] != value) return false;
    return true;
  };
  for (const auto& result : *results) {
    if (!result.is_object() || result.value("kernel", "") != plan.spec.id || !result.value("verified", false))
      continue;
    if (!equal(result, "size", plan.sizes) || (same_params && !equal(result, "params", plan.parameters)))
      continue;
    const auto speed = result.find("gflops");
    if (speed == result.end() || !speed->is_number()) continue;
    if (best == nullptr || speed->get<double>() > (*best)["gflops"].get<double>()) best = &result;
  }
  return best;
}

// A measurement and a count stand side by side only for the same parameters: the plan takes over those that
// were measured, unless the user chose some.
Status take_recorded_parameters(RunPlan& plan, const nlohmann::json* result) {
  if (result == nullptr) return Done{};
  catalog::Values values;
  for (const auto& [name, value] : (*result)["params"].items())
    if (value.is_number_integer()) values[name] = value.get<std::int64_t>();
  auto parameters = catalog::resolve_values(plan.spec, values, plan.sizes);
  if (!parameters) return parameters.error();
  plan.parameters = *std::move(parameters);
  const auto launch = catalog::launch_shape(plan.spec, plan.parameters, plan.sizes);
  if (!launch) return launch.error();
  plan.launch = *launch;
  return Done{};
}

// count: also where a measurement is there.
Result<figures::PerformancePoint> point_of(compile::Compiler& compiler, RunPlan plan,
                                           const device::Device& device, const nlohmann::json& recorded,
                                           bool count, bool chosen_params) {
  const nlohmann::json* result = find_recorded(recorded, plan, true);
  // The step as the file has it comes first; else the quickest parameters that were found.
  if (result == nullptr && !chosen_params) result = find_recorded(recorded, plan, false);
  if (const Status taken = take_recorded_parameters(plan, result); !taken) return taken.error();
  figures::PerformancePoint point{plan.spec.title, static_cast<double>(plan.sizes.begin()->second)};
  point.id = plan.spec.id;
  if (result != nullptr) point.recorded_gflops = (*result)["gflops"].get<double>();
  if (point.recorded_gflops && !count) return point;
  const auto run = run_for_figure(compiler, plan, device, 0);
  if (!run) return run.error();
  const auto& counters = (*run)->emulation.outcome.counters;
  point.operations = (*run)->emulation.operations;
  point.bytes = 32.0 * static_cast<double>(counters.global_load.cost + counters.global_store.cost +
                                           counters.global_atomic.cost);
  return point;
}

}  // namespace

Result<figures::PerformanceInput> performance_input(const Workspace& workspace, const KernelOptions& kernel,
                                                    const std::vector<std::string>& sizes) {
  if (kernel.kernel.empty())
    return Error{"this figure needs a LADDER or a KERNEL", "name one, such as matmul"};
  const auto device = workspace.device(kernel.device);
  if (!device) return device.error();
  const auto recorded = read_recorded(workspace.home() / "assets/recorded" / (device->id + ".json"));
  if (!recorded) return recorded.error();
  const auto roof = device::roofline(*device);
  if (!roof) return roof.error();
  const auto chosen = choose_kernels(workspace, kernel.kernel);
  if (!chosen) return chosen.error();
  figures::PerformanceInput input{kernel.kernel, device->name, {}, *roof};
  compile::Compiler compiler = workspace.compiler();
  for (const std::string& size : sizes.empty() ? std::vector{kernel.size} : sizes) {
    KernelOptions one = kernel;
    one.size = size;
    auto plans = plan_runs(*chosen, one);
    if (!plans) return plans.error();
    if (const Status shaped = shape_launches(*plans); !shaped) return shaped.error();
    for (const RunPlan& plan : *plans) {
      auto point = point_of(compiler, plan, *device, *recorded, sizes.empty(), !kernel.defines.empty());
      if (!point) return point.error();
      input.points.push_back(*std::move(point));
    }
    if (sizes.empty())
      for (const auto& [name, value] : plans->front().sizes)
        input.device += fmt::format(", {} = {}", name, value);
  }
  return input;
}

}  // namespace warplens::app
