#include "engine/program/examine.hpp"

#include <algorithm>

#include "engine/check/bounds.hpp"
#include "engine/check/checker.hpp"
#include "engine/device/occupancy.hpp"
#include "engine/emulator/companions.hpp"
#include "engine/emulator/flow/shared_layout.hpp"
#include "engine/run/emulate.hpp"
#include "engine/time/chip/parameters_of.hpp"
#include "engine/time/chip/partitions.hpp"
#include "engine/time/chip/watched_blocks.hpp"
#include "engine/time/predict.hpp"

namespace warplens::program {
namespace {

using Blocks = std::vector<std::uint64_t>;

// Instructions of warps that are watched by the checkers, about: at most, and in any case.
constexpr std::uint64_t kMostWatched = 1'500'000, kLeastWatched = 300'000;
constexpr std::uint64_t kWatchedOfWarp = 3'000'000;

emulator::Launch watched_launch(const Subject& subject) {
  emulator::Launch launch = subject.launch;
  launch.threads = 1;  // the same findings in every run
  launch.instruction_budget = kWatchedOfWarp;
  launch.stop_at_uninitialised = false;
  return launch;
}

// Copies in bulk write what the checkers do not see being written.
bool writes_unseen(const ptx::Function& kernel) {
  using enum ptx::Opcode;
  return std::ranges::any_of(kernel.code, [](const ptx::Instruction& i) {
    return i.opcode == cp_async_bulk || i.opcode == cp_reduce_async_bulk ||
           i.opcode == cp_async_bulk_tensor || i.opcode == cp_reduce_async_bulk_tensor;
  });
}

void add_unwritten(const Subject& subject, check::LaunchFacts& facts) {
  if (subject.unwritten == nullptr || subject.unwritten->is_empty() ||
      writes_unseen(subject.entry.kernel->function()))
    return;
  for (check::BufferFacts& array : facts.buffers) {
    array.unwritten = subject.unwritten->in(array.address, array.size);
    array.is_initialized = array.unwritten.empty();
  }
}

check::LaunchFacts facts_of(const Subject& subject, emulator::GlobalMemory& memory) {
  check::LaunchFacts facts;
  facts.kernel = subject.entry.kernel.get();
  facts.memory = &memory;
  facts.grid = subject.launch.grid;
  facts.block = subject.launch.block;
  facts.shared_bytes = static_cast<std::uint32_t>(subject.shared_bytes());
  facts.local_bytes = subject.entry.kernel->layout().local_bytes();
  facts.arguments = subject.launch.arguments;
  facts.compute_capability = subject.device.compute_capability;
  facts.ptx = subject.module.ptx();
  facts.buffers = subject.named_arrays();
  add_unwritten(subject, facts);
  return facts;
}

bool communicates(const Subject& subject) {
  return run::blocks_may_communicate(subject.entry.kernel->function());
}

std::uint64_t warps_of(const Subject& subject) {
  const auto& block = subject.launch.block;
  return subject.blocks() * ((std::uint64_t{block[0]} * block[1] * block[2] + 31) / 32);
}

// Warp instructions of the first blocks, run alone. Blocks that wait for others cannot be: 0, not known.
double size_of_block(const Subject& subject, const MakeView& make) {
  auto view = communicates(subject) ? Result<emulator::GlobalMemory>(Error{}) : make();
  if (!view) return 0;
  emulator::Launch launch = watched_launch(subject);
  launch.blocks = emulator::with_companions({0}, subject.entry.kernel->together(), launch.grid);
  const auto ran = subject.entry.kernel->run(launch, *view);
  if (!ran || ran->counters.blocks_run == 0) return 1;
  return static_cast<double>(ran->counters.warp_instructions) / static_cast<double>(ran->counters.blocks_run);
}

// The first, the last, some between, and their neighbours.
Blocks blocks_to_check(const Subject& subject, double of_a_block) {
  const auto all = static_cast<double>(subject.blocks()) * of_a_block;
  const double effort = std::clamp(all / 64, double{kLeastWatched}, double{kMostWatched});
  const auto wanted = static_cast<std::uint64_t>(std::max(effort / std::max(of_a_block, 1.0), 3.0));
  if (wanted >= subject.blocks()) return {};
  Blocks blocks = run::sample_blocks(subject.blocks(), std::max<std::uint64_t>(wanted / 2, 2));
  for (const std::uint64_t block : Blocks(blocks))
    if (block + 1 < subject.blocks()) blocks.push_back(block + 1);
  return emulator::with_companions(blocks, subject.entry.kernel->together(), subject.launch.grid);
}

struct Watching {
  Blocks run, check;  // empty: all
  std::string why_not;
};

// Blocks that wait for each other run all or not at all.
bool takes_too_long(const Subject& subject) {
  constexpr std::uint64_t kMostWarps = 1024;
  return communicates(subject) && warps_of(subject) > kMostWarps;
}
constexpr const char* kTooLong =
    "its blocks wait for each other, and all of them take too long to be watched";

Watching what_to_watch(const Subject& subject, double of_a_block) {
  Watching watching;
  if (!communicates(subject))
    watching.run = watching.check = blocks_to_check(subject, of_a_block);
  else if (takes_too_long(subject))
    watching.why_not = kTooLong;
  return watching;
}

void check_blocks(const Subject& subject, const Watching& watching, const MakeView& make,
                  Examined& examined) {
  auto view = make();
  if (!view) return;
  check::LaunchFacts facts = facts_of(subject, *view);
  facts.is_sample = !watching.check.empty();
  check::Checker checker(std::move(facts), watching.check);
  emulator::Launch launch = watched_launch(subject);
  launch.watcher = &checker;
  launch.blocks = watching.run;
  const auto ran = subject.entry.kernel->run(launch, *view);
  if (!ran) {
    examined.not_checked = ran.error().message;
    return;
  }
  // That a warp went on for long says nothing here: the run itself has another limit.
  using F = emulator::Fault::Kind;
  examined.is_stuck = ran->fault && ran->fault->kind == F::deadlock;
  if (examined.is_stuck) examined.waits_for = ran->fault->address;
  const bool is_ours = ran->fault && (ran->fault->kind == F::budget || ran->fault->kind == F::limit);
  examined.findings = checker.finish(checker.gave_up() || is_ours ? std::nullopt : ran->fault);
  examined.checked_blocks = watching.check.empty() ? subject.blocks() : watching.check.size();
}

void record_accesses(const Subject& subject, const Fit& fit, double of_a_block, const MakeView& make,
                     Examined& examined) {
  if (takes_too_long(subject) || examined.is_stuck) {
    examined.not_profiled = examined.is_stuck ? "it never ends" : kTooLong;
    return;
  }
  auto view = make();
  if (!view) return;
  const auto shape = subject.shape();
  const auto watched =
      time::blocks_to_watch(shape, subject.device, std::max(fit.blocks_per_sm, 1), of_a_block);
  time::AccessRecorder recorder(watched.blocks, time::partitions_of(time::parameters_of(subject.device)));
  emulator::Launch launch = watched_launch(subject);
  launch.observer = &recorder;
  launch.reads_go_on = true;
  launch.instruction_budget = subject.launch.instruction_budget;
  const auto& kernel = *subject.entry.kernel;
  if (!communicates(subject))
    launch.blocks = emulator::with_companions(watched.blocks, kernel.together(), launch.grid);
  const auto ran = kernel.run(launch, *view);
  if (!ran || ran->fault) {
    examined.not_profiled = ran ? ran->fault->error.message : ran.error().message;
    return;
  }
  examined.profile = time::profile_of_watched(recorder.take_blocks(), watched, shape, subject.device,
                                              std::max(fit.blocks_per_sm, 1), subject.shared_bytes());
}

double bytes_of(const std::vector<emulator::Allocation>& arrays) {
  double bytes = 0;
  for (const emulator::Allocation& array : arrays) bytes += static_cast<double>(array.size);
  return bytes;
}

check::Kind kind_of(emulator::Fault::Kind kind) {
  using F = emulator::Fault::Kind;
  switch (kind) {
    case F::misaligned:
      return check::Kind::misaligned;
    case F::barrier:
      return check::Kind::divergent_barrier;
    case F::budget:
    case F::limit:
      return check::Kind::endless_loop;
    case F::deadlock:
      return check::Kind::deadlock;
    case F::trap:
      return check::Kind::trap;
    default:
      return check::Kind::out_of_bounds;
  }
}

}  // namespace

std::int64_t Subject::shared_bytes() const {
  return std::int64_t{entry.kernel->static_shared_bytes()} + launch.dynamic_shared_bytes;
}

std::vector<check::BufferFacts> Subject::named_arrays() const {
  return program::named_arrays(arrays, entry.arguments, entry.kernel->function(), launch.arguments);
}

Fit fit_of(const KernelEntry& entry, const device::Device& device, int threads, std::int64_t shared) {
  Fit fit;
  if (entry.resources) fit.registers = entry.resources->registers;
  const auto found =
      device::occupancy(device, {threads, fit.registers > 0 ? fit.registers : kUsualRegisters, shared});
  if (!found) return fit;
  fit.blocks_per_sm = found->blocks_per_sm;
  fit.occupancy = found->occupancy;
  return fit;
}

Examined examine(const Subject& subject, const Fit& fit, const MakeView& view) {
  Examined examined;
  const double of_a_block = size_of_block(subject, view);
  const Watching watching = what_to_watch(subject, of_a_block);
  examined.not_checked = watching.why_not;
  if (watching.why_not.empty()) check_blocks(subject, watching, view, examined);
  record_accesses(subject, fit, of_a_block, view, examined);
  return examined;
}

Timed predict(const Subject& subject, const Fit& fit, const emulator::Counters& counters,
              const std::map<std::uint32_t, time::AccessProfile>& profile) {
  const auto shape = subject.shape();
  const auto code = subject.entry.resources ? subject.module.machine_code() : std::span<const std::byte>();
  const auto found = time::predict({.kernel = *subject.entry.kernel,
                                    .counters = counters,
                                    .cubin = code,
                                    .entry = subject.entry.name,
                                    .launch = shape,
                                    .device = subject.device,
                                    .blocks_per_sm = std::max(fit.blocks_per_sm, 1),
                                    .footprint_bytes = bytes_of(subject.arrays),
                                    .profile = profile,
                                    .from_ptx = code.empty()},
                                   {});
  Timed timed;
  if (!found) {
    timed.why_not = found.error().message;
    return timed;
  }
  timed.seconds = found->seconds;
  const bool is_launch = found->launch > time::busiest(found->units).busy;
  timed.limiter = is_launch ? "launch" : found->limiter;
  timed.basis = found->basis;
  return timed;
}

check::Finding finding_of(const emulator::Fault& fault, const Subject& subject) {
  const auto& code = subject.entry.kernel->function().code;
  const ptx::Instruction instruction = fault.pc < code.size() ? code[fault.pc] : ptx::Instruction{};
  const auto array =
      check::array_at(fault, instruction, subject.entry.kernel->layout(), subject.named_arrays());
  const auto words =
      check::words_of_fault(fault, instruction, array, subject.launch.block, subject.launch.grid);
  check::Finding finding;
  finding.kind = kind_of(fault.kind);
  finding.file = fault.error.place.file;
  finding.line = fault.error.place.line;
  finding.at = {true, fault.thread, fault.block_index};
  finding.address = words.address.empty() ? fault.nearest : words.address;
  finding.memory = words.memory;
  finding.is_before = words.is_before;
  finding.message = words.message;
  finding.fix = words.fix;
  return finding;
}

}  // namespace warplens::program
