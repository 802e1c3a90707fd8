// warplens run: one kernel or a whole ladder, verified and counted.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/commands/choose.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/run_progress.hpp"
#include "app/gpu/both_run.hpp"
#include "app/gpu/gpu_run.hpp"
#include "app/gpu/report_text.hpp"
#include "app/gpu/time_text.hpp"
#include "engine/compile/source/device_source.hpp"
#include "engine/run/checked/checked_run.hpp"
#include "engine/run/checked/compiler_findings.hpp"
#include "engine/run/checked/guesses.hpp"
#include "engine/run/checked/other_kernels.hpp"
#include "engine/run/run.hpp"
#include "engine/run/runner.hpp"
#include "engine/time/predict_run.hpp"

namespace warplens::app {
namespace {

Result<problem::Pattern> parse_pattern(std::string_view text) {
  using problem::Pattern;
  return chosen_word<Pattern>("pattern", text,
                              {{"random", Pattern::random},
                               {"ones", Pattern::ones},
                               {"index", Pattern::index},
                               {"identity", Pattern::identity},
                               {"equal", Pattern::equal},
                               {"zero", Pattern::zero},
                               {"large", Pattern::large},
                               {"negative", Pattern::negative},
                               {"gaps", Pattern::gaps}});
}

// Ten steps that miss the same thing say so once.
struct Failure {
  Error error;
  std::vector<std::string> kernels;  // that have it; none where the error is that of a file
};

struct Outcome {
  std::vector<Both> both;  // of --engine both
  std::vector<run::Report> reports;
  std::vector<std::optional<time::Prediction>> predicted;  // of each report of the emulator
  std::vector<Failure> failures;
  bool approximates = false;  // an emulated one has functions that a chip rounds worse
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
  compile::Compiler compiler;
  run::Instances& instances;
  std::optional<GpuEngine> gpu;
  bool json = false;
};

// Nothing where only people read, who ask `warplens time`, where there is no machine code, and of a run that
// was stopped: its kernel would be run to the same stop once more.
std::optional<time::Prediction> prediction_of(const run::Run& run, const Machinery& machinery) {
  if (!machinery.json || time::why_not(run)) return std::nullopt;
  const auto prediction = time::predict(run);
  return prediction ? std::optional(*prediction) : std::nullopt;
}

// What the compiler thinks of the file, and what of it was left out.
void print_compiler_warnings(const run::Run& run) {
  for (const compile::Warning& warning : run.job->build.warnings)  // what is a finding already is said there
    if (!run::is_finding(warning)) print_warning(to_line(warning));
  const std::string folder = std::filesystem::path(run.plan().spec.path).parent_path().string();
  const auto device = compile::device_source(run.plan().spec.code, folder);
  if (!device.left_out.empty())
    print_warning(fmt::format("{}: left out what only the host uses: {}", run.plan().spec.path,
                              fmt::join(device.left_out, ", ")));
}

// The error of such a result is none of the chip's.
bool approximates(const run::Run& run) {
  return std::ranges::any_of(run.kernel->function().code, &ptx::Instruction::approximate);
}

Result<run::SharedRun> run_emulated(const run::Job& job, bool check) {
  const RunProgress progress;
  return check ? run::run_checked(job) : run::run_on_emulator(job);
}

// The nearest values of its parameters that the device takes are the next step, where those of the plan are why.
Error with_values_that_fit(Error error, const run::Plan& plan, const Workspace& workspace) {
  if (plan.parameters.empty()) return error;
  run::Runner runner(workspace.compiler());
  const auto near = runner.job({.spec = plan.spec,
                                .parameters = plan.parameters,
                                .sizes = plan.sizes,
                                .device = plan.device,
                                .nearest = true},
                               kNeverCancelled);
  if (near && near->plan.parameters != plan.parameters)
    error.next_step =
        fmt::format("choose {}: {} takes that", run::changed_words(plan.parameters, near->plan.parameters),
                    plan.device.name);
  return error;
}

Status run_plan(const run::Plan& plan, Machinery& machinery, Outcome& outcome) {
  auto job = job_of(plan, machinery.compiler, machinery.instances);
  if (!job) return job.error();
  job->instruction_budget = machinery.options.budget;
  GpuEngine* gpu = machinery.gpu ? &*machinery.gpu : nullptr;
  GpuRunOptions options = gpu_run_options(machinery.options.gpu);
  options.check = machinery.options.check;
  if (machinery.options.engine == "both") {
    auto both = run_on_both(
        gpu, *job, {.gpu = options, .record = machinery.options.record, .check = machinery.options.check},
        machinery.workspace.home());
    if (!both) return both.error();
    if (both->not_measured) print_warning(plan.spec.id + ": " + to_line(*both->not_measured));
    outcome.reports.push_back(both->emulated);
    if (both->measured) outcome.reports.push_back(*both->measured);
    outcome.both.push_back(*std::move(both));
    return Done{};
  }
  if (gpu == nullptr) {
    const auto run = run_emulated(*job, machinery.options.check);
    if (!run)
      return run::with_guess(with_values_that_fit(run.error(), plan, machinery.workspace), plan.spec.guessed);
    print_compiler_warnings(**run);
    outcome.approximates |= approximates(**run);
    outcome.reports.push_back((*run)->report);
    const auto compile = [&](const run::Plan& other) { return run::compile(machinery.compiler, other); };
    if (machinery.options.check) run::add_other_kernels(*job, compile, outcome.reports.back());
    outcome.predicted.push_back(prediction_of(**run, machinery));
    return Done{};
  }
  auto report = run_on_gpu(*gpu, *job, options);
  if (!report) return report.error();
  outcome.reports.push_back(*std::move(report));
  return Done{};
}

// Where a GPU was asked for and there is one. That there is none is said, and the emulator does instead.
std::optional<GpuEngine> start_gpu(const RunOptions& options, const Workspace& workspace) {
  if (options.engine == "emulator") return std::nullopt;
  auto engine = GpuEngine::start(options.gpu);
  if (engine) {
    engine->trust(measured::MeasuredKernels(workspace.home()));
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

Json report_json(const Outcome& outcome, std::size_t i) {
  Json json = to_json(outcome.reports[i]);
  if (i < outcome.predicted.size())
    json["predicted"] = outcome.predicted[i] ? to_json(*outcome.predicted[i]) : Json(nullptr);
  return json;
}

void print_reports(const Outcome& outcome, bool is_ladder, bool json) {
  // Without a GPU there is nothing to compare, and people read what the emulator alone prints.
  const bool measured = std::any_of(outcome.both.begin(), outcome.both.end(),
                                    [](const Both& both) { return both.measured.has_value(); });
  if (measured || (json && !outcome.both.empty())) return print_both(outcome, is_ladder, json);
  if (json && is_ladder) {
    Json list = Json::array();
    for (std::size_t i = 0; i < outcome.reports.size(); ++i) list.push_back(report_json(outcome, i));
    fmt::print("{}", to_text(list));
  } else if (!outcome.reports.empty() && json) {
    fmt::print("{}", to_text(report_json(outcome, 0)));
  } else if (!outcome.reports.empty() && is_ladder) {
    std::vector<TextRow> rows = {heading_row(outcome.reports.front().engine)};
    for (const run::Report& report : outcome.reports) rows.push_back(to_row(report));
    fmt::print("{}", format_table(rows));
  } else if (!outcome.reports.empty()) {
    fmt::print("{}", to_text(outcome.reports.front()));
    if (outcome.approximates)
      fmt::print("{:<15}the error is the emulator's, which rounds approximate functions better than a chip\n",
                 "note");
  }
}

// The first error on the line of the error; the rest is in the report.
void print_findings(const run::Report& report) {
  const auto first =
      std::find_if(report.findings.begin(), report.findings.end(),
                   [](const check::Finding& finding) { return finding.severity == check::Severity::error; });
  const auto errors =
      std::count_if(report.findings.begin(), report.findings.end(),
                    [](const check::Finding& finding) { return finding.severity == check::Severity::error; });
  Error error{first->message, first->fix, {first->file, first->line, 0}};
  if (errors > 1) error.message += fmt::format(" (and {} more)", errors - 1);
  print_error(error);
}

// A file without a front matter ran with this one.
void print_guess(const catalog::KernelSpec& spec, bool json) {
  if (json) return print_warning(spec.path + " has no front matter; one was guessed");
  fmt::print(stderr,
             "{} has no front matter, so one was guessed: the head that says sizes, data, launch and what is "
             "right. Put it at the top of the file and correct it:\n/*---\n{}---*/\n",
             spec.path, spec.guessed);
}

int conclude(const Outcome& outcome, std::size_t steps) {
  for (const Failure& failure : outcome.failures) print_error(named(failure, steps));
  int code = outcome.failures.empty() ? kExitFine : kExitBadInput;
  for (const run::Report& report : outcome.reports) {
    if (!report.is_wrong()) continue;
    if (check::has_error(report.findings))
      print_findings(report);
    else
      print_error({report.kernel + " computed a wrong result: " + report.explanation, "", {}});
    code = kExitWrongResult;
  }
  return code;
}

}  // namespace

Result<int> run_command(const CommonOptions& common, const RunOptions& options) {
  const auto engine = chosen_word<int>("engine", options.engine, {{"emulator", 0}, {"gpu", 1}, {"both", 2}});
  if (!engine) return engine.error();
  if (options.record && options.engine != "both")
    return Error{"--record compares what the GPU records with the emulator", "add --engine both"};
  const auto pattern = parse_pattern(options.pattern);
  if (!pattern) return pattern.error();
  const auto workspace = Workspace::open(common);
  if (!workspace) return workspace.error();
  auto device = workspace->device(options.kernel.device);
  if (!device) return device.error();
  const auto chosen = choose_kernels(*workspace, options.kernel.kernel);
  if (!chosen) return chosen.error();
  auto plans = plan_runs(*chosen, options.kernel, *device);
  const auto refused = [&](const Error& error) {
    if (!chosen->kernels.front().guessed.empty()) print_guess(chosen->kernels.front(), common.json);
    return error;
  };
  if (!plans) return refused(plans.error());
  run::Instances instances({.pattern = *pattern, .seed = options.seed});
  if (const auto first = instances.instantiate(plans->front()); !first) return refused(first.error());
  auto gpu = start_gpu(options, *workspace);
  if (gpu) device = device_of(*workspace, gpu->hardware(), options.kernel.device);
  if (!device) return device.error();
  for (run::Plan& plan : *plans) plan.device = *device;
  Machinery machinery{*workspace, options, workspace->compiler(), instances, std::move(gpu), common.json};
  Outcome outcome;
  for (const Error& error : chosen->files_left_out) outcome.failures.push_back({error, {}});
  for (const run::Plan& plan : *plans) {
    if (const auto ran = run_plan(plan, machinery, outcome); !ran)
      add_failure(outcome, ran.error(), plan.spec.id);
  }
  if (!chosen->kernels.front().guessed.empty()) print_guess(chosen->kernels.front(), common.json);
  print_reports(outcome, chosen->is_ladder, common.json);
  return conclude(outcome, plans->size());
}

}  // namespace warplens::app
