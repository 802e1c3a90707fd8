#include "engine/run/checked/trials.hpp"

#include <algorithm>
#include <string_view>

#include "engine/run/checked/check_blocks.hpp"
#include "engine/run/checked/early_return.hpp"
#include "engine/run/checked/guesses.hpp"
#include "engine/run/grid/size_places.hpp"
#include "engine/source/scan.hpp"

namespace warplens::run {
namespace {

using check::Finding, check::Severity;

constexpr std::uint64_t kMostOfTrial = 2'000'000;                                  // of one warp
constexpr std::uint64_t kEffortWhereRight = 200'000, kEffortWhereWrong = 500'000;  // of the checkers

Fixed fixed_sizes(const Job& job) {
  Fixed fixed;
  if (job.plan.spec.require.empty()) return fixed;
  for (const auto& [name, value] : job.plan.sizes) {
    const auto takes = [&, name = name](std::int64_t other) {
      catalog::Values sizes = job.plan.sizes;
      sizes[name] = other;
      const auto plan = run::plan(job.plan.spec, job.plan.parameters, sizes, job.plan.device);
      return plan && plan->parameters == job.plan.parameters;
    };
    if (!takes(2 * value) && !takes(3 * value) && !takes(value + 1)) fixed.insert(name);
  }
  return fixed;
}

// Of a guessed problem: sizes that the kernel uses and never compares with anything, as a width that it only multiplies by.
// It trusts that the grid fits them; where the file does not say that it launches such a grid nobody knows any other.
void add_trusted(const Job& job, const emulator::Kernel& kernel, Fixed& fixed) {
  if (job.plan.spec.guessed.empty()) return;
  const bool is_of_file = is_grid_of_file(job.plan.spec.guessed);
  for (const auto& [name, places] : places_of_sizes(*job.plan.problem, buffer_memory_limit())) {
    const bool is_in_grid =
        std::ranges::any_of(job.plan.spec.grid, [&, name = name](const std::string& edge) {
          return source::find_word(edge, name) != source::kNowhere;
        });
    const UseOfNumber use = use_of_number(kernel.function(), places);
    if (use.is_loaded && !use.is_compared && !(is_of_file && is_in_grid)) fixed.insert(name);
  }
}

bool has_name(std::string_view expression) {
  return std::any_of(expression.begin(), expression.end(),
                     [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; });
}

bool has_loop(const ptx::Function& function) {
  for (std::size_t pc = 0; pc < function.code.size(); ++pc)
    if (function.code[pc].opcode == ptx::Opcode::bra && function.code[pc].operands[0].target <= pc)
      return true;
  return false;
}

bool is_grid_of_numbers(const catalog::KernelSpec& spec) {
  return std::none_of(spec.grid.begin(), spec.grid.end(), [](const auto& edge) { return has_name(edge); });
}

// Of a guessed front matter: whether launch and shared memory are what the file has for one size. Where the
// threads of a kernel walk on by the size of the grid, its blocks may have any number of elements.
bool is_for_one_size(const Job& job, const emulator::Kernel& kernel) {
  const catalog::KernelSpec& spec = job.plan.spec;
  if (spec.guessed.empty()) return false;
  if (!has_name(spec.shared) && spec.shared != "0") return true;
  const bool walks = ptx::reads_special(kernel.function(), ptx::Special::nctaid_x) &&
                     !ptx::reads_special(kernel.function(), ptx::Special::ctaid_y) &&
                     has_loop(kernel.function());
  return is_grid_of_numbers(spec) && !walks;
}

std::uint64_t bytes_of(const problem::Instance& instance) {
  std::uint64_t bytes = 0;
  for (const problem::Buffer& buffer : instance.buffers())
    bytes += buffer.elements * problem::size_in_bytes(buffer.type);
  return bytes;
}

// The outermost place of what is inlined.
int kernel_line(const ptx::Function& function, std::size_t pc) {
  int at = function.code[pc].location;
  while (at >= 0 && function.locations[static_cast<std::size_t>(at)].inlined_at >= 0)
    at = function.locations[static_cast<std::size_t>(at)].inlined_at;
  return at < 0 ? 0 : function.locations[static_cast<std::size_t>(at)].line;
}

bool writes_result(const ptx::Instruction& i) {
  const bool writes =
      i.opcode == ptx::Opcode::st || i.opcode == ptx::Opcode::red || i.opcode == ptx::Opcode::atom;
  return writes && (i.space == ptx::Space::global || i.space == ptx::Space::generic);
}

// The line of the store, or of the last branch that jumps over it.
int line_of_store(const ptx::Function& function, bool of_condition) {
  std::size_t store = function.code.size();
  while (store > 0 && !writes_result(function.code[store - 1])) --store;
  if (store-- == 0) return 0;
  for (std::size_t pc = store; of_condition && pc-- > 0;) {
    const ptx::Instruction& i = function.code[pc];
    if (i.opcode != ptx::Opcode::bra || !i.predicated || i.operands[0].target <= store) continue;
    if (const int line = kernel_line(function, pc); line > 0) return line;
  }
  return kernel_line(function, store);
}

int line_of_arithmetic(const ptx::Function& function, const emulator::Counters& counters) {
  std::uint64_t most = 0;
  int line = 0;
  for (std::size_t pc = 0; pc < function.code.size() && pc < counters.instructions.size(); ++pc) {
    const ptx::Instruction& i = function.code[pc];
    const bool computes = ptx::is_float(i.type) && i.destinations == 1 && i.opcode != ptx::Opcode::ld &&
                          i.opcode != ptx::Opcode::mov && i.opcode != ptx::Opcode::selp &&
                          i.opcode != ptx::Opcode::shfl && i.opcode != ptx::Opcode::atom;
    if (!computes || counters.instructions[pc].lanes < most || counters.instructions[pc].lanes == 0) continue;
    most = counters.instructions[pc].lanes;
    if (const int own = kernel_line(function, pc); own > 0) line = own;
  }
  return line;
}

bool is_too_long(const emulator::Fault& fault) {
  return fault.kind == emulator::Fault::Kind::budget || fault.kind == emulator::Fault::Kind::limit;
}

}  // namespace

std::uint64_t threads_of(const catalog::LaunchShape& launch) {
  return catalog::blocks_in_grid(launch) * launch.block[0] * launch.block[1] * launch.block[2];
}

Trials::Trials(const Job& job, const emulator::Kernel& kernel, Tried& tried, bool is_unknown)
    : job_(job),
      kernel_(kernel),
      tried_(tried),
      fixed_(fixed_sizes(job)),
      may_grow_(!is_for_one_size(job, kernel)),
      is_unknown_(is_unknown) {
  add_trusted(job, kernel, fixed_);
}

catalog::Values Trials::capped(catalog::Values sizes, std::int64_t unit) const {
  for (auto& [name, value] : sizes) {
    const std::int64_t asked = job_.plan.sizes.at(name);
    if (may_grow_ || value <= asked) continue;
    const std::int64_t times = asked / unit - (asked % unit == 0 && asked / unit % 2 == 0 ? 1 : 0);
    value = times < 1 ? asked : (times % 2 == 0 ? times - 1 : times) * unit;
  }
  return sizes;
}

Trial Trials::at(const catalog::Values& sizes, problem::Pattern pattern) const {
  return at(sizes, pattern, {6e8, std::uint64_t{1} << 32, std::uint64_t{1} << 34, 0});
}

Trial Trials::cheap_at(const catalog::Values& sizes, problem::Pattern pattern) const {
  return at(sizes, pattern, {2e7, std::uint64_t{1} << 18, std::uint64_t{1} << 24, 3'000'000});
}

Trial Trials::quick_at(const catalog::Values& sizes, problem::Pattern pattern) const {
  return at(sizes, pattern, {1e7, std::uint64_t{1} << 17, std::uint64_t{1} << 23, 400'000});
}

Trial Trials::search_at(const catalog::Values& sizes) const {
  return at(sizes, problem::Pattern::random,
            {2e7, std::uint64_t{1} << 18, std::uint64_t{1} << 24, 3'000'000, false});
}

// By the first block. Blocks that wait for each other have to run together: these are not tried.
bool Trials::takes_long(const problem::Instance& instance, const catalog::LaunchShape& launch,
                        std::uint64_t instructions) const {
  if (kernel_.together().whole_grid) return true;
  EmulationOptions options;
  options.threads = 1;
  options.stop_at_uninitialised = false;
  options.instruction_budget = instructions / 16;
  options.blocks = {0};
  const auto first = emulate(kernel_, instance, launch, options);
  if (!first) return true;
  if (const auto& fault = first->outcome.fault) return is_too_long(*fault);
  return first->outcome.counters.warp_instructions * catalog::blocks_in_grid(launch) > instructions;
}

bool Trials::is_as_launched() const {
  return !job_.plan.spec.guessed.empty() && is_grid_of_numbers(job_.plan.spec);
}

void Trials::note(const catalog::Values& sizes) const {
  if (sizes == job_.plan.sizes) return;
  const NamedValues named(sizes.begin(), sizes.end());
  if (std::find(tried_.sizes.begin(), tried_.sizes.end(), named) == tried_.sizes.end())
    tried_.sizes.push_back(named);
}

Trial Trials::at(const catalog::Values& sizes, problem::Pattern pattern, const Limits& limits) const {
  Trial trial;
  const auto plan = run::plan(job_.plan.spec, job_.plan.parameters, sizes, job_.plan.device);
  if (!plan || plan->parameters != job_.plan.parameters) return trial;  // the file says what it takes
  if (threads_of(plan->launch) > limits.threads) return trial;
  const auto instance = plan->problem->make(sizes, pattern, 1, buffer_memory_limit());
  if (!instance || (*instance)->wants_reference() || (*instance)->operations() > limits.operations ||
      bytes_of(**instance) > limits.bytes)
    return trial;
  if (limits.instructions > 0 && takes_long(**instance, plan->launch, limits.instructions)) return trial;
  EmulationOptions options;
  options.threads = 0;
  options.stop_at_uninitialised = false;
  options.instruction_budget = std::min<std::uint64_t>(job_.instruction_budget, kMostOfTrial);
  const auto ran = emulate(kernel_, **instance, plan->launch, options);
  if (!ran) return trial;
  const auto& fault = ran->outcome.fault;
  if (fault && is_too_long(*fault) &&
      (limits.instructions > 0 || fault->kind == emulator::Fault::Kind::limit))
    return trial;
  trial.possible = true;
  if (limits.is_noted) note(sizes);
  if (fault) {
    trial.what = fault_words(*fault, kernel_, **instance, ran->buffers, plan->launch, job_.plan.spec).message;
    const Place& place = fault->error.place;  // of what a header has the line that calls it
    trial.line = place.file == job_.plan.spec.path ? place.line : kernel_line(kernel_.function(), fault->pc);
    trial.at = {true, fault->thread, fault->block_index};
    return trial;
  }
  trial.right = !ran->verification.is_wrong();
  trial.what = ran->verification.explanation;
  trial.unwritten = ran->verification.mistake == problem::Mistake::unwritten;
  trial.line = line_to_begin(kernel_.function(), ran->outcome.counters, trial.unwritten);
  // With other data its blocks do to each other what they did before.
  if (!trial.right || pattern == problem::Pattern::random) look_at(**instance, *plan, trial);
  return trial;
}

// What the checkers say of it, as they would if it were asked for.
void Trials::look_at(const problem::Instance& instance, const Plan& plan, Trial& trial) const {
  auto checked = check_blocks(kernel_, instance, plan.launch,
                              {.most_effort = trial.right ? kEffortWhereRight : kEffortWhereWrong,
                               .compute_capability = plan.device.compute_capability,
                               .ptx = job_.build.ptx,
                               .parameters = parameter_names(plan.spec)});
  if (!checked) return;
  // Threads that go around a barrier only do so where a loop has other numbers of turns for them.
  judge_missing(checked->findings, plan.spec.code, false);
  const auto is_missing = [](const Finding& one) {
    return one.severity == Severity::warning &&
           (one.kind == check::Kind::divergent_barrier || one.kind == check::Kind::mask_without_caller);
  };
  auto error = std::ranges::find(checked->findings, Severity::error, &Finding::severity);
  if (error == checked->findings.end()) error = std::ranges::find_if(checked->findings, is_missing);
  if (error == checked->findings.end()) return;
  trial.right = false;
  trial.what = error->message;
  trial.line = error->line;
  trial.at = error->at;
}

Finding Trials::finding(const Trial& trial, check::Kind kind, std::string message, std::string fix) const {
  Finding finding;
  finding.kind = kind;
  finding.severity = Severity::warning;
  finding.file = job_.plan.spec.path;
  finding.line = trial.line;
  finding.at = trial.at;
  finding.message = std::move(message);
  finding.fix = std::move(fix);
  return finding;
}

int line_to_begin(const ptx::Function& function, const emulator::Counters& counters, bool unwritten) {
  const int line = unwritten ? 0 : line_of_arithmetic(function, counters);
  return line > 0 ? line : line_of_store(function, unwritten);
}

}  // namespace warplens::run
