#include "engine/time/predict_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "engine/catalog/launches.hpp"
#include "engine/device/occupancy.hpp"
#include "engine/emulator/cluster_rank.hpp"
#include "engine/emulator/watcher.hpp"
#include "engine/run/device_limits.hpp"
#include "engine/run/device_needs.hpp"
#include "engine/run/grid/address_slice.hpp"
#include "engine/time/chip/parameters_of.hpp"
#include "engine/time/chip/partitions.hpp"
#include "engine/time/chip/watched_blocks.hpp"

namespace warplens::time {
namespace {

// Machine code for a chip that is younger by generations says little of this one.
bool is_foreign(const run::Job& job) {
  constexpr int kVolta = 70;
  return job.plan.device.compute_capability < kVolta && job.build.arch > kVolta;
}

}  // namespace

Result<device::Occupancy> occupancy_of(const run::Job& job) {
  const auto& plan = job.plan;
  const int registers = run::registers_on(plan.device, plan.spec, plan.parameters, job.build.registers);
  const auto fit = device::occupancy(
      plan.device, {run::threads_per_block(plan), registers, run::shared_bytes(plan, job.build)});
  if (!fit) return fit.error();
  if (fit->blocks_per_sm == 0)
    return Error{"no block of " + plan.spec.id + " fits on " + plan.device.name, "choose smaller blocks"};
  return fit;
}

namespace {

using Recorded = Result<std::vector<RecordedBlock>>;

Recorded record_by(const run::Job& job, const emulator::Kernel& kernel, AccessRecorder& recorder,
                   run::Placed& placed, const run::Placed::Options& options) {
  const auto ran = placed.run(kernel, job.plan.launch, options);
  if (!ran) return ran.error();
  if (ran->fault) return ran->fault->error;
  return recorder.take_blocks();
}

// By the part of the kernel that decides its addresses, where it can be told apart. Asynchronous copies of
// half a word beyond the end of an array are right, and a fault of that part.
Recorded record(const run::Job& job, const emulator::Kernel& kernel, const std::vector<std::uint64_t>& blocks,
                run::Placed& placed, const CountOptions& how) {
  const Partitions partitions = partitions_of(parameters_of(job.plan.device));
  run::Placed::Options options{.blocks = blocks,
                               .threads = how.threads,
                               .cancel = how.cancel,
                               .instruction_budget = job.instruction_budget};
  std::sort(options.blocks.begin(), options.blocks.end());
  if (const auto slice = run::address_slice(kernel, job.plan.device)) {
    AccessRecorder recorder(blocks, partitions, slice->pcs);
    options.observer = &recorder, options.data_count = false;
    if (auto recorded = record_by(job, *slice->kernel, recorder, placed, options)) return recorded;
  }
  AccessRecorder recorder(blocks, partitions);
  options.observer = &recorder, options.data_count = true;
  return record_by(job, kernel, recorder, placed, options);
}

Result<std::shared_ptr<const AsyncWork>> record_beside(const run::Job& job, const emulator::Kernel& kernel,
                                                       std::uint64_t block, run::Placed& placed,
                                                       const CountOptions& how) {
  std::shared_ptr<const AsyncWork> none;
  if (!is_asynchronous(kernel.function())) return none;
  const auto cluster = kernel.together().cluster;
  AsyncRecorder recorder(kernel.function(), placed.memory(), block,
                         emulator::rank_in_cluster(block, cluster, job.plan.launch.grid),
                         cluster[0] * cluster[1] * cluster[2],
                         static_cast<std::uint32_t>(catalog::warps_in_block(job.plan.launch)));
  const auto ran = placed.run(kernel, job.plan.launch,
                              {.watcher = &recorder,
                               .blocks = {block},
                               .threads = how.threads,
                               .cancel = how.cancel,
                               .instruction_budget = job.instruction_budget});
  if (!ran) return ran.error();
  if (ran->fault) return ran->fault->error;
  return std::make_shared<const AsyncWork>(recorder.take());
}

// How often each warp of a block executes each instruction.
class WarpCounter : public emulator::Watcher, private emulator::BlockWatcher {
 public:
  WarpCounter(std::size_t warps, std::size_t pcs) : executed_(warps, std::vector<double>(pcs)) {}
  emulator::BlockWatcher* begin_block(std::uint64_t) override { return this; }
  std::vector<std::vector<double>> take() { return std::move(executed_); }

