#include "engine/program/launcher.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>

#include "engine/device/occupancy.hpp"
#include "engine/program/launch_rules.hpp"
#include "engine/program/record_launch.hpp"
#include "engine/ptx/source_place.hpp"
#include "engine/run/emulate.hpp"
#include "engine/run/grid/block_kinds.hpp"
#include "engine/run/grid/whole_grid.hpp"

namespace warplens::program {
namespace {

using Clock = std::chrono::steady_clock;

// As long as anybody waits: what runs for longer is stopped by its user, or by --time.
constexpr std::uint64_t kBudgetOfWarp = 20'000'000'000, kLimit = 1'000'000'000'000;
// Of a launch that the checkers saw waiting for what nobody does.
constexpr std::uint64_t kBudgetOfStuckWarp = 20'000'000;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

emulator::Launch launch_of(const protocol::Launch& message, std::span<const std::byte> arguments,
                           const Module& module, const SessionOptions& options) {
  emulator::Launch launch;
  std::copy_n(message.grid, 3, launch.grid.begin());
  std::copy_n(message.block, 3, launch.block.begin());
  launch.dynamic_shared_bytes = static_cast<std::uint32_t>(message.shared);
  launch.arguments.assign(arguments.begin(), arguments.end());
  launch.variables = &module.addresses();
  launch.threads = options.threads;
  launch.instruction_budget = kBudgetOfWarp;
  launch.least_limit = kLimit;
  launch.stop_at_uninitialised = false;
  launch.reads_go_on = !options.is_strict;
  launch.cancel = options.cancel;
  return launch;
}

// The first eight bytes of each.
std::vector<std::uint64_t> arguments_of(const ptx::Function& kernel, std::span<const std::byte> bytes) {
  std::vector<std::uint64_t> list;
  for (const ptx::Parameter& parameter : kernel.parameters) {
    std::uint64_t value = 0;
    const std::uint64_t size = std::min<std::uint64_t>(parameter.size, sizeof value);
    if (parameter.offset + size <= bytes.size()) std::memcpy(&value, bytes.data() + parameter.offset, size);
    list.push_back(value);
  }
  return list;
}

std::string key_of(const Subject& subject) {
  const emulator::Launch& launch = subject.launch;
  std::string key = fmt::format("{} {} {} {} ", static_cast<const void*>(&subject.module), subject.entry.name,
                                fmt::join(launch.grid, ","), fmt::join(launch.block, ","));
  key += fmt::format("{} ", launch.dynamic_shared_bytes);
  key.append(reinterpret_cast<const char*>(launch.arguments.data()), launch.arguments.size());
  return key;
}

// "file.cu:12: thread (0, 0, 0) of block (0, 0, 0) failed the assertion 'n == 0'"
std::string said_of(const emulator::Fault& fault) {
  return to_line(Error{fault.error.message, "", fault.error.place}) + "\n";
}

// In words; the device's limits say most of it.
std::string why_refused(const Subject& subject, const Fit& fit, cudaError_t error) {
  const auto& grid = subject.launch.grid;
  const auto& block = subject.launch.block;
  const std::string shape = fmt::format("a launch of ({}, {}, {}) blocks of ({}, {}, {}) threads", grid[0],
                                        grid[1], grid[2], block[0], block[1], block[2]);
  if (error == cudaErrorCooperativeLaunchTooLarge)
    return shape + " is refused: all blocks of a cooperative launch must be on the device at once";
  if (error == cudaErrorInvalidClusterSize)
    return shape + " is refused: the grid is no multiple of the cluster";
  if (error == cudaErrorLaunchFailure) return "grid.sync() needs a cooperative launch";
  const std::uint64_t threads = std::uint64_t{block[0]} * block[1] * block[2];
  const auto counted = static_cast<int>(std::min<std::uint64_t>(threads, 1u << 30));
  const std::string why = device::why_no_block(
      subject.device, {counted, fit.registers > 0 ? fit.registers : kUsualRegisters, subject.shared_bytes()});
  if (!why.empty()) return shape + " is refused: " + why;
  if (threads > static_cast<std::uint64_t>(subject.entry.max_threads))
    return shape + fmt::format(" is refused: the kernel is compiled for {} threads at most",
                               subject.entry.max_threads);
  return shape + " is refused: " +
         (subject.launch.dynamic_shared_bytes > 0
              ? "its shared memory is more than cudaFuncSetAttribute() allowed"
              : "the grid or the block is empty, or too large in one direction");
}

bool is_same(const check::Finding& a, const check::Finding& b) {
  return a.kind == b.kind && a.file == b.file && a.line == b.line;
}

}  // namespace

Launcher::Known& Launcher::known_of(const KernelEntry& entry, const Subject& subject) {
  const Shape shape{subject.launch.grid, subject.launch.block, subject.launch.dynamic_shared_bytes};
  const auto [found, is_new] = known_.try_emplace({entry.name, shape});
  Known& known = found->second;
  if (!is_new) return known;
  const auto threads = static_cast<int>(
      std::min<std::uint64_t>(std::uint64_t{shape.block[0]} * shape.block[1] * shape.block[2], 1u << 30));
  known.fit = fit_of(entry, options_.device, threads, subject.shared_bytes());
  KernelRecord& record = add_row(known, entry.name, shape);
  known.follows_addresses = follows_addresses(*entry.kernel);
  record.registers = known.fit.registers;
  record.vectorized_as_in_cubin = subject.entry.vectorized_as_in_cubin;
  record.static_shared = entry.kernel->static_shared_bytes();
  record.occupancy = known.fit.occupancy;
  record.blocks_per_sm = known.fit.blocks_per_sm;
  return known;
}

KernelRecord& Launcher::add_row(Known& known, const std::string& kernel, const Shape& shape) {
  known.record = record_.kernels.size();
  KernelRecord record;
  record.name = kernel;
  record.title = title_of(kernel);
  record.shape = shape;
  record.caller = caller_;
  record_.kernels.push_back(std::move(record));
  return record_.kernels.back();
}

void Launcher::write(const Known& known, LaunchRecord launch) {
  KernelRecord& kernel = record_.kernels[known.record];
  ++record_.launch_count;
  ++kernel.launches;
  kernel.repeats += launch.ran == Ran::repeat;
  kernel.sampled += launch.ran == Ran::sample;
  add(kernel.counts, launch.counts);
  kernel.predicted_seconds += launch.predicted_seconds;
  record_.predicted_seconds += launch.predicted_seconds;
  record_.emulated_seconds += launch.seconds;
  if (record_.launches.size() >= kMostLaunches) return;
  launch.kernel = known.record;
  launch.stream = stream_;
  launch.caller = caller_;
  launch.data = data_;
  launch.why_no_data = why_no_data_;
  launch.arguments = arguments_;
  record_.launches.push_back(std::move(launch));
}

LaunchAnswer Launcher::note_not_executed(const protocol::Launch& message, const std::string& kernel,
                                         const std::string& why) {
  begin(message);
  memory_.unwritten().write_all();
  Shape shape;
  std::copy_n(message.grid, 3, shape.grid.begin());
  std::copy_n(message.block, 3, shape.block.begin());
  shape.shared_bytes = static_cast<std::uint32_t>(message.shared);
  const auto [found, is_new] = not_known_.try_emplace({kernel, shape});
  if (is_new) add_row(found->second, kernel, shape);
  return not_executed(found->second, why);
}

LaunchAnswer Launcher::not_executed(const Known& known, const std::string& why) {
  KernelRecord& record = record_.kernels[known.record];
  const bool is_told = std::exchange(record.not_executed, why) == why;
  LaunchRecord launch;
  launch.ran = Ran::not_executed;
  launch.error = cudaErrorNotSupported;
  write(known, std::move(launch));
  return {cudaErrorNotSupported, cudaSuccess, 0, "",
          is_told ? "" : fmt::format("warplens: {} is not executed: {}\n", record.title, why)};
}

// What is written down of each launch that is made.
void Launcher::begin(const protocol::Launch& message) {
  stream_ = message.stream;
  caller_ = message.caller;
  data_ = nullptr, why_no_data_.clear(), arguments_.clear();
}

// Nothing of a launch that is refused runs, which programs that ask for no error do not notice.
void Launcher::add_refusal(const Subject& subject, const Known& known, cudaError_t error) {
  check::Finding finding;
  finding.kind = error == cudaErrorCooperativeLaunchTooLarge ? check::Kind::launch_cooperative
                 : error == cudaErrorInvalidClusterSize      ? check::Kind::launch_cluster
                 : error == cudaErrorLaunchOutOfResources    ? check::Kind::launch_registers
                                                             : check::Kind::launch_bounds;
  const ptx::Function& function = subject.entry.kernel->function();
  const Place place = ptx::place_of(subject.entry.kernel->program(), function, 0);
  finding.file = place.file;
  finding.line = place.line;
  finding.message = why_refused(subject, known.fit, error);
  finding.fix =
      "ask for the error with cudaGetLastError() behind the launch, and choose a launch that the device can "
      "make";
  check::Findings& findings = record_.kernels[known.record].findings;
  if (std::ranges::none_of(findings, [&](const auto& other) { return is_same(finding, other); }))
    findings.push_back(std::move(finding));
}

std::shared_ptr<catalog::RecordedLaunch> Launcher::keep_data(const Subject& subject, const Known& known) {
  const bool is_first = record_.kernels[known.record].launches == 0;
  const bool is_wanted = options_.most_kept > 0 && (is_first || options_.keep.contains(record_.launch_count));
  if (!is_wanted) return nullptr;
  auto made = record_launch(subject, memory_.memory(), options_.most_kept - data_kept_);
  if (!made) {
    why_no_data_ = made.error().message;
    return nullptr;
  }
  data_kept_ += (*made)->bytes();
  return *std::move(made);
}

LaunchAnswer Launcher::refuse(const Subject& subject, Known& known, cudaError_t error) {
  LaunchRecord launch;
  launch.ran = Ran::refused;
  launch.error = error;
  write(known, launch);
  add_refusal(subject, known, error);
  return {error, cudaSuccess, 0, "", ""};
}

void Launcher::look_at(const Subject& subject, Known& known) {
  if (std::exchange(known.is_examined, true) || !options_.checks) return;
  Examined examined = examine(subject, known.fit, [this] { return memory_.view(); });
  KernelRecord& record = record_.kernels[known.record];
  record.findings.insert(record.findings.begin(), examined.findings.begin(), examined.findings.end());
  record.checked_blocks = examined.checked_blocks;
  record.not_checked = std::move(examined.not_checked);
  record.why_not_predicted = std::move(examined.not_profiled);
  known.profile = std::move(examined.profile);
  known.is_stuck = examined.is_stuck;
  known.waits_for_host = examined.is_stuck && memory_.is_visible_at(examined.waits_for);
  // On a GPU the host's code runs beside it.
  if (known.waits_for_host)
    std::erase_if(record.findings, [](const check::Finding& f) { return f.kind == check::Kind::deadlock; });
}

const Timed& Launcher::time_of(const Subject& subject, Known& known, const emulator::Counters& counters) {
  constexpr std::size_t kMostTimes = 64;  // of other data; behind them the nearest one serves
  const std::pair key{counters.warp_instructions,
                      counters.global_load.sectors + counters.global_store.sectors};
  auto found = known.times.find(key);
  if (found != known.times.end()) return found->second;
  if (known.times.size() >= kMostTimes) {
    found = known.times.lower_bound(key);
    return found != known.times.end() ? found->second : known.times.rbegin()->second;
  }
  Timed timed;
  KernelRecord& record = record_.kernels[known.record];
  if (options_.checks && record.why_not_predicted.empty())
    timed = predict(subject, known.fit, counters, known.profile);
  if (known.times.empty()) {
    record.limiter = timed.limiter;
    record.basis = timed.basis;
    if (record.why_not_predicted.empty()) record.why_not_predicted = timed.why_not;
  }
  return known.times.emplace(key, std::move(timed)).first->second;
}

void Launcher::add_findings(const Subject& subject, Known& known, const emulator::Outcome& outcome) {
  check::Findings& findings = record_.kernels[known.record].findings;
  std::vector<emulator::Fault> faults = outcome.read_beside;
  using F = emulator::Fault::Kind;
  const bool is_its_own =
      outcome.fault && outcome.fault->kind != F::cancelled && outcome.fault->kind != F::limit &&
      !(known.is_stuck && outcome.fault->kind == F::budget);  // the checkers know more of it
  if (is_its_own) faults.push_back(*outcome.fault);
  for (const emulator::Fault& fault : faults) {
    check::Finding finding = finding_of(fault, subject);
    if (std::ranges::none_of(findings, [&](const auto& other) { return is_same(finding, other); }))
      findings.push_back(std::move(finding));
  }
  check::sort_by_cause(findings);
}

// What kernels allocate and free themselves is not part of what can be put back.
bool has_own_memory(const emulator::Kernel& kernel) {
  const auto& functions = kernel.program().functions;
  return std::ranges::any_of(kernel.function().code, [&](const ptx::Instruction& i) {
    if (i.opcode != ptx::Opcode::call || i.operands.size() < 2) return false;
    const ptx::Operand& called = i.operands[1];
    if (called.kind != ptx::Operand::Kind::function || called.symbol >= functions.size()) return false;
    return functions[called.symbol].name == "malloc" || functions[called.symbol].name == "free";
  });
}

// To find out whether it ran in the same memory: where it takes longer than the sums over all of it.
bool Launcher::is_worth(const Repeat& repeat) const {
  constexpr double kBytesPerSecond = 4e9;
  const double cost = static_cast<double>(memory_.used()) / kBytesPerSecond;
  return options_.repeats && !options_.sample && !repeat.prints && repeat.seconds > 0 &&
         repeat.seconds >= 2 * cost;
}

LaunchAnswer Launcher::repeat_of(const Done& done, const Known& known) {
  memory_.state().apply(done.effect, memory_.memory());
  LaunchRecord launch;
  launch.ran = Ran::repeat;
  launch.counts = done.counts;
  launch.predicted_seconds = done.predicted;
  write(known, launch);
  return {cudaSuccess, cudaSuccess, done.predicted, "", ""};
}

void Launcher::keep(Repeat& repeat, std::uint64_t before, const LaunchRecord& launch) {
  constexpr std::uint64_t kMostOfLaunch = std::uint64_t{64} << 20, kMost = std::uint64_t{1} << 30;
  Done done{launch.counts, launch.predicted_seconds, {}};
  memory_.state().fingerprint(memory_.memory(), &done.effect, kMostOfLaunch);
  if (!done.effect.is_whole || kept_ + done.effect.bytes > kMost) return;
  kept_ += done.effect.bytes;
  repeat.done.emplace(before, std::move(done));
}

// Blocks that stand for the others where that can be shown, else some of them, and the counts are as many times more.
Result<emulator::Outcome> Launcher::emulate(const Subject& subject, Ran& ran) {
  constexpr std::uint64_t kMost = 64;
  const emulator::Kernel& kernel = *subject.entry.kernel;
  emulator::Launch launch = subject.launch;
  const bool in_part =
      options_.sample && subject.blocks() > kMost && !run::blocks_may_communicate(kernel.function());
  if (!in_part) return kernel.run(launch, memory_.memory());
  ran = Ran::sample;
  const run::BlockKinds kinds = run::block_kinds(kernel, launch);
  if (kinds.why_not.empty()) {
    auto whole = run::count_whole_grid(kernel, launch, kinds, kMost, memory_.memory());
    if (!whole) return whole.error();
    if (*whole) return std::move((*whole)->outcome);
  }
  launch.blocks =
      emulator::with_companions(run::sample_blocks(subject.blocks(), kMost), kernel.together(), launch.grid);
  auto outcome = kernel.run(launch, memory_.memory());
  if (outcome && outcome->counters.blocks_run > 0)
    scale(outcome->counters,
          static_cast<double>(subject.blocks()) / static_cast<double>(outcome->counters.blocks_run));
  return outcome;
}

LaunchAnswer Launcher::run(const Subject& subject, Known& known) {
  LaunchAnswer answer;
  Repeat& repeat = repeats_[key_of(subject)];
  const bool is_known = is_worth(repeat) && !has_own_memory(*subject.entry.kernel);
  const std::uint64_t before = is_known ? memory_.state().fingerprint(memory_.memory()) : 0;
  if (const auto done = repeat.done.find(before); is_known && done != repeat.done.end())
    return repeat_of(done->second, known);
  const auto start = Clock::now();
  LaunchRecord launch;
  auto outcome = emulate(subject, launch.ran);
  memory_.state().touch_all();
  launch.seconds = seconds_since(start);
  if (!outcome) return not_executed(known, to_line(outcome.error()));
  const bool is_endless = outcome->fault && outcome->fault->kind == emulator::Fault::Kind::budget;
  if (is_endless && known.waits_for_host)
    return not_executed(known,
                        "it waits for what the program writes while it runs, and a launch ends here before "
                        "the program goes on");
  add_findings(subject, known, *outcome);
  answer.printed = std::move(outcome->printed);
  launch.counts = outcome->counters;
  if (outcome->fault) {
    launch.ran = Ran::faulted;
    answer.fault = error_of_fault(*outcome->fault, subject.entry.kernel->function());
    launch.error = answer.fault;
    answer.said = said_of(*outcome->fault);
    write(known, launch);
    return answer;
  }
  answer.seconds = launch.predicted_seconds = time_of(subject, known, outcome->counters).seconds;
  repeat.seconds = launch.seconds;
  repeat.prints = !answer.printed.empty();
  if (is_known && !repeat.prints) keep(repeat, before, launch);
  write(known, launch);
  return answer;
}

LaunchAnswer Launcher::launch(const protocol::Launch& message, Module& module, const KernelEntry& entry,
                              std::span<const std::byte> arguments) {
  Subject subject{module,           entry,
                  options_.device,  launch_of(message, arguments, module, options_),
                  memory_.arrays(), &memory_.unwritten()};
  begin(message);
  arguments_ = arguments_of(entry.kernel->function(), subject.launch.arguments);
  Known& known = known_of(entry, subject);
  if (const auto error = error_of_launch(message, entry, options_.device, known.fit))
    return refuse(subject, known, error);
  if (entry.kernel->together().whole_grid && message.is_cooperative == 0) {
    LaunchAnswer answer = refuse(subject, known, cudaErrorLaunchFailure);
    std::swap(answer.error, answer.fault);  // grid.sync() finds out when it runs
    answer.said = entry.title + ": grid.sync() needs a cooperative launch\n";
    return answer;
  }
  if (options_.on_launch) options_.on_launch(entry.title);
  look_at(subject, known);
  if (known.is_stuck) subject.launch.instruction_budget = kBudgetOfStuckWarp;
  const auto data = keep_data(subject, known);
  data_ = data;
  LaunchAnswer answer = run(subject, known);
  memory_.unwritten().launch(subject.launch.arguments, known.follows_addresses, memory_.memory());
  if (data != nullptr) {
    mark_outputs(*data, memory_.memory());
    data->predicted_seconds = answer.seconds;
  }
  if (options_.on_launch) options_.on_launch("");
  return answer;
}

}  // namespace warplens::program
