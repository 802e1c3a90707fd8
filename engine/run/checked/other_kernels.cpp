#include "engine/run/checked/other_kernels.hpp"

#include <algorithm>

#include "engine/catalog/catalog.hpp"
#include "engine/problem/file_launch.hpp"
#include "engine/problem/kind_texts.hpp"
#include "engine/run/checked/checked_run.hpp"
#include "engine/run/checked/trials.hpp"
#include "engine/run/emulate.hpp"

namespace warplens::run {
namespace {

using check::Finding, check::Kind, check::Severity;

// Of all of them together: a file has a few kernels, and they are run beside the one that was asked for.
constexpr std::size_t kMostKernels = 8;
constexpr double kMostWork = 3e8;
constexpr std::uint64_t kMostThreadsOfIt = std::uint64_t{1} << 21, kMostBytesOfIt = std::uint64_t{1} << 27,
                        kMostOfOtherKernel = 2'000'000;

// What it waits for may be what another kernel of the file does first, or at the same time.
bool may_wait(const Finding& finding) {
  return finding.kind == Kind::deadlock || finding.kind == Kind::endless_loop || finding.kind == Kind::trap;
}

std::optional<Plan> plan_of(const Job& job, const std::string& name) {
  const auto guess = [&](std::string_view code) {
    return catalog::GuessedText{problem::guessed_front_matter(code, name)};
  };
  const catalog::KernelSpec& own = job.plan.spec;
  auto spec = catalog::parse_or_guess(own.code, own.id, own.path, guess);
  if (!spec) return std::nullopt;
  auto plan = run::plan(*spec, {}, {}, job.plan.device);
  if (!plan || threads_of(plan->launch) > kMostThreadsOfIt) return std::nullopt;
  return *std::move(plan);
}

// Of all its blocks, by the first one.
bool takes_long(const Plan& plan, const problem::Instance& instance, const compile::Build& build) {
  constexpr std::uint64_t kMost = 500'000'000;  // instructions of warps
  const auto kernel = prepare(build, plan.device);
  if (!kernel) return false;
  EmulationOptions options;
  options.threads = 1;
  options.stop_at_uninitialised = false;
  options.instruction_budget = kMostOfOtherKernel;
  options.blocks = {0};
  const auto first = emulate(**kernel, instance, plan.launch, options);
  return first && first->outcome.counters.warp_instructions * catalog::blocks_in_grid(plan.launch) > kMost;
}

std::optional<Report> report_of(const Job& job, const CompilePlan& compile, const std::string& name,
                                const std::atomic<bool>* cancel) {
  auto plan = plan_of(job, name);
  if (!plan) return std::nullopt;
  Instances instances({.most_bytes = kMostBytesOfIt});
  auto instance = instances.instantiate(*plan);
  if (!instance || (*instance)->wants_reference() || (*instance)->operations() > kMostWork)
    return std::nullopt;
  auto build = compile(*plan);
  if (!build || takes_long(*plan, **instance, *build)) return std::nullopt;
  const auto run = run_checked({.plan = *std::move(plan),
                                .instance = *std::move(instance),
                                .build = *std::move(build),
                                .instruction_budget = std::min(job.instruction_budget, kMostOfOtherKernel)},
                               false, cancel);
  const bool takes_long = run && (*run)->report.stopped && (*run)->report.findings.empty();
  return run && !takes_long ? std::optional((*run)->report) : std::nullopt;
}

std::string verdict_of(const Report& report) {
  const bool only_waits = std::ranges::all_of(report.findings, [](const Finding& finding) {
    return finding.severity != Severity::error || may_wait(finding);
  });
  if (!report.not_checked.empty() || (check::has_error(report.findings) && only_waits)) return "not checked";
  return report.verified ? "verified" : "wrong";
}

// What threads do to each other, or not together: it depends on the guess as far as that of the kernel that is shown does.
bool is_between_threads(Kind kind) {
  return check::is_race(kind) || kind == Kind::divergent_barrier || kind == Kind::mask_without_caller ||
         kind == Kind::inactive_source_lane;
}

void add_findings(const std::string& name, const Report& other, Report& report) {
  for (Finding finding : other.findings) {
    if (finding.severity == Severity::information || may_wait(finding)) continue;
    finding.message = "in " + name + ", " + finding.message;
    if (finding.severity == Severity::warning) {
      if (is_between_threads(finding.kind)) report.findings.push_back(std::move(finding));
      continue;
    }
    if (!check::has_error(report.findings)) report.explanation = finding.message;
    report.findings.push_back(std::move(finding));
    report.verified = false;
    report.not_checked.clear();
  }
}

}  // namespace

void add_other_kernels(const Job& job, const CompilePlan& compile, Report& report,
                       const std::atomic<bool>* cancel) {
  if (job.plan.spec.guessed.empty() || !report.tried) return;
  std::vector<std::string> left_out;
  for (const std::string& name : report.tried->left_out) {
    const auto other =
        report.tried->kernels.size() < kMostKernels ? report_of(job, compile, name, cancel) : std::nullopt;
    if (!other) {
      left_out.push_back(name);
      continue;
    }
    report.tried->kernels.push_back({name, verdict_of(*other)});
    add_findings(name, *other, report);
  }
  report.tried->left_out = std::move(left_out);
  check::sort_by_cause(report.findings);
}

}  // namespace warplens::run
