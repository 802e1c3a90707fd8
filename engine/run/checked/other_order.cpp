#include "engine/run/checked/other_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "engine/base/text.hpp"
#include "engine/problem/elements/element_values.hpp"

namespace warplens::run {
namespace {

using check::Finding, check::Kind, check::Severity;

constexpr double kMostOfOtherOrder = 3e8;
constexpr std::uint64_t kMostInstructions = 4'000'000;  // of a warp

// Sums in another order are rounded otherwise; that is no effect of a race.
bool differs(problem::ElementType type, double before, double after) {
  if (std::isnan(before) || std::isnan(after)) return std::isnan(before) != std::isnan(after);
  if (before == after) return false;
  const double rounding = std::min(4096 * problem::unit_roundoff(type), 0.01);
  return !(std::abs(before - after) <= rounding * std::max(std::abs(before), std::abs(after)));
}

std::string element_name(const problem::Buffer& buffer, std::size_t index) {
  const auto leading = static_cast<std::size_t>(std::max<std::int64_t>(1, buffer.shape.leading_dimension));
  if (buffer.shape.rows <= 1 || !buffer.shape.row_major) return fmt::format("{}[{}]", buffer.name, index);
  return fmt::format("{}[{}][{}]", buffer.name, index / leading, index % leading);
}

// "12 of 4,096 elements of C differ, the first of them C[0][3]: 5 instead of 3"; empty: none does.
std::string difference(const problem::Buffer& buffer, const std::vector<std::byte>& before,
                       const std::vector<std::byte>& after) {
  const std::size_t width = problem::size_in_bytes(buffer.type), elements = before.size() / width;
  std::size_t count = 0, first = 0;
  for (std::size_t e = 0; e < elements; ++e) {
    if (std::memcmp(before.data() + e * width, after.data() + e * width, width) == 0) continue;
    const auto value = [&](const std::vector<std::byte>& bytes) {
      return problem::read_element(buffer.type, bytes.data(), static_cast<std::int64_t>(e));
    };
    if (!differs(buffer.type, value(before), value(after))) continue;
    if (count++ == 0) first = e;
  }
  if (count == 0) return "";
  const auto value = [&](const std::vector<std::byte>& bytes) {
    return problem::read_element(buffer.type, bytes.data(), static_cast<std::int64_t>(first));
  };
  return fmt::format("{} of {} elements of {} differ, the first of them {}: {:.6g} instead of {:.6g}",
                     grouped(count), grouped(elements), buffer.name, element_name(buffer, first),
                     value(after), value(before));
}

// Or was stopped at its limit.
bool waits_for_ever(const emulator::Fault& fault) {
  using enum emulator::Fault::Kind;
  return fault.kind == budget || fault.kind == deadlock || fault.kind == limit;
}

// Empty where nothing can be said.
std::string effect_of(const Job& job, const emulator::Kernel& kernel, bool is_wrong, bool& is_same) {
  EmulationOptions options;
  options.threads = 1;
  options.sample_above = kMostOfOtherOrder;
  options.instruction_budget = std::min(job.instruction_budget, kMostInstructions);
  options.keep_outputs = true;
  options.stop_at_uninitialised = false;
  const auto before = emulate(kernel, *job.instance, job.plan.launch, options);
  options.backwards = true;
  if (!before || before->outcome.fault || before->outputs.empty()) return "";
  const auto after = emulate(kernel, *job.instance, job.plan.launch, options);
  if (!after) return "";
  // One block after another, a block waits for ever for a later one that a device would run beside it.
  if (const auto& fault = after->outcome.fault; fault && waits_for_ever(*fault)) return "";
  if (after->outcome.fault) return "in another order it stops: " + after->outcome.fault->error.message;
  std::string words;
  for (std::size_t b = 0; b < before->outputs.size(); ++b) {
    const std::string one = difference(job.instance->buffers()[b], before->outputs[b], after->outputs[b]);
    if (!one.empty()) words += (words.empty() ? "in another order " : "; ") + one;
  }
  is_same = words.empty();
  if (!is_same) return words;
  return is_wrong ? "the result is wrong in either order of warps and blocks"
                  : "warp after warp, in either order, the result is the same here; a GPU runs them at the "
                    "same time";
}

}  // namespace

void add_effect_of_order(const Job& job, const emulator::Kernel& kernel, Report& report) {
  check::Findings& findings = report.findings;
  const auto matters = [](const Finding& finding) {
    return check::is_race(finding.kind) && finding.severity != Severity::information;
  };
  if (std::none_of(findings.begin(), findings.end(), matters)) return;
  bool is_same = false;
  const std::string effect = effect_of(job, kernel, report.is_wrong(), is_same);
  for (Finding& finding : findings)
    if (matters(finding) && !(is_same && finding.kind == Kind::race_warp)) finding.effect = effect;
}

}  // namespace warplens::run
