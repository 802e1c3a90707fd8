#include "engine/explain/against.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string_view>

#include "engine/base/text.hpp"
#include "engine/time/predict_run.hpp"
#include "engine/time/reason.hpp"

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
constexpr std::size_t kMostPredictionsKept = 256;

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
  const double work = run::times_the_work(step, before);
  for (const Amount& amount : kAmounts) {
    const double now = step.*amount.count / work, then = before.*amount.count;
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

bool is_traffic(const Change& change) {
  return change.of != nullptr &&
         (change.of->count == &run::StepCount::bytes || change.of->count == &run::StepCount::wavefronts);
}

std::string and_fewer(std::string words, const Change& less) {
  if (less.of == nullptr || less.ratio < kClearer) return words;
  return words + ", although " + words_of(less, "fewer");
}

// What is saved first, then what it costs, if that is much.
std::string counts_of(const Changes& all) {
  if (all.less.of == nullptr)
    return all.more.of == nullptr ? "as many accesses and instructions: what differs is when they come"
                                  : words_of(all.more, "more");
  std::string words = words_of(all.less, "fewer");
  if (all.more.of != nullptr && all.more.ratio >= kClearer) words += ", but " + words_of(all.more, "more");
  return words;
}

// Why: the model's reason; empty where it was not asked or has none.
std::string words_of_slower(const Changes& all, const std::string& why) {
  if (is_traffic(all.more) || (why.empty() && all.more.of != nullptr))
    return and_fewer(words_of(all.more, "more"), all.less);
  return why.empty() ? counts_of(all) : and_fewer("by the model of time, " + why, all.less);
}

std::string words_of_as_fast(const Changes& all, const std::string& holds) {
  if (holds.empty() || (all.less.of == nullptr && all.more.of == nullptr))
    return holds.empty() ? counts_of(all) : "by the model of time, " + holds;
  return (all.less.of != nullptr ? words_of(all.less, "fewer") : words_of(all.more, "more")) + ", but " +
         holds + ", by the model of time";
}

// Counts of PTX say so: one of its instructions may be many of the machine's.
std::string of_ptx(std::string words) {
  constexpr std::string_view plain = " instructions";
  for (std::size_t at = 0; (at = words.find(plain, at)) != std::string::npos; at += plain.size() + 4)
    words.insert(at, " PTX");
  return words;
}

// Of the machine's code, where that is known of both.
void take_machine_instructions(run::StepCount& step, const Side& side, const Side& other) {
  if (side.predicted && other.predicted) step.instructions = side.predicted->warp_instructions * step.share;
}

}  // namespace

bool needs_reason(double speed) { return speed <= 1 + kSpeed; }

Result<Side> Sides::of(const run::Request& request, bool with_time, const std::atomic<bool>& cancel) {
  auto count = runner_.count(request, cancel);
  if (!count) return count.error();
  Side side{*std::move(count)};
  if (!with_time || !side.count.missing.empty()) return side;
  const std::string key = run::count_key(request);
  {
    const std::lock_guard lock(mutex_);
    if (const auto known = predicted_.find(key); known != predicted_.end()) side.predicted = known->second;
  }
  if (side.predicted) return side;
  auto predicted = predict(request, cancel);
  if (!predicted) return predicted.error();
  const std::lock_guard lock(mutex_);
  if (predicted_.size() >= kMostPredictionsKept) predicted_.clear();
  predicted_.insert_or_assign(key, *predicted);
  side.predicted = *std::move(predicted);
  return side;
}

Result<time::Prediction> Sides::predict(const run::Request& request, const std::atomic<bool>& cancel) {
  const auto job = runner_.job(request, cancel);
  if (!job) return job.error();
  const auto kernel = run::prepare(job->build, job->plan.device);
  if (!kernel) return kernel.error();
  const auto counted = time::count(*job, **kernel);
  if (!counted) return counted.error();
  if (cancel) return run::cancelled();
  return time::predict(*job, **kernel, *counted);
}

Against against(const Side& one, const Side& two, std::optional<double> speed, const std::string& called) {
  run::StepCount step = one.count, other = two.count;
  if (step.work <= 0 || other.work <= 0 || !step.missing.empty() || !other.missing.empty()) return {};
  take_machine_instructions(step, one, two);
  take_machine_instructions(other, two, one);
  const Changes all = changes(step, other);
  Against said{verdict_of(all, speed), speed ? speed_words(*speed) : ""};
  const bool is_bad = speed ? said.verdict == Verdict::costly : all.less.of == nullptr;
  // Of a thing that the other step has none of there is no ratio.
  const bool is_shared = !one.predicted || one.predicted->limiter == "shared";
  if (is_bad && is_shared && other.wavefronts <= 0 && step.wavefronts > kMany * step.requests) {
    said.verdict = Verdict::costly;
    said.words = fmt::format("{:.0f} wavefronts of shared memory for each access to global memory",
                             step.wavefronts / step.requests);
    return said;
  }
  const bool is_asked = one.predicted && two.predicted;
  if (said.verdict == Verdict::costly) {
    const auto why =
        is_asked ? time::why_slower(*one.predicted, *two.predicted, called) : time::ReasonWords{};
    said.words = words_of_slower(all, why.words);
    if (!is_traffic(all.more)) said.brief = why.brief;
  } else if (speed && said.verdict == Verdict::neutral) {
    const auto holds = is_asked ? time::what_holds_both(*one.predicted, *two.predicted) : time::ReasonWords{};
    said.words = words_of_as_fast(all, holds.words), said.brief = holds.brief;
  } else {
    said.words = counts_of(all);
  }
  if (!is_asked) said.words = of_ptx(std::move(said.words));
  return said;
}

Result<Against> against_measured(Sides& sides, const run::Request& step, const run::Request& other,
                                 double speed, const std::string& called, const std::atomic<bool>& cancel) {
  const bool with_time = needs_reason(speed);
  const auto own = sides.of(step, with_time, cancel);
  if (!own) return own.error();
  const auto its = sides.of(other, with_time, cancel);
  if (!its) return its.error();
  return against(*own, *its, speed, called);
}

}  // namespace warplens::explain
