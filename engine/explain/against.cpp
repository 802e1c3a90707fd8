#include "engine/explain/against.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string_view>

namespace warplens::explain {
namespace {

struct Amount {
  std::string_view of;
  double run::StepCount::*count;
  bool is_last = false;  // said only where nothing else differs clearly
};
// Where two ratios are equal the first one is said.
constexpr std::array kAmounts = {Amount{"sectors of global memory", &run::StepCount::bytes},
                                 Amount{"wavefronts of shared memory", &run::StepCount::wavefronts},
                                 Amount{"accesses to global memory", &run::StepCount::requests},
                                 Amount{"instructions", &run::StepCount::instructions},
                                 Amount{"barriers", &run::StepCount::barriers, true}};
constexpr double kClear = 1.1;     // less is no difference that a step is for
constexpr double kClearer = 1.25;  // less is not worth a second sentence
constexpr double kMany = 4;        // more wavefronts for an access are more than a tile takes
constexpr double kSpeed = 0.015;   // repeated measurements differ by less

// 1.73, 5.4, 32
std::string times(double ratio) { return fmt::format("{:.{}f}", ratio, ratio < 2 ? 2 : ratio < 10 ? 1 : 0); }

struct Change {
  const Amount* of = nullptr;
  double ratio = kClear;
};
struct Changes {
  Change less, more;
};

Changes changes(const run::StepCount& step, const run::StepCount& before) {
  Changes found;
  for (const Amount& amount : kAmounts) {
    const double now = step.*amount.count / step.work, then = before.*amount.count / before.work;
    if (now <= 0 || then <= 0) continue;
    const bool has_less = amount.is_last && found.less.of != nullptr;
    if (then / now > found.less.ratio * 1.001 && !has_less) found.less = {&amount, then / now};
    // More traffic explains more than more instructions or barriers do.
    const bool has_more =
        found.more.of != nullptr && (amount.is_last || amount.count == &run::StepCount::instructions);
    if (now / then > found.more.ratio * 1.001 && !has_more) found.more = {&amount, now / then};
  }
  return found;
}

std::string words_of(const Change& change, std::string_view how) {
  return fmt::format("{} times {} {}", times(change.ratio), how, change.of->of);
}

std::string speed_words(double speed) {
  if (std::abs(speed - 1) <= kSpeed) return "as fast";
  return fmt::format("{} times as fast{}", speed < 10 ? fmt::format("{:.2f}", speed) : times(speed),
                     speed < 1 ? ": slower" : "");
}

Verdict verdict_of(const Changes& changes, std::optional<double> speed) {
  if (speed && std::abs(*speed - 1) <= kSpeed) return Verdict::neutral;
  if (speed) return *speed > 1 ? Verdict::good : Verdict::costly;
  return changes.less.of != nullptr   ? Verdict::good
         : changes.more.of != nullptr ? Verdict::costly
                                      : Verdict::neutral;
}

// What is most of it first: what is saved, or of a slower step what it costs; then the other one, if it is
// much.
std::string words_of(const Changes& all, bool is_slower) {
  const bool more_first = all.more.of != nullptr && (is_slower || all.less.of == nullptr);
  const Change &first = more_first ? all.more : all.less, &second = more_first ? all.less : all.more;
  if (first.of == nullptr) return "as many accesses and instructions: what differs is when they come";
  std::string words = words_of(first, more_first ? "more" : "fewer");
  if (second.of != nullptr && second.ratio >= kClearer)
    words += fmt::format(", {} {}", more_first ? "although" : "but",
                         words_of(second, more_first ? "fewer" : "more"));
  return words;
}

}  // namespace

Against against(const run::StepCount& step, const run::StepCount& before, std::optional<double> speed) {
  if (step.work <= 0 || before.work <= 0 || !step.missing.empty() || !before.missing.empty()) return {};
  const Changes all = changes(step, before);
  Against said{verdict_of(all, speed), speed ? speed_words(*speed) : ""};
  // Of a thing that the step before has none of there is no ratio.
  const bool is_bad = speed ? said.verdict == Verdict::costly : all.less.of == nullptr;
  if (is_bad && before.wavefronts <= 0 && step.wavefronts > kMany * step.requests) {
    if (!speed) said.verdict = Verdict::costly;
    said.words = fmt::format("{:.0f} wavefronts of shared memory for each access to global memory",
                             step.wavefronts / step.requests);
    said.is_ratio = false;
    return said;
  }
  said.words = words_of(all, said.verdict == Verdict::costly);
  return said;
}

}  // namespace warplens::explain
