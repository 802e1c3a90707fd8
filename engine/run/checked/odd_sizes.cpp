#include "engine/run/checked/odd_sizes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>

#include "engine/run/checked/trials.hpp"

namespace warplens::run {
namespace {

using check::Finding, check::Kind;

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

bool are_odd(const catalog::Values& sizes, const Fixed& fixed) {
  return std::all_of(sizes.begin(), sizes.end(),
                     [&](const auto& size) { return size.second % 2 != 0 || fixed.contains(size.first); });
}

constexpr std::int64_t kLargestUnit = 256, kLargestOfVector = 1024;

// Trials of sizes that are different, one way and the other.
struct Unequal {
  std::int64_t unit = 1;
  Trial ascending, descending;

  bool possible() const { return ascending.possible && descending.possible; }
  bool is_wrong() const { return possible() && !(ascending.right && descending.right); }
};

bool is_right(const Trials& trials, const catalog::Values& sizes) {
  const Trial trial = trials.at(sizes);
  return trial.possible && trial.right;
}

// With the smallest unit that the kernel file takes.
Unequal try_unequal(const Trials& trials) {
  Unequal tried;
  for (; tried.unit <= kLargestUnit; tried.unit *= 2) {
    if (apart_sizes(trials, tried.unit, false) == apart_sizes(trials, tried.unit, true)) break;
    tried.ascending = trials.at(apart_sizes(trials, tried.unit, false));
    if (!tried.ascending.possible) continue;
    tried.descending = trials.at(apart_sizes(trials, tried.unit, true));
    break;
  }
  return tried;
}

// "M = N", or "M <= N": the relation of two sizes without which the kernel is wrong; "K = M = N" of all.
// Empty: none of these makes it right.
std::string relation(const Trials& trials, const Unequal& wrong, std::int64_t unit) {
  const catalog::Values& asked = trials.job().plan.sizes;
  const catalog::Values up = apart_sizes(trials, unit, false), down = apart_sizes(trials, unit, true);
  const auto equal = [](catalog::Values sizes, const std::string& one, const std::string& other) {
    sizes[one] = sizes[other];
    return sizes;
  };
  for (auto one = asked.begin(); one != asked.end(); ++one)
    for (auto other = std::next(one); other != asked.end(); ++other) {
      if (!is_right(trials, equal(up, one->first, other->first)) ||
          !is_right(trials, equal(down, one->first, other->first)))
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
  return is_right(trials, all) ? names : std::string();
}

// Which of the sizes tried are right; empty: none.
std::string relation_words(const Trials& trials, const Unequal& wrong) {
  if (auto found = relation(trials, wrong, wrong.unit); !found.empty()) return "right where " + found;
  for (const std::int64_t unit : {32, 128})
    if (unit > wrong.unit)
      if (auto found = relation(trials, wrong, unit); !found.empty())
        return fmt::format("right where {}, at multiples of {}", found, unit);
  return {};
}

// One that is right at no multiple either: no rest that it forgets is the reason.
Finding wrong_at_all(const Trials& trials, const Trial& odd, const catalog::Values& sizes) {
  Finding found = trials.finding(
      odd, Kind::wrong_at_odd_size,
      fmt::format("wrong at all other sizes that were tried: at {}, {}", value_words(sizes), odd.what),
      "look for what the kernel leaves out or does twice at sizes other than the one that was asked for");
  found.severity = check::Severity::error;
  return found;
}

// Of a file that takes no odd sizes the smallest multiples that it takes. Not of what was guessed: it may have a
// least size.
std::optional<Finding> finding_at_multiples(const Trials& trials) {
  if (!trials.job().plan.spec.guessed.empty()) return std::nullopt;
  for (std::int64_t unit = 2; unit <= kLargestUnit; unit *= 2) {
    const catalog::Values sizes = small_sizes(trials, unit);
    if (sizes == trials.job().plan.sizes) return std::nullopt;
    const Trial trial = trials.at(sizes);
    if (!trial.possible) continue;
    if (trial.right) return std::nullopt;
    return wrong_at_all(trials, trial, sizes);
  }
  return std::nullopt;
}

// Of a kernel that is right at multiples of `unit`.
std::string guard_words(const Trials& trials, std::int64_t unit) {
  std::string names, rules;
  for (const auto& [name, value] : trials.job().plan.sizes) {
    if (trials.fixed().contains(name)) continue;
    names += (names.empty() ? "" : " and ") + name;
    rules += fmt::format("{}\"{} % {} == 0\"", rules.empty() ? "" : ", ", name, unit);
  }
  return fmt::format(
      "{}; or, if it only has to work where {} {} of {}, say so in the file's head, below [launch]: require "
      "= "
      "[{}]",
      trials.free() > 1 ? "guard the last rows and columns"
                        : fmt::format("guard the last elements, as with if (i < {})", names),
      names, trials.free() > 1 ? "are multiples" : "is a multiple", unit, rules);
}

bool rounds_down(const catalog::KernelSpec& spec) {
  return std::any_of(spec.grid.begin(), spec.grid.end(),
                     [](const std::string& edge) { return edge.find("floor_div") != std::string::npos; });
}

}  // namespace

std::string wrong_at(const catalog::Values& sizes, const std::string& what, const std::string& right) {
  const std::string wrong = fmt::format("wrong at {}: {}", value_words(sizes), what);
  return right.empty() ? wrong : fmt::format("{}; of the sizes tried, {}", wrong, right);
}

std::optional<Finding> finding_at_odd_sizes(const Trials& trials) {
  const Job& job = trials.job();
  const Fixed& fixed = trials.fixed();
  if (trials.free() == 0) return std::nullopt;
  if (trials.is_of_unknown() && !trials.may_grow() && trials.free() > 1) return std::nullopt;
  const bool may_differ = trials.free() > 1 && !job.plan.problem->has_one_size();
  catalog::Values odd_sizes = small_sizes(trials, 1);
  Trial odd;
  if (!are_odd(job.plan.sizes, fixed)) odd = trials.at(odd_sizes);
  if (!odd.possible && rounds_down(job.plan.spec)) {  // to no block at all
    for (auto& [name, value] : odd_sizes) value += fixed.contains(name) ? 0 : kLargestUnit;
    odd = trials.at(odd_sizes);
  }
  if (odd.possible && !odd.right) {
    std::int64_t unit = 2;
    const std::int64_t most = is_of_one_dimension(trials) ? kLargestOfVector : kLargestUnit;
    for (; unit <= most; unit *= 2)
      if (is_right(trials, small_sizes(trials, unit)) &&
          (!may_differ || is_right(trials, apart_sizes(trials, unit, true))))
        break;
    if (unit <= most)
      return trials.finding(
          odd, Kind::wrong_at_odd_size,
          wrong_at(odd_sizes, odd.what,
                   fmt::format("right at {}, {} of {}", value_words(small_sizes(trials, unit)),
                               trials.free() > 1 ? "multiples" : "a multiple", unit)),
          guard_words(trials, unit));
    if (!may_differ) return wrong_at_all(trials, odd, odd_sizes);
  }
  if (!odd.possible)
    if (auto found = finding_at_multiples(trials)) return found;
  if (!may_differ) return std::nullopt;
  const Unequal unequal = try_unequal(trials);
  if (!unequal.is_wrong()) return std::nullopt;
  const bool descending = unequal.ascending.right;
  const Trial& wrong = descending ? unequal.descending : unequal.ascending;
  return trials.finding(
      wrong, Kind::wrong_at_odd_size,
      wrong_at(apart_sizes(trials, unequal.unit, descending), wrong.what, relation_words(trials, unequal)),
      "look for a size that stands for another one: in an index, a bound, or a dimension of the grid");
}

catalog::Values small_sizes(const Trials& trials, std::int64_t unit) {
  const Job& job = trials.job();
  return trials.capped(sizes_of(job.plan.sizes, trials.fixed(), unit, is_of_one_dimension(trials),
                                job.plan.problem->has_one_size()),
                       unit);
}

catalog::Values apart_sizes(const Trials& trials, std::int64_t unit, bool descending) {
  return trials.capped(far_apart(trials.job().plan.sizes, trials.fixed(), unit, descending), unit);
}

bool is_of_one_dimension(const Trials& trials) {
  const Job& job = trials.job();
  const auto first = std::find_if(job.plan.sizes.begin(), job.plan.sizes.end(),
                                  [&](const auto& one) { return !trials.fixed().contains(one.first); });
  return trials.free() == 1 && first != job.plan.sizes.end() &&
         job.instance->operations() < 64 * static_cast<double>(first->second);
}

}  // namespace warplens::run
