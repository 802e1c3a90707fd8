#include "engine/run/checked/seen.hpp"

#include <algorithm>
#include <array>

#include "engine/base/text.hpp"
#include "engine/run/checked/checked_run.hpp"

namespace warplens::run {
namespace {

constexpr auto kOwnTexts = std::to_array<std::string_view>({
#include "own_texts.inc"
});

}  // namespace

bool is_own_text(std::string_view code) {
  return std::ranges::find(kOwnTexts, fingerprint(code)) != kOwnTexts.end();
}

std::vector<catalog::Values> tested_parameters(const catalog::KernelSpec& spec,
                                               const catalog::Values& sizes) {
  const catalog::Values defaults = catalog::default_values(spec);
  std::vector<catalog::Values> tested{defaults};
  for (const catalog::Parameter& parameter : spec.params)
    for (const std::int64_t value : parameter.values) {
      catalog::Values other = defaults;
      other[parameter.name] = value;
      if (other != defaults && catalog::resolve_values(spec, other, sizes))
        tested.push_back(std::move(other));
    }
  return tested;
}

bool is_seen(const Plan& plan) {
  const catalog::Values defaults = catalog::default_values(plan.spec);
  const auto set = std::ranges::count_if(
      plan.parameters, [&](const auto& value) { return defaults.at(value.first) != value.second; });
  return set <= 1 && is_own_text(plan.spec.code);
}

SharedRun judged(const SharedRun& run) {
  if (run->report.check != CheckState::not_asked || is_seen(run->plan())) return run;
  const auto checked = run_checked(*run->job);
  return checked ? with_findings(*run, (*checked)->report) : unchecked(*run, checked.error());
}

}  // namespace warplens::run
