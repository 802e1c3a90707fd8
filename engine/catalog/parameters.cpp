// Which values a kernel's parameters may take, and the nearest that it may where they may not.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <optional>

#include "engine/catalog/choices.hpp"
#include "engine/catalog/kernel_spec.hpp"
#include "engine/catalog/near.hpp"
#include "engine/catalog/rules.hpp"

namespace warplens::catalog {
namespace {

// "8", "8 or 16": the values of the list closest to the one asked for.
std::string nearest_values(const Parameter& parameter, std::int64_t asked) {
  const auto above = std::lower_bound(parameter.values.begin(), parameter.values.end(), asked);
  if (above == parameter.values.end()) return std::to_string(parameter.values.back());
  if (above == parameter.values.begin()) return std::to_string(*above);
  // Unsigned: the distance to a value at the other end of the range would overflow.
  const auto up = static_cast<std::uint64_t>(*above) - static_cast<std::uint64_t>(asked);
  const auto down = static_cast<std::uint64_t>(asked) - static_cast<std::uint64_t>(above[-1]);
  if (up == down) return fmt::format("{} or {}", above[-1], *above);
  return std::to_string(up < down ? *above : above[-1]);
}

Error not_in_list(const Parameter& parameter, std::int64_t asked) {
  return Error{
      fmt::format("{}={} is not one of {}", parameter.name, asked, fmt::join(parameter.values, ", ")),
      parameter.values.empty() ? std::string() : "nearest: " + nearest_values(parameter, asked),
      {}};
}

Error unknown_parameter(const KernelSpec& spec, const std::string& name) {
  const std::vector<std::string> names = parameter_names(spec);
  if (names.empty())
    return Error{fmt::format("{} has no parameters, so no {}", spec.id, name), "leave it out", {}};
  const std::vector<std::string> near = near_names(name, names, 1);
  std::string next = near.empty() ? "" : "did you mean " + near.front() + "? ";
  next += fmt::format("its parameters are {}", fmt::join(names, ", "));
  return Error{fmt::format("{} has no parameter {}", spec.id, name), next, {}};
}

const Parameter* find_parameter(const KernelSpec& spec, std::string_view name) {
  const auto found = std::find_if(spec.params.begin(), spec.params.end(),
                                  [&](const Parameter& parameter) { return parameter.name == name; });
  return found == spec.params.end() ? nullptr : &*found;
}

bool is_listed(const Parameter& parameter, std::int64_t value) {
  return std::binary_search(parameter.values.begin(), parameter.values.end(), value);
}

// Depth first over the values of each parameter in turn; a rule is checked as soon as its last parameter is
// fixed.
class EverySet {
 public:
  EverySet(const KernelSpec& spec, Rules& rules) : spec_(spec), rules_(rules) {}

  std::vector<Values> find() {
    if (rules_.hold_at(0)) fix(0);
    return std::move(found_);
  }

 private:
  void fix(std::size_t index) {
    if (index == spec_.params.size()) {
      found_.push_back(now_);
      return;
    }
    const Parameter& parameter = spec_.params[index];
    std::int64_t& value = now_[parameter.name];
    for (const std::int64_t candidate : parameter.values) {
      value = candidate;
      rules_.set(index, candidate);
      if (rules_.hold_at(index + 1)) fix(index + 1);
    }
  }

  const KernelSpec& spec_;
  Rules& rules_;
  Values now_;
  std::vector<Values> found_;
};

// The valid set that is the fewest slider positions away from `wanted`: branch and bound over the same
// tree.
class NearestSet {
 public:
  NearestSet(const KernelSpec& spec, Rules& rules, const Values& wanted, const Values& chosen,
             const Limits& limits)
      : spec_(spec), rules_(rules), refuses_(limits.refuses) {
    for (const Parameter& parameter : spec.params) {
      orders_.push_back(by_distance(parameter, wanted.at(parameter.name)));
      // One position more of a chosen parameter weighs a little more, to decide between equals.
      weights_.push_back(chosen.contains(parameter.name) ? kStep + 1 : kStep);
    }
  }

  std::optional<Values> find() {
    if (rules_.hold_at(0)) fix(0, 0);
    return std::move(best_);
  }

 private:
  static constexpr std::int64_t kStep = 1000;
  // a few tenths of a second, then the best so far is good enough
  static constexpr int kMostNodes = 2'000'000;

  struct Candidate {
    std::int64_t value, distance;
  };

  static std::vector<Candidate> by_distance(const Parameter& parameter, std::int64_t wanted) {
    const auto begin = parameter.values.begin();
    const std::int64_t home = std::lower_bound(begin, parameter.values.end(), wanted) - begin;
    std::vector<Candidate> candidates;
    for (std::size_t i = 0; i < parameter.values.size(); ++i) {
      candidates.push_back({parameter.values[i], std::abs(static_cast<std::int64_t>(i) - home)});
    }
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](Candidate a, Candidate b) { return a.distance < b.distance; });
    return candidates;
  }

  void fix(std::size_t index, std::int64_t cost) {
    if (index == spec_.params.size()) {
      if (refuses_ && refuses_(now_)) return;
      best_ = now_;
      best_cost_ = cost;
      return;
    }
    for (const Candidate candidate : orders_[index]) {
      const std::int64_t next = cost + candidate.distance * weights_[index];
      if (next >= best_cost_ || ++nodes_ > kMostNodes) return;
      now_[spec_.params[index].name] = candidate.value;
      rules_.set(index, candidate.value);
      if (rules_.hold_at(index + 1)) fix(index + 1, next);
    }
  }

