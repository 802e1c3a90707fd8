#include "engine/run/checked/odd_sizes.hpp"

#include <algorithm>

#include "engine/base/text.hpp"
#include "engine/run/checked/check_blocks.hpp"

namespace warplens::run {
namespace {

using check::Finding, check::Kind, check::Severity;

constexpr double kMostOperations = 6e8;

// Sizes of which each is an odd number times `unit`, small ones.
catalog::Values sizes_of(const catalog::Values& asked, std::int64_t unit, bool one_dimension, bool one_size) {
  static constexpr std::int64_t kFactors[] = {1, 3, 5, 7};
  catalog::Values sizes;
  std::size_t next = 0;
  for (const auto& [name, value] : asked) {
    std::int64_t factor = kFactors[one_size ? 1 : next++ % 4];
    if (one_dimension)
      factor = unit == 1 ? 1003 : std::max<std::int64_t>(1024 / unit, 2) - 1;
    else if (unit == 1)
      factor = 35 + 2 * factor;  // 37, 41, 45, 49
    sizes[name] = factor * unit;
  }
  return sizes;
}

struct Trial {
  bool possible = false, right = false, unwritten = false;
  std::string what;  // went wrong
  int line = 0;
  check::ThreadPlace at;
};

Trial try_sizes(const Job& job, const emulator::Kernel& kernel, const catalog::Values& sizes) {
  Trial trial;
  const auto plan = run::plan(job.plan.spec, job.plan.parameters, sizes, job.plan.device);
  if (!plan || plan->parameters != job.plan.parameters) return trial;  // the file says what it takes
  const auto instance = plan->problem->make(sizes, problem::Pattern::random, 1, buffer_memory_limit());
  if (!instance || (*instance)->wants_reference() || (*instance)->operations() > kMostOperations)
    return trial;
  EmulationOptions options;
  options.threads = 0;
  options.stop_at_uninitialised = false;
  options.instruction_budget = std::min<std::uint64_t>(job.instruction_budget, 2'000'000);
  const auto ran = emulate(kernel, **instance, plan->launch, options);
  if (!ran) return trial;
  trial.possible = true;
  if (const auto& fault = ran->outcome.fault) {
    trial.what = fault->error.message;
    trial.line = fault->error.place.line;
    trial.at = {true, fault->thread, fault->block_index};
    return trial;
  }
  trial.right = !ran->verification.is_wrong();
  trial.what = ran->verification.explanation;
  trial.unwritten = trial.what.find("was not written") != std::string::npos;
  trial.line = line_to_begin(kernel.function(), ran->outcome.counters, trial.unwritten);
  if (trial.right) return trial;
  const auto checked =
      check_blocks(kernel, **instance, plan->launch,
                   {.most_effort = 500'000, .compute_capability = plan->device.compute_capability});
  if (!checked) return trial;
  for (const Finding& finding : checked->findings) {
    if (finding.severity != Severity::error) continue;
    trial.what = finding.message;
    trial.line = finding.line;
    trial.at = finding.at;
    break;
  }
  return trial;
}

bool are_odd(const catalog::Values& sizes) {
  return std::all_of(sizes.begin(), sizes.end(), [](const auto& size) { return size.second % 2 != 0; });
}

}  // namespace

namespace {

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

}  // namespace

int line_to_begin(const ptx::Function& function, const emulator::Counters& counters, bool unwritten) {
  const int line = unwritten ? 0 : line_of_arithmetic(function, counters);
  return line > 0 ? line : line_of_store(function, unwritten);
}

std::optional<Finding> finding_at_odd_sizes(const Job& job, const emulator::Kernel& kernel) {
  if (are_odd(job.plan.sizes)) return std::nullopt;
  const double size = static_cast<double>(job.plan.sizes.begin()->second);
  const bool one_dimension = job.plan.sizes.size() == 1 && job.instance->operations() < 64 * size;
  const bool one_size = job.plan.problem->has_one_size();
  const Trial odd = try_sizes(job, kernel, sizes_of(job.plan.sizes, 1, one_dimension, one_size));
  if (!odd.possible || odd.right) return std::nullopt;
  std::int64_t unit = 2;
  for (; unit <= 256; unit *= 2) {
    const Trial trial = try_sizes(job, kernel, sizes_of(job.plan.sizes, unit, one_dimension, one_size));
    if (trial.possible && trial.right) break;
  }
  Finding finding;
  finding.kind = Kind::wrong_at_odd_size;
  finding.severity = Severity::warning;
  finding.file = job.plan.spec.path;
  finding.line = odd.line;
  finding.at = odd.at;
  finding.message =
      (unit <= 256 ? "right only at multiples of " + std::to_string(unit) : "right only at some sizes") +
      "; with " + value_words(sizes_of(job.plan.sizes, 1, one_dimension, one_size)) + ": " + odd.what;
  finding.fix = "guard the last rows, columns and elements, or say in `require` what sizes it takes";
  return finding;
}

}  // namespace warplens::run
