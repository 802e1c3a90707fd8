// warplens run: one kernel or a whole ladder, verified and counted.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>

#include "app/commands.hpp"
#include "app/emulator_run.hpp"
#include "app/run_job.hpp"
#include "app/run_report.hpp"

namespace warplens::app {
namespace {

// Buffers of one run, in all: half of the machine's memory, and not so much that a typo in --size fills a
// large one.
std::uint64_t memory_limit() {
  constexpr std::uint64_t most = 8ull << 30;
  const long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page_bytes <= 0) return most;
  return std::min(most, static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page_bytes) / 2);
}

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
  if (engine == "emulator") return Done{};
  if (engine == "gpu")
    return Error{"this build has no gpu engine", "leave --engine away to run on the emulator"};
  return Error{fmt::format("unknown engine '{}'", engine), "choose emulator or gpu"};
}

using InstancePointer = std::shared_ptr<const problem::Instance>;

// The steps of a ladder solve one problem: its data and its reference result are made once.
class Instances {
 public:
  Instances(problem::Pattern pattern, std::uint64_t seed) : pattern_(pattern), seed_(seed) {}

  Result<InstancePointer> get(const RunPlan& plan) {
    if (instance_ != nullptr && plan.problem == problem_ && plan.sizes == sizes_) return instance_;
    auto made = plan.problem->make(plan.sizes, pattern_, seed_, memory_limit());
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

struct Outcome {
  std::vector<RunReport> reports;
  std::vector<Error> errors;  // distinct ones: ten steps that miss the same thing say so once
};

void add_error(Outcome& outcome, const Error& error) {
  const auto same = [&](const Error& other) { return to_line(other) == to_line(error); };
  if (std::none_of(outcome.errors.begin(), outcome.errors.end(), same)) outcome.errors.push_back(error);
}

Result<RunReport> run_plan(const RunPlan& plan, const device::Device& device, compile::Compiler& compiler,
                           Instances& instances, std::uint64_t budget) {
  auto instance = instances.get(plan);
  if (!instance) return instance.error();
  auto build = build_plan(compiler, plan, device);
  if (!build) return build.error();
  return run_on_emulator({plan, *std::move(instance), device, *std::move(build), budget});
}

void print_reports(const Outcome& outcome, bool is_ladder, bool json) {
  if (json && is_ladder) {
    Json list = Json::array();
    for (const RunReport& report : outcome.reports) list.push_back(to_json(report));
    fmt::print("{}", to_text(list));
  } else if (!outcome.reports.empty() && json) {
    fmt::print("{}", to_text(to_json(outcome.reports.front())));
  } else if (!outcome.reports.empty() && is_ladder) {
    std::vector<TextRow> rows = {heading_row()};
    for (const RunReport& report : outcome.reports) rows.push_back(to_row(report));
    fmt::print("{}", format_table(rows));
  } else if (!outcome.reports.empty()) {
    fmt::print("{}", to_text(outcome.reports.front()));
  }
}

int conclude(const Outcome& outcome) {
  for (const Error& error : outcome.errors) print_error(error);
  int code = outcome.errors.empty() ? exit_fine : exit_bad_input;
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
  const auto pattern = parse_pattern(options.pattern);
  if (!pattern) return pattern.error();
  const auto workspace = Workspace::open(common);
  if (!workspace) return workspace.error();
  const auto device = workspace->device(options.kernel.device);
  if (!device) return device.error();
  const auto chosen = choose_kernels(*workspace, options.kernel.kernel);
  if (!chosen) return chosen.error();
  auto plans = plan_runs(*chosen, options.kernel);
  if (!plans) return plans.error();

  Instances instances(*pattern, options.seed);
  if (const auto first = instances.get(plans->front()); !first) return first.error();
  if (const Status shaped = shape_launches(*plans); !shaped) return shaped.error();
  compile::Compiler compiler = workspace->compiler();
  Outcome outcome;
  for (const Error& error : chosen->files_left_out) add_error(outcome, error);
  for (const RunPlan& plan : *plans) {
    auto report = run_plan(plan, *device, compiler, instances, options.budget);
    if (report) {
      outcome.reports.push_back(*std::move(report));
    } else {
      add_error(outcome, report.error());
    }
  }
  print_reports(outcome, chosen->is_ladder, common.json);
  return conclude(outcome);
}

}  // namespace warplens::app
