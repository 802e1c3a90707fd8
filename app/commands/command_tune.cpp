// warplens tune: the quickest parameters of a kernel. The model ranks all of them; where there is a GPU it
// times the first of the ranking, and what it finds quickest is the pick.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "app/base/workspace.hpp"
#include "app/commands/choose.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/run_progress.hpp"
#include "app/gpu/gpu_run.hpp"
#include "app/gpu/tuning.hpp"
#include "engine/problem/parallel.hpp"
#include "engine/run/run.hpp"
#include "engine/time/launch/set_times.hpp"
#include "viz/figures/time/time_words.hpp"

namespace warplens::app {
namespace {

// A result is verified with care once, and then looked at again.
constexpr double kCareful = 5e8, kGlance = 2e7;

// The GPU that may measure, or why none does.
struct Measurer {
  std::optional<GpuEngine> gpu;
  std::string why_not;
};

Result<Measurer> measurer_of(const Workspace& workspace, const TuneOptions& options) {
  if (options.predict || options.compile) return Measurer{{}, "--predict asks for that"};
  auto engine = GpuEngine::start(options.gpu);
  if (!engine) return Measurer{{}, engine.error().message};
  if (options.device_named) {
    const auto device = workspace.device(options.kernel.device);
    if (!device) return device.error();
    if (device->compute_capability != engine->hardware().compute_capability)
      return Measurer{
          {}, fmt::format("the GPU of this machine, {}, is no {}", engine->hardware().name, device->name)};
  }
  return Measurer{*std::move(engine), ""};
}

// Complete sets with the values that the user fixed.
std::vector<catalog::Values> sets_of(const run::Plan& plan, const catalog::Values& fixed) {
  auto sets = catalog::valid_parameter_sets(plan.spec, plan.sizes);
  std::erase_if(sets, [&](const catalog::Values& set) {
    return std::ranges::any_of(fixed, [&](const auto& one) { return set.at(one.first) != one.second; });
  });
  return sets;
}

struct Desk {
  const TuneOptions& options;
  run::Plan plan;
  compile::Compiler compiler;
  run::Instances instances{run::Instances::Options{}};
};

// By predicted time; those without one last.
Result<std::vector<TunedSet>> ranked_sets(Desk& desk, const std::vector<catalog::Values>& sets) {
  const auto instance = desk.instances.instantiate(desk.plan);
  if (!instance) return instance.error();
  std::vector<TunedSet> ranked;
  for (const catalog::Values& set : sets) ranked.push_back({.parameters = set});
  const RunProgress progress;
  const Status done = time::predict_sets(
      desk.plan, sets, *instance,
      [&](const compile::Request& request) { return desk.compiler.compile(request); }, {},
      [&](std::size_t set, const Result<time::Prediction>& prediction) {
        if (prediction) ranked[set].predicted = prediction->seconds;
      });
  if (!done) return done.error();
  std::ranges::stable_sort(ranked, [](const TunedSet& a, const TunedSet& b) {
    return a.predicted > 0 && (b.predicted <= 0 || a.predicted < b.predicted);
  });
  return ranked;
}

// A search launches many forms of a kernel and has no window that a fault could harm: unchecked.
Result<double> time_on_gpu(Desk& desk, GpuEngine& gpu, const catalog::Values& set, const TuningRound& round) {
  auto plan = desk.plan.with(set);
  if (!plan) return plan.error();
  const auto job = job_of(*plan, desk.compiler, desk.instances);
  if (!job) return job.error();
  GpuRunOptions options = gpu_run_options(desk.options.gpu);
  options.check = false;
  options.cublas = false;
  options.operations_to_verify = round.round == 0 ? kCareful : kGlance;
  options.timing.seconds /= kTuningRounds;
  options.timing.least_samples = 5;
  options.timing.hopeless_seconds = round.hopeless_seconds;
  const auto report = run_on_gpu(gpu, *job, options);
  if (!report) return report.error();
  if (report->is_wrong()) return Error{"its result is wrong: " + report->explanation, ""};
  return report->seconds;
}

// Each round in a process of its own: where the buffers lie is then another one too.
void measure(Desk& desk, GpuEngine& gpu, Tuning& tuning) {
  const Shortlist rule{.first = static_cast<std::size_t>(desk.options.first), .all = desk.options.all};
  tuning.tried = shortlist(tuning.ranked, rule);
  tuning.gpu = gpu.hardware().name;
  int last_round = 0;
  measure_in_turn(tuning.ranked, tuning.tried, [&](const catalog::Values& set, const TuningRound& round) {
    if (round.round != last_round) gpu.renew();
    last_round = round.round;
    return time_on_gpu(desk, gpu, set, round);
  });
}

Status forget_unknown(const run::Plan& plan, const TuneOptions& options, std::vector<TunedSet>& ranked) {
  if (!options.all) std::erase_if(ranked, [](const TunedSet& set) { return set.predicted <= 0; });
  if (!ranked.empty()) return Done{};
  return Error{"no parameters of " + plan.spec.id + " run on " + plan.device.name, ""};
}

// So that a map of speeds, or a page without a compiler, finds them.
Result<int> compile_sets(Desk& desk, const std::vector<catalog::Values>& sets) {
  std::vector<std::optional<Error>> errors(sets.size());
  problem::parallel_for(sets.size(), [&](std::size_t i) {
    const auto plan = desk.plan.with(sets[i]);
    const auto built =
        plan ? desk.compiler.compile(run::build_request(*plan)) : Result<compile::Build>(plan.error());
    if (!built) errors[i] = built.error();
  });
  const auto failed = std::ranges::find_if(errors, [](const auto& error) { return error.has_value(); });
  if (failed != errors.end()) return **failed;
  fmt::print("{}: {} sets compiled\n", desk.plan.spec.id, sets.size());
  return kExitFine;
}

}  // namespace

Result<int> tune_command(const CommonOptions& common, const TuneOptions& options) {
  auto workspace = Workspace::open(common);
  if (!workspace) return workspace.error();
  auto measurer = measurer_of(*workspace, options);
  if (!measurer) return measurer.error();
  if (options.all && !measurer->gpu)
    return Error{"nothing measures every set: " + measurer->why_not,
                 "leave --all away, or use a machine with such a GPU"};
  const auto device = measurer->gpu ? device_of(*workspace, measurer->gpu->hardware(), options.kernel.device)
                                    : workspace->device(options.kernel.device);
  if (!device) return device.error();
  auto plan = plan_one(*workspace, options.kernel, *device);
  if (!plan) return plan.error();
  const auto defines = parse_defines(options.kernel.defines);
  if (!defines) return defines.error();
  const auto sets = sets_of(*plan, own_part(plan->spec, *defines));
  Desk desk{options, *std::move(plan), workspace->compiler()};
  if (options.compile) return compile_sets(desk, sets);
  auto ranked = ranked_sets(desk, sets);
  if (!ranked) return ranked.error();
  if (const Status some = forget_unknown(desk.plan, options, *ranked); !some) return some.error();
  Tuning tuning{.kernel = desk.plan.spec.id,
                .device = desk.plan.device.id,
                .ranked = *std::move(ranked),
                .why_not = measurer->why_not,
                .size = figures::size_words(desk.plan),
                .now = desk.plan.parameters};
  if (measurer->gpu) measure(desk, *measurer->gpu, tuning);
  if (!pick_of(tuning))
    return Error{"none of the " + std::to_string(tuning.tried) +
                     " sets that were measured is right: " + tuning.ranked.front().failed,
                 "see why with 'warplens run " + tuning.kernel + " --engine gpu'"};
  fmt::print("{}", common.json ? warplens::to_text(to_json(tuning)) : to_text(tuning));
  return kExitFine;
}

}  // namespace warplens::app
