#include "engine/run/checked/odd_sizes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <string_view>

#include "engine/run/checked/check_blocks.hpp"

namespace warplens::run {
namespace {

using check::Finding, check::Kind, check::Severity;

// The outermost place of what is inlined.
int kernel_line(const ptx::Function& function, std::size_t pc) {
  int at = function.code[pc].location;
  while (at >= 0 && function.locations[static_cast<std::size_t>(at)].inlined_at >= 0)
    at = function.locations[static_cast<std::size_t>(at)].inlined_at;
  return at < 0 ? 0 : function.locations[static_cast<std::size_t>(at)].line;
}

constexpr double kMostOfOddSize = 6e8;

using Fixed = std::set<std::string>;

// Sizes of which the file takes no other value.
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

// Sizes of which each is an odd number times `unit`, small ones.
catalog::Values sizes_of(const catalog::Values& asked, const Fixed& fixed, std::int64_t unit,
                         bool one_dimension, bool one_size) {
  static constexpr std::int64_t kFactors[] = {1, 3, 5, 7};
  catalog::Values sizes;
  std::size_t next = 0;
  for (const auto& [name, value] : asked) {
    if (fixed.contains(name)) {
      sizes[name] = value;
      continue;
    }
    std::int64_t factor = kFactors[one_size ? 1 : next++ % 4];
    if (one_dimension)
      factor = unit == 1 ? 1003 : std::max<std::int64_t>(1024 / unit, 2) - 1;
    else if (unit == 1)
      factor = 35 + 2 * factor;  // 37, 41, 45, 49
    sizes[name] = factor * unit;
  }
  return sizes;
}

// Small sizes that differ by much, so that no two have the same number of tiles: odd ones times `unit`,
// ascending in the order of their names or descending. Sizes that are no extents of data (a radius, a few
// channels) stay.
catalog::Values far_apart(const catalog::Values& asked, const Fixed& fixed, std::int64_t unit,
                          bool descending) {
  constexpr std::int64_t kSmall = 16;
  const auto largest = std::max_element(asked.begin(), asked.end(),
                                        [](const auto& x, const auto& y) { return x.second < y.second; });
  const auto stays = [&](const auto& size) {
    return fixed.contains(size.first) || (size.second <= kSmall && largest->second > 4 * kSmall);
  };
  const auto count = std::count_if(asked.begin(), asked.end(), [&](const auto& s) { return !stays(s); });
  catalog::Values sizes;
  std::int64_t next = 0;
  for (const auto& size : asked) {
    const std::string& name = size.first;
    if (stays(size)) {
      sizes[name] = size.second;
      continue;
    }
    const std::int64_t place = descending ? count - 1 - next : next;
    ++next;
    sizes[name] = unit > 1 ? (2 * place + 1) * unit : count <= 3 ? 41 + 128 * place : 11 + 32 * (place % 4);
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
  if (!instance || (*instance)->wants_reference() || (*instance)->operations() > kMostOfOddSize) return trial;
  EmulationOptions options;
  options.threads = 0;
  options.stop_at_uninitialised = false;
  options.instruction_budget = std::min<std::uint64_t>(job.instruction_budget, 2'000'000);
  const auto ran = emulate(kernel, **instance, plan->launch, options);
  if (!ran) return trial;
  trial.possible = true;
  if (const auto& fault = ran->outcome.fault) {
    trial.what = fault_words(*fault, kernel, **instance, ran->buffers, plan->launch, job.plan.spec).message;
    const Place& place = fault->error.place;  // of what a header has the line that calls it
    trial.line = place.file == job.plan.spec.path ? place.line : kernel_line(kernel.function(), fault->pc);
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

bool are_odd(const catalog::Values& sizes, const Fixed& fixed) {
  return std::all_of(sizes.begin(), sizes.end(),
                     [&](const auto& size) { return size.second % 2 != 0 || fixed.contains(size.first); });
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

namespace {

constexpr std::int64_t kLargestUnit = 256;

// Trials of sizes that are different, one way and the other.
struct Unequal {
  std::int64_t unit = 1;
  Trial ascending, descending;

  bool possible() const { return ascending.possible && descending.possible; }
  bool is_wrong() const { return possible() && !(ascending.right && descending.right); }
};

// With the smallest unit that the kernel file takes.
Unequal try_unequal(const Job& job, const emulator::Kernel& kernel, const Fixed& fixed) {
  Unequal tried;
  for (; tried.unit <= kLargestUnit; tried.unit *= 2) {
    const auto with = [&](bool descending) {
      return try_sizes(job, kernel, far_apart(job.plan.sizes, fixed, tried.unit, descending));
    };
    tried.ascending = with(false);
    if (!tried.ascending.possible) continue;
    tried.descending = with(true);
    break;
  }
  return tried;
}

// "M = N", or "M <= N": the relation of two sizes without which the kernel is wrong; "K = M = N" of all.
// Empty: none of these makes it right.
std::string relation(const Job& job, const emulator::Kernel& kernel, const Fixed& fixed, const Unequal& wrong,
                     std::int64_t unit) {
  const catalog::Values& asked = job.plan.sizes;
  const catalog::Values up = far_apart(asked, fixed, unit, false), down = far_apart(asked, fixed, unit, true);
  const auto is_right = [&](const catalog::Values& sizes) {
    const Trial trial = try_sizes(job, kernel, sizes);
    return trial.possible && trial.right;
  };
  const auto equal = [](catalog::Values sizes, const std::string& one, const std::string& other) {
    sizes[one] = sizes[other];
    return sizes;
  };
  for (auto one = asked.begin(); one != asked.end(); ++one)
    for (auto other = std::next(one); other != asked.end(); ++other) {
      if (!is_right(equal(up, one->first, other->first)) || !is_right(equal(down, one->first, other->first)))
        continue;
      const bool same_unit = unit == wrong.unit;
      const std::string_view sign = same_unit && wrong.ascending.right    ? " <= "
                                    : same_unit && wrong.descending.right ? " >= "
                                                                          : " = ";
      return fmt::format("{}{}{}", one->first, sign, other->first);
    }
  catalog::Values all = up;
  std::string names;
  for (auto& [name, value] : all) {
    if (value == asked.at(name)) continue;
    value = up.rbegin()->second;
    names += (names.empty() ? "" : " = ") + name;
  }
  return is_right(all) ? names : std::string();
}

std::string relation_words(const Job& job, const emulator::Kernel& kernel, const Fixed& fixed,
                           const Unequal& wrong) {
  if (auto found = relation(job, kernel, fixed, wrong, wrong.unit); !found.empty())
    return "right only when " + found;
  for (const std::int64_t unit : {32, 128})
    if (unit > wrong.unit)
      if (auto found = relation(job, kernel, fixed, wrong, unit); !found.empty())
        return fmt::format("right only when {}, at multiples of {}", found, unit);
  return "right only at some sizes";
}

Finding finding_of(const Job& job, const Trial& trial, std::string message, std::string fix) {
  Finding finding;
  finding.kind = Kind::wrong_at_odd_size;
  finding.severity = Severity::warning;
  finding.file = job.plan.spec.path;
  finding.line = trial.line;
  finding.at = trial.at;
  finding.message = std::move(message);
  finding.fix = std::move(fix);
  return finding;
}

bool rounds_down(const catalog::KernelSpec& spec) {
  return std::any_of(spec.grid.begin(), spec.grid.end(),
                     [](const std::string& edge) { return edge.find("floor_div") != std::string::npos; });
}

}  // namespace

std::optional<Finding> finding_at_odd_sizes(const Job& job, const emulator::Kernel& kernel) {
  const Fixed fixed = fixed_sizes(job);
  const std::size_t free = job.plan.sizes.size() - fixed.size();
  if (free == 0) return std::nullopt;
  const auto first = std::find_if(job.plan.sizes.begin(), job.plan.sizes.end(),
                                  [&](const auto& one) { return !fixed.contains(one.first); });
  const double size = static_cast<double>(first->second);
  const bool one_dimension = free == 1 && job.instance->operations() < 64 * size;
  const bool one_size = job.plan.problem->has_one_size();
  const bool may_differ = free > 1 && !one_size;
  catalog::Values odd_sizes = sizes_of(job.plan.sizes, fixed, 1, one_dimension, one_size);
  Trial odd;
  if (!are_odd(job.plan.sizes, fixed)) odd = try_sizes(job, kernel, odd_sizes);
  if (!odd.possible && rounds_down(job.plan.spec)) {  // to no block at all
    for (auto& [name, value] : odd_sizes) value += fixed.contains(name) ? 0 : kLargestUnit;
    odd = try_sizes(job, kernel, odd_sizes);
  }
  if (odd.possible && !odd.right) {
    const auto is_right = [&](const catalog::Values& sizes) {
      const Trial trial = try_sizes(job, kernel, sizes);
      return trial.possible && trial.right;
    };
    std::int64_t unit = 2;
    for (; unit <= kLargestUnit; unit *= 2)
      if (is_right(sizes_of(job.plan.sizes, fixed, unit, one_dimension, one_size)) &&
          (!may_differ || is_right(far_apart(job.plan.sizes, fixed, unit, true))))
        break;
    if (unit <= kLargestUnit || !may_differ)
      return finding_of(job, odd,
                        fmt::format("{}; with {}: {}",
                                    unit <= kLargestUnit ? fmt::format("right only at multiples of {}", unit)
                                                         : "right only at some sizes",
                                    value_words(odd_sizes), odd.what),
                        "guard the last rows, columns and elements, or say in `require` what sizes it takes");
  }
  if (!may_differ) return std::nullopt;
  const Unequal unequal = try_unequal(job, kernel, fixed);
  if (!unequal.is_wrong()) return std::nullopt;
  const bool descending = unequal.ascending.right;
  const Trial& wrong = descending ? unequal.descending : unequal.ascending;
  return finding_of(
      job, wrong,
      fmt::format("{}: at {}, {}", relation_words(job, kernel, fixed, unequal),
                  value_words(far_apart(job.plan.sizes, fixed, unequal.unit, descending)), wrong.what),
      "look for a size that stands for another one: in an index, a bound, or a dimension of the grid");
}

}  // namespace warplens::run
