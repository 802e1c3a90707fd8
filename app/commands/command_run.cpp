// warplens run: one kernel or a whole ladder, verified and counted.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/commands/commands.hpp"
#include "app/emulator_run.hpp"
#include "app/gpu/both_run.hpp"
#include "app/gpu/gpu_run.hpp"
#include "app/run_job.hpp"
#include "app/run_report.hpp"

namespace warplens::app {
namespace {

Result<problem::Pattern> parse_pattern(std::string_view text) {
  using problem::Pattern;
  constexpr std::array<std::pair<std::string_view, Pattern>, 4> patterns = {
      {{"random", Pattern::random},
       {"ones", Pattern::ones},
       {"index", Pattern::index},
       {"identity", Pattern::identity}}};
  for (const auto& [name, pattern] : patterns) {
    if (text == name) return pattern;
  }
  return Error{fmt::format("unknown pattern '{}'", text), "choose random, ones, index or identity"};
}

Status check_engine(const std::string& engine) {
  if (engine == "emulator" || engine == "gpu" || engine == "both") return Done{};
  return Error{fmt::format("unknown engine '{}'", engine), "choose emulator, gpu or both"};
}

using InstancePointer = std::shared_ptr<const problem::Instance>;

// The steps of a ladder solve one problem: its data and its reference result are made once.
class Instances {
 public:
  Instances(problem::Pattern pattern, std::uint64_t seed) : pattern_(pattern), seed_(seed) {}

  Result<InstancePointer> get(const RunPlan& plan) {
    if (instance_ != nullptr && plan.problem == problem_ && plan.sizes == sizes_) return instance_;
    auto made = plan.problem->make(plan.sizes, pattern_, seed_, buffer_memory_limit());
    if (!made) return made.error();
    problem_ = plan.problem;
    sizes_ = plan.sizes;
    instance_ = *std::move(made);
    return instance_;
  }

