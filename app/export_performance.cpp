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

// The quickest verified result of this step at this size.
std::optional<double> recorded_gflops(const nlohmann::json& recorded, const RunPlan& plan) {
  std::optional<double> best;
  const auto results = recorded.find("results");
  if (results == recorded.end() || !results->is_array()) return best;
  for (const auto& result : *results) {
    if (!result.is_object() || result.value("kernel", "") != plan.spec.id || !result.value("verified", false))
      continue;
    const auto size = result.find("size"), speed = result.find("gflops");
    if (size == result.end() || !size->is_object() || speed == result.end() || !speed->is_number()) continue;
    bool same = true;
    for (const auto& [name, value] : plan.sizes) same &= size->contains(name) && (*size)[name] == value;
    if (same) best = std::max(best.value_or(0), speed->get<double>());
  }
  return best;
}

// count: also where a measurement is there.
Result<figures::PerformancePoint> point_of(compile::Compiler& compiler, const RunPlan& plan,
                                           const device::Device& device, const nlohmann::json& recorded,
                                           bool count) {
  figures::PerformancePoint point{plan.spec.title, static_cast<double>(plan.sizes.begin()->second),
                                  recorded_gflops(recorded, plan)};
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
      auto point = point_of(compiler, plan, *device, *recorded, sizes.empty());
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
