#include "engine/explain/against.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>

namespace warplens::explain {
namespace {

struct Amount {
  std::string_view of;
  double run::StepCount::*count;
};
// Where two ratios are equal the first one is said.
constexpr std::array kAmounts = {Amount{"sectors of global memory", &run::StepCount::bytes},
                                 Amount{"wavefronts of shared memory", &run::StepCount::wavefronts},
                                 Amount{"accesses to global memory", &run::StepCount::requests},
                                 Amount{"instructions", &run::StepCount::instructions}};
constexpr double kClear = 1.1;  // less is no difference that a step is for
constexpr double kMany = 4;     // more wavefronts for an access are more than a tile takes

// 1.73, 5.4, 32
std::string times(double ratio) { return fmt::format("{:.{}f}", ratio, ratio < 2 ? 2 : ratio < 10 ? 1 : 0); }

}  // namespace

Against against(const run::StepCount& step, const run::StepCount& before) {
  if (step.work <= 0 || before.work <= 0 || !step.missing.empty() || !before.missing.empty()) return {};
  const Amount *less = nullptr, *more = nullptr;
  double saved = kClear, added = kClear;
  for (const Amount& amount : kAmounts) {
    const double now = step.*amount.count / step.work, then = before.*amount.count / before.work;
    if (now <= 0 || then <= 0) continue;
    if (then / now > saved * 1.001) saved = then / now, less = &amount;
    // More traffic explains more than more instructions do.
    const bool says_less = more != nullptr && amount.count == &run::StepCount::instructions;
    if (now / then > added * 1.001 && !says_less) added = now / then, more = &amount;
  }
  // Of a thing that the step before has none of there is no ratio.
  if (before.wavefronts <= 0 && step.wavefronts > kMany * step.requests)
    return {Verdict::costly,
            fmt::format("{:.0f} wavefronts of shared memory for each access to global memory",
                        step.wavefronts / step.requests),
            false, false};
  if (less != nullptr)
    return {Verdict::good, fmt::format("{} times fewer {}", times(saved), less->of),
            less->count == &run::StepCount::instructions};
  if (more != nullptr)
    return {Verdict::costly, fmt::format("{} times more {}", times(added), more->of),
            more->count == &run::StepCount::instructions};
  return {Verdict::neutral, "as many accesses and instructions: what differs is when they come"};
}

}  // namespace warplens::explain
