#include "engine/catalog/rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/base/text.hpp"

namespace warplens::catalog {
namespace {

// NaN is "undefined", never "met".
bool is_met(const Expression& test) {
  const double value = test.evaluate();
  return !std::isnan(value) && value != 0;
}

std::string reason_now(const Expression& test, const std::string& reason) {
  const std::string values = test.values_now();
  return values.empty() ? reason : reason + ": " + values;
}

// "(TILE) * (TILE) <= 1024"
std::string block_test(const KernelSpec& spec, std::int64_t most) {
  std::string product;
  for (const std::string& edge : spec.block) product += (product.empty() ? "(" : " * (") + edge + ")";
  return product.empty() ? std::string("1") : fmt::format("{} <= {}", product, most);
}

std::size_t decided_at(const KernelSpec& spec, const Expression& test) {
  std::size_t last = 0;
  for (std::size_t i = 0; i < spec.params.size(); ++i) {
    if (test.uses(spec.params[i].name)) last = i + 1;
  }
  return last;
}

}  // namespace

std::vector<std::string> parameter_names(const KernelSpec& spec) {
  std::vector<std::string> names;
  for (const Parameter& parameter : spec.params) names.push_back(parameter.name);
  return names;
}

Status fill_scope(Scope& scope, const KernelSpec& spec, const Values& values, const Values& sizes) {
  for (const auto& [name, value] : sizes) scope.set(name, value);
  for (const Parameter& parameter : spec.params) {
    if (sizes.contains(parameter.name)) {
      return Error{fmt::format("the parameter {} has the name of a size of the problem", parameter.name),
                   "rename the parameter in the front matter",
                   {spec.path, 0, 0}};
    }
    const auto value = values.find(parameter.name);
    scope.set(parameter.name, value == values.end() ? parameter.default_value : value->second);
  }
  return Done{};
}

Result<std::unique_ptr<Rules>> Rules::make(const KernelSpec& spec, const Values& sizes,
                                           const Limits& limits) {
  auto rules = std::make_unique<Rules>();
  if (const Status status = fill_scope(rules->scope_, spec, {}, sizes); !status) return status.error();
  for (const Parameter& parameter : spec.params)
    rules->parameters_.push_back(rules->scope_.find(parameter.name));
  for (const Requirement& requirement : spec.require) {
    const std::string made = requirement.expression + " is not met";
    const std::string& reason = requirement.reason.empty() ? made : requirement.reason;
    const Status status = rules->add(spec, requirement.expression, reason, requirement.line);
    if (!status) return status.error();
  }
  if (const Status status = rules->add_chip(spec, limits); !status) return status.error();
  return rules;
}

Status Rules::add_chip(const KernelSpec& spec, const Limits& limits) {
  for (const std::string& edge : spec.block) {
    if (edge.find_first_of("/%") == std::string::npos && edge.find("div") == std::string::npos) continue;
    const Status status = add(spec, fmt::format("({0}) - ({0}) == 0", edge),
                              fmt::format("block: {} divides by zero", edge), spec.block_line);
    if (!status) return status;
  }
  const std::string where = limits.device.empty() ? "" : " on " + limits.device;
  const Status block =
      add(spec, block_test(spec, limits.threads_per_block),
          fmt::format("a block cannot have more than {} threads{}", limits.threads_per_block, where),
          spec.block_line);
  if (!block || limits.device.empty()) return block;  // how much shared memory there is, only a device says
  return add(spec, fmt::format("({}) <= {}", spec.shared, limits.dynamic_shared_bytes),
             fmt::format("a block cannot have more than {} bytes of shared memory{}",
                         grouped(static_cast<std::uint64_t>(limits.dynamic_shared_bytes)), where),
             spec.shared_line);
}

Status Rules::add(const KernelSpec& spec, const std::string& test, const std::string& reason, int line) {
  auto compiled = Expression::compile(test, scope_);
  if (!compiled) return Error{compiled.error().message, compiled.error().next_step, {spec.path, line, 0}};
  const std::size_t decided = decided_at(spec, *compiled);
  rules_.push_back(Rule{*std::move(compiled), reason, decided, line});
  return Done{};
}

void Rules::set_all(const KernelSpec& spec, const Values& values) {
  for (std::size_t i = 0; i < spec.params.size(); ++i) set(i, values.at(spec.params[i].name));
}

std::optional<std::string> Rules::broken() const {
  for (const Rule& rule : rules_) {
    if (!is_met(rule.test)) return reason_now(rule.test, rule.reason);
  }
  return std::nullopt;
}

int Rules::fixed_line() const {
  const auto rule = std::find_if(rules_.begin(), rules_.end(), [](const Rule& r) { return !is_met(r.test); });
  return rule != rules_.end() && rule->test.values_now().empty() ? rule->line : 0;
}

bool Rules::depend_on_sizes(const Values& sizes) const {
  return std::any_of(rules_.begin(), rules_.end(), [&](const Rule& rule) {
    return std::any_of(sizes.begin(), sizes.end(),
                       [&](const auto& size) { return rule.test.uses(size.first); });
  });
}

bool Rules::hold_at(std::size_t decided) const {
  for (const Rule& rule : rules_) {
    if (rule.decided_at == decided && !is_met(rule.test)) return false;
  }
  return true;
}

}  // namespace warplens::catalog