  const KernelSpec& spec_;
  Rules& rules_;
  std::function<std::optional<std::string>(const Values&)> refuses_;
  std::vector<std::vector<Candidate>> orders_;
  std::vector<std::int64_t> weights_;
  Values now_;
  std::optional<Values> best_;
  std::int64_t best_cost_ = std::numeric_limits<std::int64_t>::max();
  int nodes_ = 0;
};

// "nearest: TILE=32": only what differs from the values asked for.
std::string nearest_step(const KernelSpec& spec, const Values& nearest, const Values& wanted) {
  std::string changes;
  for (const Parameter& parameter : spec.params) {
    const std::int64_t value = nearest.at(parameter.name);
    if (value == wanted.at(parameter.name)) continue;
    changes += fmt::format("{}{}={}", changes.empty() ? "" : " ", parameter.name, value);
  }
  return "nearest: " + changes;
}

// Neither a parameter nor a size would help where no rule asks for one: then the kernel file is wrong.
Error nothing_legal(const KernelSpec& spec, const Rules& rules, const Values& sizes,
                    const std::string& reason) {
  if (const int line = rules.fixed_line(); line > 0) {
    const std::string block = fmt::format(": block = {}", fmt::join(spec.block, " x "));
    return Error{line == spec.block_line ? reason + block : reason,
                 "correct it in the kernel file",
                 {spec.path, line, 0}};
  }
  if (rules.depend_on_sizes(sizes))
    return Error{reason, "no values of its parameters are valid at this size, try another size"};
  return Error{reason,
               "no values of its parameters are valid at any size, correct the kernel file",
               {spec.path, spec.block_line, 0}};
}

}  // namespace

Values default_values(const KernelSpec& spec) {
  Values values;
  for (const Parameter& parameter : spec.params) values[parameter.name] = parameter.default_value;
  return values;
}

Result<Values> resolve_values(const KernelSpec& spec, const Values& chosen, const Values& sizes) {
  Values values = default_values(spec);
  for (const auto& [name, value] : chosen) {
    const Parameter* parameter = find_parameter(spec, name);
    if (parameter == nullptr) return unknown_parameter(spec, name);
    if (!is_listed(*parameter, value)) return not_in_list(*parameter, value);
    values[name] = value;
  }
  auto rules = Rules::make(spec, sizes);
  if (!rules) return rules.error();
  (*rules)->set_all(spec, values);
  const std::optional<std::string> reason = (*rules)->broken();
  if (!reason) return values;
  const std::optional<Values> nearest = NearestSet(spec, **rules, values, chosen, {}).find();
  if (nearest) return Error{*reason, nearest_step(spec, *nearest, values), {}};
  return nothing_legal(spec, **rules, sizes, *reason);
}

namespace {

std::optional<std::string> why_not_now(const Rules& rules, const Values& values, const Limits& limits) {
  if (auto reason = rules.broken()) return reason;
  return limits.refuses ? limits.refuses(values) : std::nullopt;
}

}  // namespace

std::optional<std::string> why_not(const KernelSpec& spec, const Values& values, const Values& sizes,
                                   const Limits& limits) {
  auto rules = Rules::make(spec, sizes, limits);
  if (!rules) return to_line(rules.error());
  (*rules)->set_all(spec, values);
  return why_not_now(**rules, values, limits);
}

Result<Values> nearest_values(const KernelSpec& spec, const Values& wanted, const Values& sizes,
                              const Limits& limits) {
  auto rules = Rules::make(spec, sizes, limits);
  if (!rules) return rules.error();
  (*rules)->set_all(spec, wanted);
  const std::optional<std::string> reason = why_not_now(**rules, wanted, limits);
  if (!reason) return wanted;
  if (auto nearest = NearestSet(spec, **rules, wanted, wanted, limits).find()) return *std::move(nearest);
  const std::string where = limits.device.empty() ? "at this size" : "on " + limits.device + " at this size";
  return Error{*reason, fmt::format("no values of its parameters are valid {}, choose another step", where)};
}

Choices::Choices(KernelSpec spec, const Values& sizes, Limits limits)
    : spec_(std::move(spec)), limits_(std::move(limits)), rules_(Rules::make(spec_, sizes, limits_)) {}
Choices::Choices(Choices&&) noexcept = default;
Choices& Choices::operator=(Choices&&) noexcept = default;
Choices::~Choices() = default;

std::vector<Choice> Choices::of(std::string_view parameter, const Values& values) {
  const Parameter* slider = find_parameter(spec_, parameter);
  if (slider == nullptr) return {};
  Values now = default_values(spec_);
  for (const auto& [name, value] : values) {
    if (now.contains(name)) now[name] = value;
  }
  std::vector<Choice> list;
  for (const std::int64_t value : slider->values) {
    now[slider->name] = value;
    if (rules_) (*rules_)->set_all(spec_, now);
    const std::optional<std::string> reason =
        rules_ ? why_not_now(**rules_, now, limits_) : to_line(rules_.error());
    list.push_back({value, !reason, reason.value_or("")});
  }
  return list;
}

std::vector<Values> valid_parameter_sets(const KernelSpec& spec, const Values& sizes) {
  auto rules = Rules::make(spec, sizes);
  if (!rules) return {};
  return EverySet(spec, **rules).find();
}

}  // namespace warplens::catalog