 private:
  problem::Pattern pattern_;
  std::uint64_t seed_;
  const problem::Problem* problem_ = nullptr;
  catalog::Values sizes_;
  InstancePointer instance_;
};

// Ten steps that miss the same thing say so once.
struct Failure {
  Error error;
  std::vector<std::string> kernels;  // that have it; none where the error is that of a file
};

struct Outcome {
  std::vector<Both> both;  // of --engine both
  std::vector<RunReport> reports;
  std::vector<Failure> failures;
};

void add_failure(Outcome& outcome, const Error& error, const std::string& kernel) {
  const auto same = std::find_if(outcome.failures.begin(), outcome.failures.end(), [&](const Failure& other) {
    return to_line(other.error) == to_line(error);
  });
  if (same != outcome.failures.end())
    same->kernels.push_back(kernel);
  else
    outcome.failures.push_back({error, {kernel}});
}

// With the steps that have it, where others of the ladder do not and no file is named.
Error named(const Failure& failure, std::size_t steps) {
  Error error = failure.error;
  if (error.place.file.empty() && !failure.kernels.empty() && failure.kernels.size() < steps)
    error.message = fmt::format("{}: {}", fmt::join(failure.kernels, ", "), error.message);
  return error;
}

// What is the same for every plan of a command.
struct Machinery {
  const Workspace& workspace;
  const RunOptions& options;
  device::Device device;
  compile::Compiler compiler;
  Instances instances;
  std::optional<GpuEngine> gpu;
};

Result<RunJob> job_of(const RunPlan& plan, Machinery& machinery) {
  auto instance = machinery.instances.get(plan);
  if (!instance) return instance.error();
  auto build = build_plan(machinery.compiler, plan, machinery.device);
  if (!build) return build.error();
  return RunJob{plan, *std::move(instance), machinery.device, *std::move(build), machinery.options.budget};
}

Status run_plan(const RunPlan& plan, Machinery& machinery, Outcome& outcome) {
  const auto job = job_of(plan, machinery);
  if (!job) return job.error();
  GpuEngine* gpu = machinery.gpu ? &*machinery.gpu : nullptr;
  const GpuRunOptions options = gpu_run_options(machinery.options.gpu);
  if (machinery.options.engine == "both") {
    auto both = run_on_both(
        gpu, *job, {.gpu = options, .record = machinery.options.record, .by_ncu = machinery.options.ncu},
        machinery.workspace.home());
    if (!both) return both.error();
    outcome.reports.push_back(both->emulated);
    if (both->measured) outcome.reports.push_back(*both->measured);
    outcome.both.push_back(*std::move(both));
    return Done{};
  }
  auto report = gpu != nullptr ? run_on_gpu(*gpu, *job, options) : run_on_emulator(*job);
  if (!report) return report.error();
  outcome.reports.push_back(*std::move(report));
  return Done{};
}

// Where a GPU was asked for and there is one. That there is none is said, and the emulator does instead.
std::optional<GpuEngine> start_gpu(const RunOptions& options, const Workspace& workspace) {
  if (options.engine == "emulator") return std::nullopt;
  auto engine = GpuEngine::start(options.gpu);
  if (engine) {
    engine->trust(MeasuredKernels(workspace.home()));
    return *std::move(engine);
  }
  print_warning("no GPU: using the emulator (" + engine.error().message + ")");
  return std::nullopt;
}

void print_both(const Outcome& outcome, bool is_ladder, bool json) {
  if (json) {
    Json list = Json::array();
    for (const Both& both : outcome.both) list.push_back(to_json(both));
    fmt::print("{}", to_text(is_ladder || list.empty() ? list : list.front()));
    return;
  }
  for (const Both& both : outcome.both) fmt::print("{}\n", to_text(both));
  if (is_ladder) fmt::print("{}", summary_table(outcome.both));
}

void print_reports(const Outcome& outcome, bool is_ladder, bool json) {
  // Without a GPU there is nothing to compare, and people read what the emulator alone prints.
  const bool measured = std::any_of(outcome.both.begin(), outcome.both.end(),
                                    [](const Both& both) { return both.measured.has_value(); });
  if (measured || (json && !outcome.both.empty())) return print_both(outcome, is_ladder, json);
  if (json && is_ladder) {
    Json list = Json::array();
    for (const RunReport& report : outcome.reports) list.push_back(to_json(report));
    fmt::print("{}", to_text(list));
  } else if (!outcome.reports.empty() && json) {
    fmt::print("{}", to_text(to_json(outcome.reports.front())));
  } else if (!outcome.reports.empty() && is_ladder) {
    std::vector<TextRow> rows = {heading_row(outcome.reports.front().engine)};
    for (const RunReport& report : outcome.reports) rows.push_back(to_row(report));
    fmt::print("{}", format_table(rows));
  } else if (!outcome.reports.empty()) {
    fmt::print("{}", to_text(outcome.reports.front()));
  }
}

int conclude(const Outcome& outcome, std::size_t steps) {
  for (const Failure& failure : outcome.failures) print_error(named(failure, steps));
  int code = outcome.failures.empty() ? exit_fine : exit_bad_input;
  for (const RunReport& report : outcome.reports) {
    if (report.verified) continue;
    print_error({report.kernel + " computed a wrong result: " + report.explanation, "", {}});
    code = exit_wrong_result;
  }
  return code;
}

}  // namespace

Result<int> run_command(const CommonOptions& common, const RunOptions& options) {
  if (const Status engine = check_engine(options.engine); !engine) return engine.error();
  if ((options.record || options.ncu) && options.engine != "both")
    return Error{options.record ? "--record compares what the GPU records with the emulator"
                                : "--ncu compares hardware counters with the emulator",
                 "add --engine both"};
  const auto pattern = parse_pattern(options.pattern);
  if (!pattern) return pattern.error();
  const auto workspace = Workspace::open(common);
  if (!workspace) return workspace.error();
  auto device = workspace->device(options.kernel.device);
  if (!device) return device.error();
  const auto chosen = choose_kernels(*workspace, options.kernel.kernel);
  if (!chosen) return chosen.error();
  auto plans = plan_runs(*chosen, options.kernel);
  if (!plans) return plans.error();

  Instances instances(*pattern, options.seed);
  if (const auto first = instances.get(plans->front()); !first) return first.error();
  if (const Status shaped = shape_launches(*plans); !shaped) return shaped.error();
  auto gpu = start_gpu(options, *workspace);
  if (gpu) device = device_of(*workspace, gpu->chip(), options.kernel.device);
  if (!device) return device.error();
  Machinery machinery{*workspace,           options,       *device, workspace->compiler(),
                      std::move(instances), std::move(gpu)};
  Outcome outcome;
  for (const Error& error : chosen->files_left_out) outcome.failures.push_back({error, {}});
  for (const RunPlan& plan : *plans) {
    if (const auto ran = run_plan(plan, machinery, outcome); !ran)
      add_failure(outcome, ran.error(), plan.spec.id);
  }
  print_reports(outcome, chosen->is_ladder, common.json);
  return conclude(outcome, plans->size());
}

}  // namespace warplens::app
