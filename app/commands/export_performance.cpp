#include "app/commands/export_sources.hpp"

#include <algorithm>
#include <deque>
#include <functional>

#include "app/base/text_table.hpp"
#include "app/commands/choose.hpp"
#include "app/state/compare_choice.hpp"
#include "engine/problem/problem.hpp"
#include "engine/run/runner.hpp"
#include "viz/figures/performance/performance_input.hpp"
#include "viz/figures/time/modelled_count.hpp"

namespace warplens::app {
namespace {

// The sizes that are used if none are named: half the default size up to eight times as much.
std::vector<catalog::Values> sizes_around(const catalog::Values& usual) {
  std::vector<catalog::Values> sizes;
  for (const std::int64_t half : {1, 2, 4, 8, 16}) {
    sizes.push_back(usual);
    for (auto& [name, value] : sizes.back()) value = usual.begin()->second * half / 2;
  }
  return sizes;
}

Result<std::vector<catalog::Values>> sizes_of(const problem::Problem& problem, const std::string& ladder,
                                              const measured::RecordedSpeeds& recorded,
                                              const std::string& wanted, bool over_sizes) {
  if (!wanted.empty()) {
    const auto sizes = problem::parse_sizes(problem, wanted);
    return sizes ? Result<std::vector<catalog::Values>>({*sizes}) : sizes.error();
  }
  const catalog::Values usual = problem.default_sizes();
  if (!over_sizes) return std::vector<catalog::Values>{recorded.main_size(ladder).value_or(usual)};
  auto sizes = recorded.sizes(ladder);
  return sizes.empty() ? sizes_around(usual) : sizes;
}

// Counts a step where it is not there for over_sizes.
class Counts {
 public:
  // with_time: of each; else of those that were not measured.
  Counts(const Workspace& workspace, bool over_sizes, bool with_time, const std::atomic<bool>& cancel)
      : runner_(workspace.compiler()), with_time_(with_time), over_sizes_(over_sizes), cancel_(cancel) {}

  Result<figures::Counted> operator()(const figures::PlannedPoint& point) {
    if (over_sizes_ && point.recorded != nullptr) return figures::Counted{};
    const run::Plan& plan = point.plan;
    const run::Request request{.spec = plan.spec,
                               .parameters = plan.parameters,
                               .sizes = plan.sizes,
                               .device = plan.device,
                               .nearest = true};
    // The model takes longer than the count.
    auto count = figures::modelled_count(sides_, request, with_time_ || point.recorded == nullptr, cancel_);
    if (count)
      return figures::Counted{.count = &counts_.emplace_back(std::move(count->count)),
                              .l2_bytes = count->l2_bytes,
                              .seconds = count->seconds,
                              .limit = std::move(count->limit)};
    const auto limits = runner_.limits(plan.device, plan.spec, plan.sizes);
    if (auto why = catalog::why_not(plan.spec, plan.parameters, plan.sizes, limits))
      return figures::Counted{.refused = *std::move(why)};
    return count.error();
  }

 private:
  run::Runner runner_;
  explain::Sides sides_{runner_};
  bool with_time_;
  bool over_sizes_;  // then a measurement is enough
  const std::atomic<bool>& cancel_;
  std::deque<run::StepCount> counts_;
};

}  // namespace

Result<figures::PerformanceInput> transfers_to(const Workspace& workspace, const std::string& name) {
  const auto device = workspace.device(name);
  if (!device) return device.error();
  const auto transfers = workspace.recorded()->transfers(device->id);
  if (!transfers) return transfers.error();
  figures::PerformanceInput input;
  input.device = device->name;
  input.transfers = {workspace.recorded(), *transfers};
  if (const auto roof = device::roofline(*device)) input.roofline = *roof;
  return input;
}

namespace {

// The number of the step in its ladder, from 1; 0 if it is in none.
std::size_t number_in_ladder(const Workspace& workspace, const std::string& id) {
  const auto ladder = choose_kernels(workspace, ladder_of(id));
  if (!ladder) return 0;
  const auto at = std::ranges::find(ladder->kernels, id, &catalog::KernelSpec::id);
  return at == ladder->kernels.end() ? 0 : static_cast<std::size_t>(at - ladder->kernels.begin()) + 1;
}

}  // namespace

Result<figures::PerformanceInput> performance_of(const Workspace& workspace, const KernelOptions& kernel,
                                                 bool over_sizes, bool with_time,
                                                 const std::atomic<bool>& cancel) {
  if (kernel.kernel.empty())
    return Error{"this figure needs a LADDER or a KERNEL", "name one, such as matmul"};
  const auto device = workspace.device(kernel.device);
  if (!device) return device.error();
  const auto recorded = workspace.recorded()->speeds(device->id);
  if (!recorded) return recorded.error();
  const auto chosen = choose_kernels(workspace, kernel.kernel);
  if (!chosen) return chosen.error();
  const catalog::KernelSpec& first = chosen->kernels.front();
  const auto roof = figures::roofline_of(*device, problem::has_multiply_adds(first));
  if (!roof) return roof.error();
  const auto plans = plan_runs(*chosen, kernel, *device);  // which says what is wrong with -D and --size
  if (!plans) return plans.error();
  const problem::Problem& problem = *plans->front().problem;
  const auto sizes =
      sizes_of(problem, ladder_of(chosen->kernels.front().id), **recorded, kernel.size, over_sizes);
  if (!sizes) return sizes.error();
  const auto values = parse_defines(kernel.defines);
  if (!values) return values.error();
  figures::LadderQuery query{
      .steps = {}, .sizes = *sizes, .device = *device, .recorded = **recorded, .values = *values};
  for (const catalog::KernelSpec& spec : chosen->kernels) query.steps.push_back(&spec);
  Counts counts(workspace, over_sizes, with_time, cancel);
  auto input = figures::performance_input(query, std::ref(counts));
  if (!input) return input.error();
  if (!chosen->is_ladder) {
    const std::size_t number = number_in_ladder(workspace, first.id);
    for (auto& point : input->points) point.number = number;
  }
  input->title = chosen->is_ladder ? ladder_title(kernel.kernel) : first.title;
  input->device = device->name;
  if (!over_sizes) input->device += ", " + measured::size_words(sizes->front(), problem.size_names());
  input->roofline = *roof;
  if (over_sizes && (*recorded)->has_steps_of(ladder_of(chosen->kernels.front().id)))
    input->caption = figures::with_caption(std::string(figures::kSizeCurveCaption), input->caption);
  return input;
}

}  // namespace warplens::app