 private:
  void on_step(const emulator::WatchedStep& step) override { ++executed_[step.warp][step.pc]; }
  std::vector<std::vector<double>> executed_;
};

// Of blocks that wait for each other each does what it does because of the others: null, as of those that do about equally much.
Result<std::shared_ptr<const UnevenCounts>> uneven_counts(const run::Job& job, const emulator::Kernel& kernel,
                                                          const emulator::Outcome& counted,
                                                          run::Placed& placed, const CountOptions& how) {
  std::shared_ptr<const UnevenCounts> none;
  if (is_asynchronous(kernel.function()) || run::blocks_may_communicate(kernel.function())) return none;
  auto work = emulator::over_grid(counted.work, catalog::blocks_in_grid(job.plan.launch));
  const auto longest = longest_block(work);
  if (!longest) return none;
  UnevenCounts counts;
  counts.longest = *longest, counts.usual = usual_block(work);
  const auto warps = catalog::warps_in_block(job.plan.launch);
  const bool by_warps = has_long_warp(work, *longest, static_cast<double>(warps));
  WarpCounter each(static_cast<std::size_t>(warps), kernel.function().code.size());
  run::Placed::Options options{
      .threads = how.threads, .cancel = how.cancel, .instruction_budget = job.instruction_budget};
  for (const auto& [block, counters] :
       {std::pair(counts.longest, &counts.of_longest), std::pair(counts.usual, &counts.of_usual)}) {
    options.blocks = {block};
    options.watcher = by_warps && counters == &counts.of_longest ? &each : nullptr;
    auto ran = placed.run(kernel, job.plan.launch, options);
    if (!ran) return ran.error();
    if (ran->fault) return ran->fault->error;
    *counters = std::move(ran->counters);
  }
  if (by_warps) counts.warps_of_longest = each.take();
  counts.work = std::move(work);
  return std::make_shared<const UnevenCounts>(std::move(counts));
}

double executed_in_a_block(const emulator::Counters& counters) {
  double executed = 0;
  for (const auto& row : counters.instructions) executed += static_cast<double>(row.executed);
  return executed / static_cast<double>(std::max<std::uint64_t>(counters.blocks_run, 1));
}

// Of an array each instruction has the part that it is the first to touch.
void add_arrays(std::map<std::uint32_t, AccessProfile>& profiles, const emulator::GlobalMemory& memory) {
  constexpr double kSector = 32;
  const auto moved = [](const AccessProfile& profile) { return profile.requests * profile.moved; };
  std::map<std::uint64_t, double> all;  // by the array's address
  for (const auto& [pc, profile] : profiles)
    if (const auto* array = memory.find(profile.first_address, 1)) all[array->address] += moved(profile);
  for (auto& [pc, profile] : profiles)
    if (const auto* array = memory.find(profile.first_address, 1);
        array != nullptr && all[array->address] > 0)
      profile.array_sectors =
          static_cast<double>(array->size) / kSector * moved(profile) / all[array->address];
}

// counted: by a run of the job, for how much there is to watch.
Result<Watched> watch(const run::Job& job, const emulator::Kernel& whole, const emulator::Outcome& counted,
                      run::Placed& placed, const CountOptions& how) {
  const auto rest = without_products(whole, job.plan.device);
  const emulator::Kernel& kernel = rest != nullptr ? *rest : whole;
  const auto fit = occupancy_of(job);
  if (!fit) return fit.error();
  const int per_sm = fit->blocks_per_sm;
  auto uneven = uneven_counts(job, kernel, counted, placed, how);
  if (!uneven) return uneven.error();
  // Of blocks that do not do equally much those around the longest.
  const bool is_uneven = *uneven != nullptr;
  const WatchedBlocks chosen =
      blocks_to_watch(job.plan.launch, job.plan.device, per_sm,
                      executed_in_a_block(is_uneven ? (*uneven)->of_longest : counted.counters),
                      is_uneven ? std::optional((*uneven)->longest) : std::nullopt);
  const auto recorded = record(job, kernel, chosen.blocks, placed, how);
  if (!recorded) return recorded.error();
  Watched watched;
  watched.uneven = *std::move(uneven);
  for (const auto& buffer : job.instance->buffers())
    watched.footprint_bytes +=
        static_cast<double>(buffer.elements) * static_cast<double>(problem::size_in_bytes(buffer.type));
  if (!chosen.blocks.empty()) {  // rules of a compute capability have no multiprocessors to fill
    auto beside = record_beside(job, kernel, chosen.blocks.front(), placed, how);
    if (!beside) return beside.error();
    watched.async = *std::move(beside);
  }
  watched.profile = profile_of_watched(*recorded, chosen, job.plan.launch, job.plan.device, per_sm,
                                       run::shared_bytes(job.plan, job.build));
  add_arrays(watched.profile, placed.memory());
  return watched;
}

// Blocks to count where they do not repeat each other; none: all of them.
std::vector<std::uint64_t> sample_of(const run::Job& job, std::uint64_t blocks) {
  constexpr double kSampledOperations = 3e8;
  constexpr std::uint64_t kBlocks = 1024, kLeast = 8;  // of problems that count no operations; of any
  const double operations = job.instance->operations();
  if (operations <= kSampledOperations)
    return blocks > 4 * kBlocks ? run::sample_blocks(blocks, kBlocks) : std::vector<std::uint64_t>();
  const auto share =
      static_cast<std::uint64_t>(kSampledOperations / operations * static_cast<double>(blocks));
  return run::sample_blocks(blocks, std::max(kLeast, share));
}

// Where blocks do not repeat each other, one that a sample has not may be far longer than all of them: all blocks run, if that
// takes a moment.
bool is_soon_run(const emulator::Outcome& sample, std::uint64_t blocks) {
  constexpr double kMostInstructions = 1e8;
  return executed_in_a_block(sample.counters) * static_cast<double>(blocks) <= kMostInstructions;
}

Result<emulator::Outcome> count_blocks(const run::Job& job, const emulator::Kernel& kernel,
                                       run::Placed& placed, run::Placed::Options options) {
  constexpr std::uint64_t kMostKinds = 32;
  if (run::blocks_may_communicate(kernel.function())) return placed.run(kernel, job.plan.launch, options);
  const std::uint64_t blocks = catalog::blocks_in_grid(job.plan.launch);
  const auto sample = sample_of(job, blocks);
  const std::uint64_t most = std::max<std::uint64_t>(kMostKinds, sample.size());
  auto kinds = placed.run_kinds(kernel, job.plan.launch, most, options);
  if (!kinds) return kinds.error();
  if (*kinds) return **std::move(kinds);
  options.blocks = sample;
  auto some = placed.run(kernel, job.plan.launch, options);
  if (!some || some->fault || sample.empty() || !is_soon_run(*some, blocks)) return some;
  options.blocks.clear();
  return placed.run(kernel, job.plan.launch, options);
}

}  // namespace

Result<Counted> count(const run::Job& job, const emulator::Kernel& kernel, const CountOptions& options) {
  if (const auto fit = occupancy_of(job); !fit) return fit.error();
  if (options.placed == nullptr) {
    auto placed = run::Placed::of(job.instance);
    if (!placed) return placed.error();
    return count(job, kernel, {&*placed, options.threads, options.cancel});
  }
  const auto rest = without_products(kernel, job.plan.device);
  auto ran = count_blocks(
      job, rest != nullptr ? *rest : kernel, *options.placed,
      {.threads = options.threads, .cancel = options.cancel, .instruction_budget = job.instruction_budget});
  if (!ran) return ran.error();
  if (ran->fault) return ran->fault->error;
  auto watched = watch(job, kernel, *ran, *options.placed, options);
  if (!watched) return watched.error();
  return Counted{std::move(ran->counters), *std::move(watched)};
}

Result<Modelled> modelled(const run::Job& job, const emulator::Kernel& kernel, const Counted& counted,
                          const PredictOptions& options) {
  if (options.cancel) return run::cancelled();
  const auto fit = occupancy_of(job);
  if (!fit) return fit.error();
  const int per_sm = options.blocks_per_sm > 0 ? options.blocks_per_sm : fit->blocks_per_sm;
  auto known = modelled({.kernel = kernel,
                         .counters = counted.counters,
                         .cubin = job.build.cubin,
                         .entry = job.build.kernel_name,
                         .launch = job.plan.launch,
                         .device = job.plan.device,
                         .blocks_per_sm = per_sm,
                         .footprint_bytes = counted.watched.footprint_bytes,
                         .local_bytes = static_cast<double>(job.build.stack_bytes),
                         .l1_bytes = static_cast<double>(
                             l1_bytes(job.plan.device, per_sm, run::shared_bytes(job.plan, job.build))),
                         .profile = counted.watched.profile,
                         .from_ptx = options.from_ptx || job.build.cubin.empty() || is_foreign(job),
                         .async = counted.watched.async,
                         .uneven = counted.watched.uneven},
                        options.parameters, options.history);
  if (known && job.build.arch != job.plan.device.compute_capability)
    known->model.basis = known->prediction.basis = "ptx";
  return known;
}

Result<Prediction> predict(const run::Job& job, const emulator::Kernel& kernel, const Counted& counted,
                           const PredictOptions& options) {
  auto known = modelled(job, kernel, counted, options);
  if (!known) return known.error();
  return std::move(known->prediction);
}

std::optional<Error> why_not(const run::Run& run) {
  if (!run.complete) return Error{"this run is not counted yet", "wait until it is"};
  if (run.fault) return run.fault;
  if (run.emulation.outcome.counters.blocks_run == 0)
    return Error{"this run counted nothing", "run it on the emulator"};
  if (const std::string missing = run::missing_instruction(run); !missing.empty())
    return Error{fmt::format("{} cannot run it: {}", run.device().name, missing), "choose another device"};
  return std::nullopt;
}

Result<Counted> counted_of(const run::Run& run, const std::atomic<bool>& cancel) {
  if (const auto why = why_not(run)) return *why;
  if (cancel) return run::cancelled();
  const auto& counted = run.emulation.outcome;
  auto placed = run::Placed::of(run.job->instance);
  if (!placed) return placed.error();
  auto watched = watch(*run.job, *run.kernel, counted, *placed, {.cancel = &cancel});
  if (cancel) return run::cancelled();
  if (!watched) return watched.error();
  return Counted{counted.counters, *std::move(watched)};
}

Result<Modelled> modelled(const run::Run& run, const std::atomic<bool>& cancel) {
  const auto counted = counted_of(run, cancel);
  return counted ? modelled(*run.job, *run.kernel, *counted, {.cancel = cancel})
                 : Result<Modelled>(counted.error());
}

Result<Prediction> predict(const run::Run& run, const std::atomic<bool>& cancel) {
  auto known = modelled(run, cancel);
  if (!known) return known.error();
  return std::move(known->prediction);
}

}  // namespace warplens::time
