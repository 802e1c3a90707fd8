// warplens time: how long a kernel takes on a device, by the model, and what it waits for.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

#include "app/base/workspace.hpp"
#include "app/commands/choose.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/run_progress.hpp"
#include "app/gpu/gpu_run.hpp"
#include "app/gpu/time_text.hpp"
#include "engine/explain/against.hpp"
#include "engine/explain/payoff/payoff.hpp"
#include "engine/run/device_needs.hpp"
#include "engine/run/run.hpp"
#include "engine/study/ladder.hpp"
#include "engine/time/predict_run.hpp"
#include "viz/figures/time/time.hpp"
#include "viz/figures/time/time_words.hpp"

namespace warplens::app {
namespace {

struct Predicted {
  run::Job job;
  explain::Payoffs payoffs;               // the prediction, and what more warps would gain
  std::vector<std::string> not_modelled;  // each a sentence
};

constexpr std::string_view kFittedOn = "h100";
constexpr double kMatters = 0.01;            // of the time
constexpr int kFirstWithReadOnlyCache = 35;  // for global memory: ld.global.nc

// What of a prediction rests on a number that was fitted on another chip alone. fitted: of that chip.
struct Fitted {
  double time::Parameters::*number;
  double time::Prediction::*used;  // a number of them, or a share of the time
  std::string_view words;
};
constexpr Fitted kFitted[] = {
    {&time::Parameters::atomic_cycles, &time::Prediction::meetings, "how long atomics at one address take"},
    {&time::Parameters::block_interval, &time::Prediction::starts, "how long the start of a block takes"},
    {&time::Parameters::launch_seconds, &time::Prediction::launch, "how long a launch itself takes"},
};
std::vector<std::string> not_fitted(const device::Device& device, const device::Device& fitted,
                                    const time::Prediction& prediction) {
  std::vector<std::string> list;
  const time::Parameters own = time::parameters_of(device), its = time::parameters_of(fitted);
  for (const Fitted& one : kFitted)
    if (own.*one.number == its.*one.number && prediction.*one.used > kMatters)
      list.push_back(fmt::format("{} is as on {}, not fitted for {}", one.words, fitted.name, device.name));
  return list;
}

// Where no kernel was recorded on the device, nobody knows how far the model is from it.
Result<std::vector<std::string>> not_held_against(const Workspace& workspace, const device::Device& device,
                                                  const time::Prediction& prediction) {
  std::vector<std::string> list;
  const auto recorded = workspace.recorded()->speeds(device.id);
  if (!recorded) return recorded.error();
  if ((*recorded)->results.empty())
    list.push_back(fmt::format("not held against {}: no kernel was recorded on it", device.name));
  const auto table = workspace.devices();
  if (!table) return table.error();
  const auto fitted = table->find(std::string(kFittedOn));
  if (!fitted || fitted->compute_capability == device.compute_capability) return list;
  for (std::string& words : not_fitted(device, *fitted, prediction)) list.push_back(std::move(words));
  return list;
}

// Where the chip can do what the model does not, and where the kernel does what the model or the chip does not.
std::vector<std::string> not_modelled(const ptx::Function& function, const device::Device& device) {
  const time::Parameters parameters = time::parameters_of(device);
  std::vector<std::string> list;
  const bool reads_only = std::ranges::any_of(function.code, [](const ptx::Instruction& one) {
    return one.opcode == ptx::Opcode::ld && one.cache == ptx::CacheOp::nc;
  });
  if (reads_only && parameters.l1_global == 0 && device.compute_capability >= kFirstWithReadOnlyCache)
    list.push_back(
        fmt::format("loads through the read-only cache of {}: the model lets them pass it by", device.name));
  if (parameters.issue_together > 1)
    list.push_back(fmt::format("the model issues one instruction of a warp at a time, {} up to {:.0f}",
                               device.name, parameters.issue_together));
  if (const std::string lacked = run::instruction_lacked(function, device); !lacked.empty())
    list.push_back(fmt::format("{}: {} has none, and the time is that of the same launch if it had", lacked,
                               device.name));
  return list;
}

Result<Predicted> predict(const Workspace& workspace, const run::Plan& plan, compile::Compiler& compiler,
                          run::Instances& instances) {
  auto job = job_of(plan, compiler, instances);
  if (!job) return job.error();
  const RunProgress progress;
  const auto kernel = run::prepare(job->build, plan.device);
  if (!kernel) return kernel.error();
  if (const std::string missing = run::missing_instruction((*kernel)->function(), plan.device);
      !missing.empty())
    return Error{fmt::format("{} cannot run {}: {}", plan.device.name, plan.spec.id, missing),
                 "choose another device"};
  const auto counted = time::count(*job, **kernel);
  if (!counted) return counted.error();
  auto modelled = time::modelled(*job, **kernel, *counted);
  if (!modelled) return modelled.error();
  auto rest = not_modelled((*kernel)->function(), plan.device);
  auto unknown = not_held_against(workspace, plan.device, modelled->prediction);
  if (!unknown) return unknown.error();
  std::ranges::move(*unknown, std::back_inserter(rest));
  explain::Payoffs payoffs;
  payoffs.now = modelled->prediction;
  payoffs.with_most_warps = explain::gain_of_most_warps(time::in_short(*modelled), plan.device);
  return Predicted{*std::move(job), std::move(payoffs), std::move(rest)};
}

std::string head_text(const run::Plan& plan) {
  return fmt::format("{:<15}{}\n{:<15}{} on {}\n", plan.spec.id + " ", run::value_words(plan.parameters),
                     "size", figures::size_words(plan), plan.device.name);
}

std::string rough_text(const std::vector<std::string>& not_modelled) {
  std::string text;
  for (const std::string& words : not_modelled) text += fmt::format("{:<15}{}\n", "rough", words);
  return text;
}

std::string said_text(const explain::Explanation& said) {
  return fmt::format("{:<15}{}\n{:<15}{}\n{:<15}{}\n", "limit", said.what, "why", said.why, "fix", said.fix);
}

// A compute capability alone has no clock and no number of multiprocessors.
Error no_product(const Workspace& workspace, const device::Device& device) {
  Error error{
      fmt::format("{} is no product: how many SMs it has, and how fast they are, is not known", device.name),
      "choose a product, such as h100"};
  const auto table = workspace.devices();
  if (!table) return error;
  const auto product = std::ranges::find_if(table->devices(), [&](const device::Device& other) {
    return other.sm_count > 0 && other.compute_capability == device.compute_capability;
  });
  if (product != table->devices().end())
    error.next_step = fmt::format("choose a product of it, such as {}", product->id);
  return error;
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
  if (device->sm_count == 0) return no_product(*workspace, *device);
  auto plan = plan_one(*workspace, options.kernel, *device);
  if (!plan) return plan.error();
  compile::Compiler compiler = workspace->compiler();
  return Chosen{*std::move(workspace), *std::move(plan), std::move(compiler)};
}

// ---- two kernels taken apart

struct AgainstKernel {
  std::string kernel;  // the other
  explain::Against said = {};
  time::Apart apart = {};
  double seconds = 0, its_seconds = 0;  // of a launch, predicted
  // "another problem": why the two launches are not compared for the same work; empty: they are.
  std::string_view differs = {};
};
double share_of(const time::Apart& apart, double change) {
  return apart.change != 0 ? change / apart.change : 0;
}

std::string_view name_of(const time::Cause& cause) {
  return cause.asked ? time::name(*cause.asked) : time::name(cause.wait);
}

// plan: of the kernel that is judged. The other one runs as a step beside it does, at its own size where it solves another problem.
// Errors: it is not there, or does not compile or run; the model has nothing to say of one of them.
Result<AgainstKernel> against_kernel(const Workspace& workspace, const run::Plan& plan,
                                     const std::string& other) {
  KernelOptions named;
  named.kernel = other;
  const auto its = plan_one(workspace, named, plan.device);
  if (!its) return its.error();
  run::Runner runner(workspace.compiler());
  explain::Sides sides(runner);
  const std::atomic<bool> go_on = false;
  const auto one =
      sides.of({.spec = plan.spec, .parameters = plan.parameters, .sizes = plan.sizes, .device = plan.device},
               true, go_on);
  if (!one) return one.error();
  const auto other_at = [&](const catalog::Values& sizes) {
    run::Request request = study::like(plan, its->spec);
    request.sizes = sizes;
    return sides.of(request, true, go_on);
  };
  auto two = other_at(plan.sizes);
  if (two && !explain::is_same_problem(one->count, two->count)) two = other_at(its->sizes);
  if (!two) return two.error();
  if (!one->modelled || !two->modelled)
    return Error{"the model of time has nothing to say of " + (one->modelled ? other : plan.spec.id),
                 "choose another device"};
  AgainstKernel against{
      .kernel = other, .seconds = one->predicted()->seconds, .its_seconds = two->predicted()->seconds};
  if (!explain::is_same_problem(one->count, two->count))
    against.differs = "another problem";
  else if (one->count.sizes != two->count.sizes)
    against.differs = "another size";
  if (!against.differs.empty()) return against;
  const double work = explain::work_of_other(one->count, two->count);
  run::Plan its_own = *its;
  its_own.parameters = two->count.parameters, its_own.sizes = two->count.sizes;
  const double recorded = recorded_seconds(workspace, plan), theirs = recorded_seconds(workspace, its_own);
  const auto speed = recorded > 0 && theirs > 0 ? std::optional(theirs / work / recorded) : std::nullopt;
  against.said = explain::against(*one, *two, speed, other);
  against.apart = time::take_apart(*one->modelled, *two->modelled, work);
  return against;
}

// Of launches that do different work: how long each takes, and no more.
std::string plain_words(const AgainstKernel& against) {
  return fmt::format("{}: a launch takes {} there and {} here, and nothing is compared", against.differs,
                     time_words(against.its_seconds), time_words(against.seconds));
}

Json against_json(const AgainstKernel& against) {
  const time::Apart& apart = against.apart;
  const bool is_same = against.differs.empty();
  Json json{{"kernel", against.kernel},
            {"times", is_same ? Json(std::exp(apart.change)) : Json(nullptr)},
            {"words", is_same ? against.said.words : plain_words(against)},
            {"recorded_times",
             is_same && against.said.is_measured ? Json(against.said.times.value_or(0)) : Json(nullptr)},
            {"seconds", against.its_seconds}};
  json["causes"] = Json::array(), json["parts"] = Json::array();
  for (const time::Cause& cause : against.said.causes)
    json["causes"].push_back({{"of", name_of(cause)}, {"share", cause.share}});
  for (const time::Part& part : apart.parts)
    json["parts"].push_back({{"of", time::name(part.asked)}, {"share", share_of(apart, part.change)}});
  json["rest"] = share_of(apart, apart.rest);
  for (std::size_t s = 1; s < time::kStalls; ++s)
    json["waits"][std::string(time::name(static_cast<time::Stall>(s)))] = apart.waits[s];
  return json;
}

std::string against_text(const AgainstKernel& against) {
  if (!against.differs.empty())
    return fmt::format("{:<15}{}: {}\n", "against", against.kernel, plain_words(against));
  const time::Apart& apart = against.apart;
  const std::string predicted = fmt::format("{:.2f} times as fast", std::exp(apart.change));
  const std::string both =
      against.said.is_measured && against.said.times
          ? fmt::format("recorded {:.2f} times as fast, predicted {}", *against.said.times, predicted)
          : predicted;
  const std::string& words = against.said.words;
  std::string text =
      fmt::format("{:<15}{}: {}{}{}\n", "against", against.kernel, both, words.empty() ? "" : ": ", words);
  constexpr double kTold = 0.05;  // of a smaller change the shares say nothing: each is a multiple of it
  if (std::abs(apart.change) < kTold) return text;
  for (const time::Part& part : apart.parts)
    text +=
        fmt::format("{:<15}{:>4.0f} % {}\n", "", 100 * share_of(apart, part.change), time::name(part.asked));
  return text + fmt::format("{:<15}{:>4.0f} % the rest\n", "", 100 * share_of(apart, apart.rest));
}

}  // namespace

Result<int> time_command(const CommonOptions& common, const TimeOptions& options) {
  auto chosen = choose(common, options);
  if (!chosen) return chosen.error();
  run::Instances instances(run::Instances::Options{});
  const auto predicted = predict(chosen->workspace, chosen->plan, chosen->compiler, instances);
  if (!predicted) return predicted.error();
  const auto& [job, payoffs, rest] = *predicted;
  const time::Prediction& prediction = payoffs.now;
  const auto said = figures::time_words(job, prediction, &payoffs).explanation;
  const double recorded = recorded_seconds(chosen->workspace, chosen->plan);
  std::optional<AgainstKernel> apart;
  if (!options.against.empty()) {
    auto found = against_kernel(chosen->workspace, job.plan, options.against);
    if (!found) return found.error();
    apart = *std::move(found);
  }
  if (common.json) {
    Json json = app::to_json(prediction);
    json["limit"] = {{"what", said.what}, {"why", said.why}, {"fix", said.fix}};
    json["not_modelled"] = rest;
    json["stalls_by_instruction"] = stalls_by_instruction(prediction);
    json["recorded_seconds"] = recorded > 0 ? Json(recorded) : Json(nullptr);
    if (apart) json["against"] = against_json(*apart);
    fmt::print("{}", warplens::to_text(json));
    return kExitFine;
  }
  fmt::print("{}{}{}{}{}", head_text(job.plan), to_text(prediction), rough_text(rest), said_text(said),
             lines_text(prediction, run::lines_of(job.plan.spec.code)));
  if (apart) fmt::print("{}", against_text(*apart));
  if (recorded > 0)
    fmt::print("recorded       {}; the prediction is {:.1f} % too {}\n", time_words(recorded),
               100 * std::abs(prediction.seconds / recorded - 1),
               prediction.seconds > recorded ? "long" : "short");
  return kExitFine;
}

}  // namespace warplens::app
