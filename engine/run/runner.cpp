#include "engine/run/runner.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <future>
#include <optional>
#include <utility>

#include "engine/base/text.hpp"
#include "engine/catalog/launches.hpp"
#include "engine/compile/recorded/recorded_build.hpp"
#include "engine/problem/recorded_problem.hpp"
#include "engine/run/grid/verified_sum.hpp"
#include "engine/run/issued.hpp"
#include "engine/run/nearest.hpp"

namespace warplens::run {
namespace {

constexpr std::size_t kMostRunsKept = 48, kMostInstancesKept = 3, kMostCountsKept = 512;
constexpr std::uint64_t kMostTraceBytesKept = std::uint64_t{512} << 20;
constexpr std::uint64_t kMostBufferBytes = std::uint64_t{4} << 30;

bool same_kernel(const Request& a, const Request& b) {
  return a.device.id == b.device.id && a.spec.path == b.spec.path && a.spec.code == b.spec.code &&
         problem::recorded_launch(a.spec) == problem::recorded_launch(b.spec) &&
         a.spec.block == b.spec.block && a.spec.grid == b.spec.grid;
}

std::uint64_t bytes_of(const Run& run) {
  std::uint64_t bytes = run.trace->bytes();
  if (run.lanes == nullptr) return bytes;
  for (const trace::BlockLanes& block : run.lanes->blocks)
    bytes += block.steps.size() * sizeof(trace::LaneStep) + block.exchanges.size() * sizeof(trace::Exchange);
  return bytes;
}

// The chosen blocks alone. Nothing where that would say less than the whole run, or stops.
std::optional<Execution> record_blocks(const Job& job, const SharedKernel& kernel, const Request& request,
                                       const std::atomic<bool>& cancel) {
  if (blocks_may_communicate(kernel->function())) return std::nullopt;
  auto execution = execute(
      job,
      {.record = request.block, .recorded_blocks_only = true, .threads = request.threads, .cancel = &cancel},
      kernel);
  if (!execution || execution->emulation.outcome.fault || cancel) return std::nullopt;
  return *std::move(execution);
}

bool has_accesses_of(const compile::Build& build, const emulator::Kernel& kernel) {
  const auto issued = issued_accesses(build);
  return !issued || (emulator::are_issued(kernel.function(), kernel.shared_accesses(), issued->accesses) &&
                     emulator::are_combined(kernel.function(), issued->voted_lines));
}

// The instructions whose values one lane of a warp brings for the others.
std::vector<std::size_t> combined_atomics(const emulator::Kernel& kernel) {
  const auto& code = kernel.function().code;
  std::vector<std::size_t> all;
  for (std::size_t pc = 0; pc < code.size(); ++pc)
    if (code[pc].combined) all.push_back(pc);
  return all;
}

// What PTX alone says of a launch, and all that is asked of old devices, whose registers the machine code
// does not know: that takes longest to make. Nothing of other devices.
std::optional<std::int64_t> shared_in_ptx(const compile::Build& build) {
  device::Device old;
  old.compute_capability = 0;
  if (build.arch != architecture_for(old)) return std::nullopt;
  const auto kernel = prepare(build, device::Device{});
  return kernel ? std::optional<std::int64_t>((*kernel)->static_shared_bytes()) : std::nullopt;
}

}  // namespace

std::string count_key(const Request& request) {
  return fmt::format("{} {} {} {} {} {} {} {}", request.spec.id, fingerprint(request.spec.code),
                     request.device.id, value_words(request.parameters), value_words(request.sizes),
                     request.nearest, fmt::join(request.spec.block, ","), fmt::join(request.spec.grid, ","));
}

Request as_launched(Request request) {
  if (const auto chosen = choose_values(request.spec, request.parameters, request.sizes, request.device))
    request.parameters = chosen->parameters, request.sizes = chosen->sizes;
  return request;
}

Runner::Runner(compile::Compiler compiler, bool gives_way)
    : builds_(std::move(compiler), gives_way,
              [known = known_](const compile::Request& request, const compile::Build& build) {
                if (request.want_cubin)
                  return known->note(request, {build.static_shared_bytes, build.registers});
                if (const auto shared = shared_in_ptx(build)) known->note(request, {*shared, 0});
              }),
      instances_({.most_bytes = kMostBufferBytes, .most_kept = kMostInstancesKept}),
      counts_(kMostCountsKept) {}

bool Runner::Kept::is_of(const Request& wanted) const {
  const bool as_asked = request.parameters == wanted.parameters && request.sizes == wanted.sizes,
             as_run = run->plan().parameters == wanted.parameters && run->plan().sizes == wanted.sizes;
  return (as_asked || as_run) && same_kernel(request, wanted);
}

SharedRun Runner::kept(const Request& request) {
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(kept_.begin(), kept_.end(), [&](const Kept& k) {
    return k.request.block == request.block && k.is_of(request);
  });
  if (found == kept_.end()) return nullptr;
  Kept entry = std::move(*found);
  kept_.erase(found);
  kept_.push_front(std::move(entry));
  return kept_.front().run;
}

SharedRun Runner::kept_of_any_block(const Request& request) {
  const std::lock_guard lock(mutex_);
  const auto found =
      std::find_if(kept_.begin(), kept_.end(), [&](const Kept& k) { return k.is_of(request); });
  return found == kept_.end() ? nullptr : found->run;
}

void Runner::keep(const Request& request, const SharedRun& run) {
  const std::lock_guard lock(mutex_);
  kept_.push_front({request, run});
  std::uint64_t bytes = 0;
  std::size_t count = 0;
  for (; count < kept_.size() && count < kMostRunsKept; ++count) {
    bytes += bytes_of(*kept_[count].run);
    if (bytes > kMostTraceBytesKept && count > 0) break;
  }
  kept_.resize(count);
}

BuildQueue::Answer Runner::build(const compile::Request& wanted, const Request& request,
                                 const std::atomic<bool>& cancel) {
  if (const auto* launch = problem::recorded_launch(request.spec)) {
    auto given = compile::build_of(*launch);
    if (!given) return given.error();
    return std::make_shared<const compile::Build>(*std::move(given));
  }
  return request.background ? builds_.compile_here(wanted) : builds_.get(wanted, cancel);
}

Result<Plan> Runner::fitted_plan(const Request& request, const std::atomic<bool>& cancel) {
  const bool is_given = problem::recorded_launch(request.spec) != nullptr;
  if (!request.nearest || is_given)
    return plan(request.spec, request.parameters, request.sizes, request.device);
  const auto wanted = choose_values(request.spec, request.parameters, request.sizes, request.device);
  if (!wanted) return wanted.error();
  return nearest_plan(
      *wanted, known_, [&](const compile::Request& one) { return build(one, request, cancel); }, cancel);
}

// A run of other blocks has all the counts; the block that it lacks is recorded alone. Null where there is
// none such, or where the block could do otherwise alone.
SharedRun Runner::other_block(const Request& request, const std::atomic<bool>& cancel) {
  const SharedRun whole = kept_of_any_block(request);
  if (whole == nullptr || whole->fault) return nullptr;
  auto recording = record_blocks(*whole->job, whole->kernel, request, cancel);
  if (!recording) return nullptr;
  return with_trace(*whole, std::move(recording->trace), "", std::move(recording->lanes));
}

Result<SharedRun> Runner::run(const Request& asked, const std::atomic<bool>& cancel, const Preview& preview) {
  if (SharedRun found = kept(asked)) return found;
  const auto fitted = fitted_plan(asked, cancel);
  if (!fitted) return fitted.error();
  Request request = asked;
  request.parameters = fitted->parameters;
  request.sizes = fitted->sizes;
  if (SharedRun found = kept(request)) return found;
  if (!asked.nearest) request.parameters = asked.parameters, request.sizes = asked.sizes;
  if (SharedRun found = other_block(request, cancel)) {
    keep(request, found);
    return found;
  }
  return run_plan(*fitted, request, cancel, preview);
}

Result<SharedRun> Runner::run_plan(const Plan& plan, const Request& request, const std::atomic<bool>& cancel,
                                   const Preview& preview) {
  auto instance = instances_.instantiate(plan);
  if (!instance) return instance.error();
  const auto ptx = build(build_request(plan, request.background), request, cancel);
  if (!ptx) return ptx.error();
  if (cancel) return cancelled();
  if (const Status done = complete(plan, **instance, request, cancel); !done) return done.error();
  Job job{plan, *std::move(instance), **ptx};
  auto kernel = prepare(job.build, plan.device);
  if (!kernel) return kernel.error();
  if (preview) {
    if (auto recording = record_blocks(job, *kernel, request, cancel))
      preview(tabulate_preview(job, *std::move(recording)));
  }
  if (cancel) return cancelled();
  return run_whole(std::move(job), *std::move(kernel), request, cancel);
}

Status Runner::complete(const Plan& plan, const problem::Instance& instance, const Request& request,
                        const std::atomic<bool>& cancel) {
  return instances_.complete(plan, instance, [&](const compile::Request& one) -> Result<compile::Build> {
    const auto built = build(one, request, cancel);
    if (!built) return built.error();
    return **built;
  });
}

namespace {

// Counts and pictures are of the whole launch also where shared memory is read that nobody wrote: what such a
// read stops alone is the verdict.
Result<Execution> execute_whole(const Job& job, const SharedKernel& kernel, const Request& request,
                                const std::atomic<bool>& cancel) {
  ExecuteOptions options{.record = request.block, .threads = request.threads, .cancel = &cancel};
  auto execution = execute(job, options, kernel);
  if (!execution) return execution;
  const auto& fault = execution->emulation.outcome.fault;
  if (!fault || fault->kind != emulator::Fault::Kind::uninitialised_shared) return execution;
  Error unwritten = fault->error;
  options.stop_at_uninitialised = false;
  execution = execute(job, options, kernel);
  if (execution) execution->unwritten_read = std::move(unwritten);
  return execution;
}

}  // namespace

// Precondition: job.build has PTX.
Result<SharedRun> Runner::run_whole(Job job, SharedKernel kernel, const Request& request,
                                    const std::atomic<bool>& cancel) {
  // Machine code is made while the kernel runs, which mostly needs it for its resources alone.
  auto machine = std::async(std::launch::async,
                            [&, wanted = build_request(job.plan)] { return build(wanted, request, cancel); });
  auto execution = execute_whole(job, kernel, request, cancel);
  const BuildQueue::Answer whole = machine.get();
  if (!execution) return execution.error();
  if (!whole) return whole.error();
  if (cancel) return cancelled();
  const bool same_ptx = job.build.ptx == (*whole)->ptx;
  job.build = **whole;
  // Where the PTX is another one than that of the machine code, or shared accesses are not those that were
  // expected, what ran is not what was asked for.
  if (!same_ptx || !has_accesses_of(job.build, *kernel)) {
    auto other = prepare(job.build, job.plan.device);
    if (!other) return other.error();
    const bool is_same = (*other)->shared_accesses() == kernel->shared_accesses() &&
                         combined_atomics(**other) == combined_atomics(*kernel);
    if (!same_ptx || !is_same) return run_whole(std::move(job), *std::move(other), request, cancel);
  }
  const auto run = tabulate(std::move(job), *std::move(execution));
  if (run) keep(request, *run);
  return run;
}

void Runner::compile_ahead(const Plan& plan, const std::vector<catalog::Values>& first,
                           const std::vector<catalog::Values>& others) {
  catalog::Launches launches(plan.spec, plan.sizes);
  const bool own_code = architecture_for(plan.device) == plan.device.compute_capability;
  Plan next = plan;
  const auto builds_for = [&](const std::vector<catalog::Values>& sets) {
    std::vector<compile::Request> builds;
    for (const catalog::Values& values : sets) {
      const auto launch = launches.at(values);
      if (!launch) continue;
      next.parameters = values;
      // Where static shared memory may be too much, its size is wanted too; of old devices PTX says it.
      builds.push_back(build_request(next, own_code && needs_compiling(plan.device, *launch)));
    }
    return builds;
  };
  builds_.compile_ahead(builds_for(first), builds_for(others));
}

Result<Job> Runner::job_of(const Request& request, bool machine_code, const std::atomic<bool>& cancel) {
  const auto fitted = fitted_plan(request, cancel);
  if (!fitted) return fitted.error();
  auto instance = instances_.instantiate(*fitted);
  if (!instance) return instance.error();
  Request on_this_thread = request;
  on_this_thread.background = true;
  const auto built = build(build_request(*fitted, machine_code), on_this_thread, cancel);
  if (!built) return built.error();
  if (cancel) return cancelled();
  if (const Status done = complete(*fitted, **instance, request, cancel); !done) return done.error();
  return Job{*fitted, *std::move(instance), **built};
}

Result<Job> Runner::job(const Request& request, const std::atomic<bool>& cancel) {
  return job_of(request, true, cancel);
}

Result<compile::Build> Runner::build(const compile::Request& wanted) {
  const auto built = builds_.compile_here(wanted);
  if (!built) return built.error();
  return **built;
}

Result<StepCount> Runner::count(const Request& request, const std::atomic<bool>& cancel) {
  const auto count = counts_.of(count_key(as_launched(request)), cancel,
                                [&](const auto& stop) { return count_anew(request, stop); });
  return count ? *count : Result<StepCount>(cancelled());
}

Result<StepCount> Runner::count_anew(const Request& request, const std::atomic<bool>& cancel) {
  const auto made = job_of(request, false, cancel);
  if (!made) return made.error();
  const Job& job = *made;
  const CountOptions options{.threads = request.threads, .cancel = &cancel};
  if (!adds_up(*job.instance)) return count_sample(job, nullptr, options);
  catalog::Values sizes = job.plan.problem->default_sizes();
  for (auto& [name, value] : sizes) value = std::min(value, kVerifiedSum);
  const auto usual = plan(request.spec, job.plan.parameters, sizes, job.plan.device);
  auto data = usual ? instances_.instantiate(*usual) : Result<SharedInstance>(usual.error());
  if (!data) return count_sample(job, nullptr, options);
  const Job whole{*usual, *std::move(data), job.build};
  return count_sample(job, &whole, options);
}

}  // namespace warplens::run
