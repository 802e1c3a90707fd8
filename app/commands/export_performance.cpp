#include "app/commands/export_performance.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "app/figure_run.hpp"
#include "app/performance_points.hpp"
#include "app/text_table.hpp"
#include "engine/problem/work.hpp"

namespace warplens::app {
namespace {

// A measurement and a count stand side by side only for the same parameters: the plan takes over those that
// were measured, unless the user chose some.
Status take_recorded_parameters(RunPlan& plan, const RecordedSpeed* result) {
  if (result == nullptr) return Done{};
  auto parameters = catalog::resolve_values(plan.spec, result->params, plan.sizes);
  if (!parameters) return parameters.error();
  plan.parameters = *std::move(parameters);
  const auto launch = catalog::launch_shape(plan.spec, plan.parameters, plan.sizes);
  if (!launch) return launch.error();
  plan.launch = *launch;
  return Done{};
}

struct Source {
  KernelRunner& runner;
  const device::Device& device;
  const RecordedSpeeds& recorded;
  bool count = true;           // also where a measurement is there
  bool chosen_params = false;  // by the user
};

// The plan with the values that the device takes; nothing where it takes none, which `departures` gets as it
// gets other values. Error: of another kind.
Result<std::optional<RunPlan>> fit_plan(const Source& from, RunPlan plan, std::size_t number,
                                        std::vector<Departure>& departures) {
  const auto known = std::any_of(departures.begin(), departures.end(),
                                 [&](const Departure& step) { return step.number == number; });
  RunRequest request = request_of(plan, from.device);
  request.nearest = true;
  const auto fitted = from.runner.fit(request, false);
  if (!fitted) {
    const auto why = catalog::why_not(plan.spec, plan.parameters, plan.sizes, from.runner.limits(request));
    if (!why) return fitted.error();
    if (!known) departures.push_back({.number = number, .refused = *why});
    return std::optional<RunPlan>();
  }
  if (fitted->parameters == plan.parameters) return std::optional(std::move(plan));
  if (!known)
    departures.push_back({.number = number, .values = changed_words(plan.parameters, fitted->parameters)});
  plan.parameters = fitted->parameters;
  const auto launch = catalog::launch_shape(plan.spec, plan.parameters, plan.sizes);
  if (!launch) return launch.error();
  plan.launch = *launch;
  return std::optional(std::move(plan));
}

Error no_step_runs(const std::vector<Departure>& departures, const device::Device& device) {
  return {fmt::format("no step of it runs on {}: {}", device.name, departures.front().refused),
          "choose another device, or a smaller size"};
}

Result<figures::PerformancePoint> point_of(const Source& from, RunPlan plan, std::string& unit) {
  const RecordedSpeed* result = from.recorded.find(plan.spec, plan.sizes, &plan.parameters);
  // The step as the file has it comes first; else the quickest parameters that were found.
  if (result == nullptr && !from.chosen_params) result = from.recorded.find(plan.spec, plan.sizes);
  if (const Status taken = take_recorded_parameters(plan, result); !taken) return taken.error();
  if (result != nullptr) unit = rate_of(*result).unit;
  if (result != nullptr && !from.count) return performance_point(plan, from.recorded, result, nullptr);
  const auto count = from.runner.count(request_of(plan, from.device), false);
  if (!count) return count.error();
  unit = count->unit;
  return performance_point(plan, from.recorded, result, &*count);
}

// Of every step that the device runs, at one size.
Status add_points(const Source& from, const std::vector<RunPlan>& plans, figures::PerformanceInput& input,
                  std::vector<Departure>& departures) {
  for (std::size_t i = 0; i < plans.size(); ++i) {
    const auto plan = fit_plan(from, plans[i], i + 1, departures);
    if (!plan) return plan.error();
    if (!*plan) continue;
    auto point = point_of(from, **plan, input.unit);
    if (!point) return point.error();
    point->number = i + 1;
    input.points.push_back(*std::move(point));
  }
  return Done{};
}

std::string size_option(const catalog::Values& size, const std::vector<std::string>& names) {
  std::vector<std::int64_t> values;
  for (const std::string& name : names) values.push_back(size.at(name));
  return fmt::format("{}", fmt::join(values, ","));
}

// Where steps of the ladder were measured, in the words of --size.
struct MeasuredSizes {
  std::vector<std::string> all;
  std::string main;  // where most was, as the window compares its steps; empty, for the usual size, for none
};
Result<MeasuredSizes> measured_sizes(const Chosen& chosen, const KernelOptions& kernel,
                                     const RecordedSpeeds& recorded) {
  const auto plans = plan_runs(chosen, kernel);
  if (!plans) return plans.error();
  const std::string& id = plans->front().spec.id;
  const std::string ladder = id.substr(0, id.find('/'));
  const auto& names = plans->front().problem->size_names();
  MeasuredSizes sizes;
  for (const catalog::Values& size : recorded.sizes(ladder))
    if (std::all_of(names.begin(), names.end(), [&](const auto& name) { return size.contains(name); }))
      sizes.all.push_back(size_option(size, names));
  if (const auto size = recorded.main_size(ladder)) sizes.main = size_option(*size, names);
  return sizes;
}

// The step's title, or the ladder's name.
std::string title_of(const Chosen& chosen, const std::string& name) {
  return chosen.is_ladder ? ladder_title(name) : chosen.kernels.front().title;
}

// Where nothing says which: half the default size up to eight times as much.
std::vector<std::string> sizes_around_default(const std::string& problem) {
  const auto found = problem::find_problem(problem);
  const std::int64_t usual = found ? (*found)->default_sizes().begin()->second : 512;
  std::vector<std::string> sizes;
  for (const std::int64_t size : {usual / 2, usual, 2 * usual, 4 * usual, 8 * usual})
    sizes.push_back(std::to_string(size));
  return sizes;
}

}  // namespace

Result<figures::PerformanceInput> performance_input(const Workspace& workspace, const KernelOptions& kernel,
                                                    bool over_sizes) {
  if (kernel.kernel.empty())
    return Error{"this figure needs a LADDER or a KERNEL", "name one, such as matmul"};
  const auto device = workspace.device(kernel.device);
  if (!device) return device.error();
  const auto recorded = RecordedSpeeds::read(workspace.home() / "assets/recorded", device->id);
  if (!recorded) return recorded.error();
  const auto chosen = choose_kernels(workspace, kernel.kernel);
  if (!chosen) return chosen.error();
  const std::string& problem = chosen->kernels.front().problem;
  const auto roof = device::roofline(*device, problem::has_multiply_adds(problem));
  if (!roof) return roof.error();
  figures::PerformanceInput input{title_of(*chosen, kernel.kernel), device->name, {}, *roof};
  const auto measured = measured_sizes(*chosen, kernel, *recorded);
  if (!measured) return measured.error();
  std::vector<std::string> sizes{kernel.size.empty() ? measured->main : kernel.size};
  if (over_sizes) {
    sizes = measured->all.empty() ? sizes_around_default(problem) : measured->all;
    if (!measured->all.empty()) input.caption = size_curve_caption;
  }
  KernelRunner runner(workspace.compiler());
  std::vector<Departure> departures;
  const Source source{runner, *device, *recorded, !over_sizes, !kernel.defines.empty()};
  for (const std::string& size : sizes) {
    KernelOptions one = kernel;
    one.size = size;
    auto plans = plan_runs(*chosen, one);
    if (!plans) return plans.error();
    if (const Status shaped = shape_launches(*plans); !shaped) return shaped.error();
    if (const Status added = add_points(source, *plans, input, departures); !added) return added.error();
    if (!over_sizes)
      input.device += ", " + size_words(plans->front().sizes, plans->front().problem->size_names());
  }
  if (input.points.empty() && !departures.empty()) return no_step_runs(departures, *device);
  const std::string words = departure_words(departures, device->name);
  input.caption += (input.caption.empty() || words.empty() ? "" : ". ") + words;
  return input;
}

}  // namespace warplens::app
