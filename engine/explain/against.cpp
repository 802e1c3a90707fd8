#include "engine/explain/against.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <string_view>

#include "engine/base/text.hpp"
#include "engine/explain/cause_words.hpp"
#include "engine/explain/claims/quantity.hpp"
#include "engine/time/predict_run.hpp"
#include "engine/time/why/reason.hpp"

namespace warplens::explain {
namespace {

using catalog::About;

struct Amount {
  std::string_view of;
  double run::StepCount::*count;
  bool is_last = false;           // said only where nothing else differs clearly
  About about = About::anything;  // of the steps whose point it is
  double unit = 1;                // one of what is said, in what is counted
};
// Where two ratios are equal the first one is said.
constexpr std::array kAmounts = {
    Amount{"sectors of global memory", &run::StepCount::bytes, false, About::sectors, 32},
    Amount{"wavefronts of shared memory", &run::StepCount::wavefronts, false, About::wavefronts},
    Amount{"accesses to global memory", &run::StepCount::requests},
    Amount{"instructions", &run::StepCount::instructions},
    Amount{"barriers", &run::StepCount::barriers, true, About::barriers}};
constexpr double kClear = 1.1;     // less is no difference that a step is for
constexpr double kClearer = 1.25;  // less is not worth a second sentence
constexpr double kSpeed = 0.015;   // repeated measurements differ by less
constexpr double kHalf = 0.5;      // of what was measured: a prediction of less says nothing of it
constexpr std::size_t kMostModelsKept = 64;

struct Change {
  const Amount* of = nullptr;
  double ratio = kClear;
};
struct Changes {
  Change less, more;
};

// Whether what TMA and wgmma do is in it: what threads do beside them says little of such a step.
bool counts_queues(const Amount& amount) {
  return amount.count == &run::StepCount::bytes || amount.count == &run::StepCount::wavefronts;
}

Changes changes(const run::StepCount& step, const run::StepCount& before) {
  Changes found;
  const double work = run::times_the_work(step, before);
  for (const Amount& amount : kAmounts) {
    const double now = step.*amount.count / work, then = before.*amount.count;
    if (now <= 0 || then <= 0) continue;
    if (step.has_queues && !counts_queues(amount)) continue;
    const bool has_less = amount.is_last && found.less.of != nullptr;
    if (then / now > found.less.ratio * 1.001 && !has_less) found.less = {&amount, then / now};
    // More traffic explains more than more instructions or barriers do.
    const bool has_more =
        found.more.of != nullptr && (amount.is_last || amount.count == &run::StepCount::instructions);
    if (now / then > found.more.ratio * 1.001 && !has_more) found.more = {&amount, now / then};
  }
  return found;
}

Claim of_both(std::string words, Quantity quantity, double number, std::string_view of = {}) {
  return claim::of(claim::words(std::move(words), quantity, number, Scope::two_steps), std::string(of));
}

// "step 5", or the name of a kernel.
Claims name_of_other(const std::string& called) {
  constexpr std::string_view step = "step ";
  if (!called.starts_with(step)) return {};
  return {of_both(called, Quantity::step_number, std::strtod(called.c_str() + step.size(), nullptr))};
}

std::string words_of(Claims& claims, const Change& change, std::string_view how) {
  const Quantity quantity = how == "fewer" ? Quantity::times_less : Quantity::times_more;
  const bool of_machine = change.of->count == &run::StepCount::instructions;
  Claim ratio = of_both(ratio_words(change.ratio), quantity, change.ratio,
                        of_machine ? "instructions that are executed" : change.of->of);
  return fmt::format("{} times {} {}", keep(claims, std::move(ratio)), how, change.of->of);
}

std::string speed_words(Claims& claims, double speed) {
  if (std::abs(speed - 1) <= kSpeed) return keep(claims, of_both("as fast", Quantity::times_as_fast, speed));
  const std::string times = speed < 10 ? fmt::format("{:.2f}", speed) : ratio_words(speed);
  return fmt::format("{}{} as fast", speed < 1 ? "slower, " : "",
                     keep(claims, of_both(times + " times", Quantity::times_as_fast, speed)));
}

Verdict verdict_of(const Changes& changes, std::optional<double> speed) {
  if (speed && std::abs(*speed - 1) <= kSpeed) return Verdict::neutral;
  if (speed) return *speed > 1 ? Verdict::good : Verdict::costly;
  return changes.less.of != nullptr   ? Verdict::good
         : changes.more.of != nullptr ? Verdict::costly
                                      : Verdict::neutral;
}

// What is saved first, then what it costs, if that is much.
std::string counts_of(Claims& claims, const Changes& all) {
  if (all.less.of == nullptr)
    return all.more.of == nullptr ? "as many accesses and instructions: what differs is when they come"
                                  : words_of(claims, all.more, "more");
  std::string words = words_of(claims, all.less, "fewer");
  if (all.more.of != nullptr && all.more.ratio >= kClearer)
    words += ", but " + words_of(claims, all.more, "more");
  return words;
}

std::string words_of_as_fast(Claims& claims, const Changes& all, const time::ReasonWords& holds) {
  if (holds.empty()) return "";
  const Quantity quantity = holds.is_count ? Quantity::meetings_in_both : Quantity::busy_in_both;
  for (const std::string& number : {holds.number, holds.long_number})
    if (!number.empty()) keep(claims, of_both(number, quantity, holds.value, holds.name));
  if (all.less.of == nullptr && all.more.of == nullptr) return "by the model of time, " + holds.words;
  return (all.less.of != nullptr ? words_of(claims, all.less, "fewer") : words_of(claims, all.more, "more")) +
         ", but " + holds.words + ", by the model of time";
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
  if (side.predicted() && other.predicted())
    step.instructions = side.predicted()->warp_instructions * step.share;
}

// Why, by the model. Nothing where what it predicts is not what was measured: then it says so.
void say_causes(Against& said, const Side& one, const Side& two, const std::string& called,
                const std::atomic<bool>& cancel) {
  const time::Apart apart =
      time::take_apart(*one.modelled, *two.modelled, work_of_other(one.count, two.count), cancel);
  const double measured = std::log(*said.times), share = apart.change / measured;
  if (said.is_measured && share < kHalf) {
    const std::string predicted = ratio_words(std::exp(apart.change));
    said.words = fmt::format(
        "the model of time expects {} and cannot explain the rest",
        keep(said.claims, of_both(predicted + " times", Quantity::predicted_times, std::exp(apart.change))));
    said.brief = fmt::format("the model says {} ×", predicted);
    return;
  }
  std::string words;
  bool waits = false, has_all = true;
  Claims claims;
  for (const time::Cause& cause : time::causes_of(apart)) {
    CauseWords named = cause_words(cause, apart, one.count, two.count, called);
    has_all &= !named.words.empty();
    words += (words.empty() ? "" : " and ") + named.words;
    waits |= !cause.asked;
    said.causes.push_back(cause);
    Claim claim{.kind = ClaimKind::cause, .scope = Scope::two_steps};
    claim.number = std::min(cause.share, 1.0), claim.shown = named.words;
    claim.of = cause.asked ? time::name(*cause.asked) : time::name(cause.wait);
    claims.push_back(std::move(claim));
    add(claims, std::move(named.claims));
  }
  // Of two causes that carry half of the change together, one alone does not.
  const bool is_unnamed = !has_all && said.causes.size() == 1;
  if (!has_all) words.clear(), said.causes.clear(), claims.clear();
  add(said.claims, std::move(claims));
  if (is_unnamed) {
    said.words = "about as many accesses and instructions: what differs is how long they take";
    return;
  }
  if (words.empty()) {
    said.words = fmt::format("the model of time finds {}",
                             keep(said.claims, of_both("no single reason", Quantity::single_reasons, 0)));
    return;
  }
  said.words = waits ? "by the model of time, " + words : words;
  if (const auto other_way = time::against_it(apart))
    if (CauseWords more = cause_words(*other_way, apart, one.count, two.count, called); !more.words.empty()) {
      said.words += ", although " + more.words;
      add(said.claims, std::move(more.claims));
    }
}

// In one block of each.
double a_block(const run::StepCount& count, double amount) {
  return amount / (count.share * static_cast<double>(count.blocks));
}
std::string beside_other(Claims& claims, const Amount& amount, std::string_view claimed,
                         const run::StepCount& step, const run::StepCount& other, const std::string& called) {
  const auto whole = [](double number) { return grouped(static_cast<std::uint64_t>(std::llround(number))); };
  const double own = a_block(step, step.*amount.count) / amount.unit,
               its = a_block(other, other.*amount.count) / amount.unit;
  return fmt::format("{} {} a block where {} has {}",
                     keep(claims, of_both(whole(own), Quantity::a_block, own, claimed)), amount.of, called,
                     keep(claims, of_both(whole(its), Quantity::a_block_of_other, its, claimed)));
}
// The number that the step is about beside that of the other.
std::string words_about(Claims& claims, const run::StepCount& step, const run::StepCount& other,
                        const std::string& called) {
  const bool has_blocks = step.blocks > 0 && other.blocks > 0;
  for (const Amount& amount : kAmounts)
    if (has_blocks && step.about != About::anything && step.about == amount.about &&
        step.*amount.count != other.*amount.count)
      return beside_other(claims, amount, amount.of, step, other, called);
  const bool has_no_loop = step.loop_turns == 0 && other.loop_turns > 0;
  if (!has_blocks || step.about != About::loop || !has_no_loop) return "";
  const std::string none = keep(claims, of_both("no loop is left", Quantity::loop_turns, 0));
  return none + ": " +
         beside_other(claims, {"instructions", &run::StepCount::instructions},
                      "instructions that are executed", step, other, called);
}

}  // namespace

Result<Side> Sides::of(const run::Request& request, bool with_time, const std::atomic<bool>& cancel) {
  auto count = runner_.count(request, cancel);
  if (!count) return count.error();
  Side side{*std::move(count)};
  if (!with_time || !side.count.missing.empty()) return side;
  auto known = model(request, cancel);
  if (!known) return known.error();
  side.modelled = *std::move(known);
  return side;
}

Result<Side> Sides::with_time(const run::Request& request, const std::atomic<bool>& cancel) {
  auto side = of(request, true, cancel);
  return side || cancel ? side : of(request, false, cancel);
}

Sides::Sides(run::Runner& runner) : runner_(runner), modelled_(kMostModelsKept) {}

Result<Sides::SharedModelled> Sides::model(const run::Request& request, const std::atomic<bool>& cancel) {
  const auto make = [&](const std::atomic<bool>& stop) -> Result<SharedModelled> {
    const auto job = runner_.job(request, stop);
    if (!job) return job.error();
    const auto kernel = run::prepare(job->build, job->plan.device);
    if (!kernel) return kernel.error();
    const auto counted = time::count(*job, **kernel, {.threads = request.threads, .cancel = &stop});
    if (!counted) return counted.error();
    if (stop) return run::cancelled();
    auto modelled = time::modelled(*job, **kernel, *counted, {.cancel = stop});
    if (!modelled) return modelled.error();
    return std::make_shared<const time::Modelled>(*std::move(modelled));
  };
  const auto model = modelled_.of(run::count_key(run::as_launched(request)), cancel, make);
  return model ? *model : Result<SharedModelled>(run::cancelled());
}

bool is_same_problem(const run::StepCount& one, const run::StepCount& other) {
  return one.problem.empty() || other.problem.empty() || one.problem == other.problem;
}

double work_of_other(const run::StepCount& step, const run::StepCount& other) {
  return run::times_the_work(other, step) / (other.share / step.share);
}

Against against(const Side& one, const Side& two, std::optional<double> speed, const std::string& called,
                const std::atomic<bool>& cancel) {
  run::StepCount step = one.count, other = two.count;
  if (step.work <= 0 || other.work <= 0 || !step.missing.empty() || !other.missing.empty()) return {};
  if (!is_same_problem(step, other)) return {};
  const bool is_modelled = one.modelled && two.modelled;
  take_machine_instructions(step, one, two);
  take_machine_instructions(other, two, one);
  const Changes all = changes(step, other);
  Against said;
  said.is_measured = speed.has_value(), said.times = speed;
  if (!speed && is_modelled)
    said.times = two.predicted()->seconds / work_of_other(step, other) / one.predicted()->seconds;
  said.verdict = verdict_of(all, said.times);
  if (said.times) said.speed = speed_words(said.claims, *said.times);
  const bool is_alike = all.less.of == nullptr && all.more.of == nullptr;
  if (!said.times) {
    if (!step.has_queues || !is_alike) said.words = of_ptx(counts_of(said.claims, all));
  } else if (is_modelled && said.verdict == Verdict::neutral) {
    const auto holds = time::what_holds_both(*one.predicted(), *two.predicted());
    said.words = words_of_as_fast(said.claims, all, holds);
    if (!holds.brief.empty()) said.brief = holds.brief + ", by the model";
  } else if (is_modelled) {
    say_causes(said, {step, one.modelled}, {other, two.modelled}, called, cancel);
  }
  if (is_modelled) said.about = words_about(said.claims, step, other, called);
  if ((said.words + said.about).find(called) != std::string::npos) add(said.claims, name_of_other(called));
  return said;
}

Result<Against> against(Sides& sides, const run::Request& step, const run::Request& other,
                        std::optional<double> speed, const std::string& called,
                        const std::atomic<bool>& cancel) {
  const auto own = sides.with_time(step, cancel);
  if (!own) return own.error();
  const auto its = sides.with_time(other, cancel);
  if (!its) return its.error();
  Against said = against(*own, *its, speed, called, cancel);
  if (cancel) return run::cancelled();
  return said;
}

}  // namespace warplens::explain
