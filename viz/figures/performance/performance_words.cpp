#include "viz/figures/performance/performance_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>

#include "engine/base/text.hpp"
#include "engine/explain/claims/quantity.hpp"
#include "viz/plot/number_format.hpp"

namespace warplens::figures {
namespace {

using explain::add, explain::Claim, explain::Quantity, explain::Said, explain::say;
using Points = std::vector<const PerformancePoint*>;

constexpr double kClear = 0.015;  // repeated measurements differ by less
constexpr double kSettled = 0.9;  // of the best speed: larger problems bring little more

double speed_of(const PerformancePoint* point) { return shown_speed(*point).speed->value; }

std::string size_text(double size) { return grouped(static_cast<std::uint64_t>(size + 0.5)); }
std::string percent(double share) { return fmt::format("{} %", plot::plain(100 * share, 2)); }
// No fewer digits than stand before the point: the number is what it says.
std::string times(double ratio) {
  constexpr int all = 15;
  return ratio < 100 ? plot::plain(ratio, ratio >= 2 && ratio < 10 ? 2 : 3)
                     : plot::plain(std::round(ratio), all);
}

std::size_t number_of(const PerformanceInput& input, const PerformancePoint& point) {
  return point.number > 0 ? point.number : static_cast<std::size_t>(&point - input.points.data()) + 1;
}

// ---- claims: of a step by its kernel, and of its size where several are spoken of

Claim claimed(std::string words, Quantity quantity, double number, std::string of = {}) {
  return explain::claim::of(explain::claim::words(std::move(words), quantity, number, explain::Scope::kernel),
                            std::move(of));
}
Claim step_claim(const PerformanceInput& input, const PerformancePoint& point) {
  const std::size_t number = number_of(input, point);
  return claimed(fmt::format("step {}", number), Quantity::step_number, static_cast<double>(number),
                 point.id);
}
std::string at_size(const PerformancePoint& point, double size) {
  return fmt::format("{} at {}", point.id, static_cast<std::int64_t>(std::llround(size)));
}
Claim speed_claim(const PerformanceInput& input, double value, Quantity quantity, std::string of) {
  return claimed(plot::si(1e9 * value, 3, " ", input.unit.substr(1)), quantity, 1e9 * value, std::move(of));
}
Claim size_claim(const PerformancePoint& point, Quantity quantity) {
  return claimed(size_text(point.size), quantity, point.size, at_size(point, point.size));
}
void take(explain::Explanation& said, std::string& part, Said words) {
  part += words.text;
  add(said.claims, std::move(words.claims));
}
// What is not measured is called so.
Said with_source(Said said, const PerformancePoint& point) {
  if (!said.text.empty() && !shown_speed(point).is_measured()) said.text += ", by the model";
  return said;
}

// The chosen step where its speed is known, else the best.
const PerformancePoint* shown_of(const PerformanceInput& input, const Points& points) {
  if (points.empty()) return nullptr;
  const auto chosen =
      std::ranges::find_if(points, [&](const auto* point) { return point->id == input.chosen; });
  return chosen != points.end() && !input.chosen.empty() ? *chosen
                                                         : *std::ranges::max_element(points, {}, speed_of);
}

// "step 7 is slower than step 6"; "step 3 is 1.5 times as fast".
Said next_words(const PerformanceInput& input, const Points& points) {
  const auto chosen =
      std::ranges::find_if(points, [&](const auto* point) { return point->id == input.chosen; });
  if (input.chosen.empty() || chosen == points.end() || chosen + 1 == points.end() ||
      (*chosen)->problem != (*(chosen + 1))->problem)
    return {};
  const PerformancePoint& next = **(chosen + 1);
  const double ratio = speed_of(&next) / speed_of(*chosen);
  const auto over = [&](std::string words) {
    return claimed(std::move(words), Quantity::next_over_own, ratio, next.id);
  };
  if (ratio > 1 + kClear)
    return say("on to {}: {} times as fast", {step_claim(input, next), over(times(ratio))});
  return say("{} is {}", {step_claim(input, next), over(ratio < 1 - kClear ? "slower" : "as fast")});
}

}  // namespace

namespace {

std::vector<const PerformancePoint*> at_one_size(const PerformanceInput& input, bool measured) {
  std::map<double, std::vector<const PerformancePoint*>> by_size;
  for (const PerformancePoint& point : input.points)
    if (const ShownSpeed shown = shown_speed(point);
        shown.speed != nullptr && shown.is_measured() == measured)
      by_size[point.size].push_back(&point);
  std::vector<const PerformancePoint*> most;
  for (auto& [size, points] : by_size)
    if (points.size() >= most.size()) most = std::move(points);
  return most;
}

}  // namespace

ShownSpeed shown_speed(const PerformancePoint& point) {
  using measured::SpeedSource;
  const SpeedSource from = measured::shown_source({.live = point.live.has_value(),
                                                   .recorded = point.recorded.has_value(),
                                                   .predicted = point.predicted.has_value()});
  switch (from) {
    case SpeedSource::live:
      return {&*point.live, from};
    case SpeedSource::recorded:
      return {&*point.recorded, from};
    case SpeedSource::predicted:
      return {&*point.predicted, from};
    case SpeedSource::none:
      break;
  }
  return {};
}

std::vector<const PerformancePoint*> shown_at_one_size(const PerformanceInput& input) {
  auto measured = at_one_size(input, true), predicted = at_one_size(input, false);
  return measured.size() >= 2 || predicted.size() <= measured.size() ? measured : predicted;
}

namespace {

// Whether steps are predicted of which some are not known yet: then none is the best.
bool is_being_predicted(const PerformanceInput& input, const Points& known) {
  const PerformancePoint& first = *known.front();
  return !shown_speed(first).is_measured() &&
         std::ranges::any_of(input.points, [&](const PerformancePoint& point) {
           return point.size == first.size && point.problem == first.problem && point.refused.empty() &&
                  shown_speed(point).speed == nullptr;
         });
}

// Of one problem: speeds of others are no measure of each other.
Said headline_said(const PerformanceInput& input, const Points& all) {
  if (all.size() < 2 || is_being_predicted(input, all)) return {};
  Points points;
  for (const PerformancePoint* point : all)
    if (point->problem == all.front()->problem) points.push_back(point);
  const PerformancePoint &first = *points.front(), &best = **std::ranges::max_element(points, {}, speed_of);
  const double ratio = speed_of(&best) / speed_of(&first);
  if (&first == &best) return {};
  const auto steps = static_cast<double>(number_of(input, best) - number_of(input, first) + 1);
  Said said = say("{} in {}", {claimed(times(ratio) + " times as fast", Quantity::best_over_first, ratio),
                               claimed(plot::plain(steps, 3) + " steps", Quantity::steps_to_best, steps)});
  if (!best.library || !shown_speed(best).is_measured()) return with_source(std::move(said), best);
  const double share = speed_of(&best) / best.library->value;
  said.text += ", " + explain::keep(said.claims, claimed(fmt::format("{:.0f} %", 100 * share),
                                                         Quantity::best_of_library, share));
  said.text += " of cuBLAS";
  return said;
}

// The step that is most times as fast as the best one before it of the same problem.
Said most_words(const PerformanceInput& input, const Points& points) {
  double most = 0;
  const PerformancePoint* best = nullptr;
  std::map<std::string, double> fastest;  // of the steps before, by what they compute
  for (const PerformancePoint* point : points) {
    double& before = fastest[point->problem];
    if (const double gain = before > 0 ? speed_of(point) / before : 0; gain > most) most = gain, best = point;
    before = std::max(before, speed_of(point));
  }
  if (best == nullptr || most <= 1 + kClear) return {};
  return say("{}, {}, brings most: {} times the best before it",
             {step_claim(input, *best), explain::claim::of(explain::claim::name(best->step), best->id),
              claimed(times(most), Quantity::over_best_before, most, best->id)});
}

}  // namespace

std::string headline_of(const PerformanceInput& input) {
  return headline_said(input, shown_at_one_size(input)).text;
}

explain::Explanation ladder_words(const PerformanceInput& input) {
  explain::Explanation said;
  const Points points = shown_at_one_size(input);
  take(said, said.what, headline_said(input, points));
  if (said.what.empty()) return {};
  said.rule = explain::RuleId::of_figure;
  take(said, said.why, most_words(input, points));
  take(said, said.fix, next_words(input, points));
  return said;
}

namespace {

// One step over its sizes, ascending: speeds of one kind, measured or predicted.
struct Curve {
  Points points;
  const PerformancePoint* best = nullptr;
  std::size_t settled = 0;  // from this one on all have nearly the best speed; behind the last: none has

  double share(const PerformancePoint* point) const { return speed_of(point) / speed_of(best); }
  double least_from(std::size_t first) const {
    double least = 1;
    for (std::size_t i = first; i < points.size(); ++i) least = std::min(least, share(points[i]));
    return least;
  }
};
Curve curve_of(const PerformanceInput& input, const PerformancePoint& shown) {
  Curve curve;
  const bool is_measured = shown_speed(shown).is_measured();
  for (const PerformancePoint& point : input.points)
    if (const ShownSpeed speed = shown_speed(point); speed.speed != nullptr &&
                                                     speed.is_measured() == is_measured &&
                                                     point.number == shown.number && point.step == shown.step)
      curve.points.push_back(&point);
  std::ranges::sort(curve.points, {}, [](const auto* point) { return point->size; });
  curve.best = *std::ranges::max_element(curve.points, {}, speed_of);
  while (curve.least_from(curve.settled) < kSettled) ++curve.settled;
  return curve;
}

Said best_words(const PerformanceInput& input, const Curve& curve) {
  return say("{} reaches {} at {}", {step_claim(input, *curve.best),
                                     speed_claim(input, speed_of(curve.best), Quantity::speed_at_size,
                                                 at_size(*curve.best, curve.best->size)),
                                     size_claim(*curve.best, Quantity::best_size)});
}
// Empty where the largest size has not nearly the best speed.
Said settled_words(const Curve& curve) {
  if (curve.settled == curve.points.size()) return {};
  const PerformancePoint& from = *curve.points[curve.settled];
  return say("{} and larger: {} of the best, or more",
             {size_claim(from, Quantity::known_size),
              claimed(percent(kSettled), Quantity::least_share_from, kSettled, at_size(from, from.size))});
}
Claim share_claim(const Curve& curve, const PerformancePoint& point) {
  return claimed(percent(curve.share(&point)), Quantity::share_of_best, curve.share(&point),
                 at_size(point, point.size));
}
// "16 blocks on 132 SMs: 116 idle"; empty where none is idle.
Said idle_said(const PerformanceInput& input, const PerformancePoint& point) {
  if (!input.roofline || idle_words(point.blocks, input.roofline->multiprocessors).empty()) return {};
  const auto sms = static_cast<double>(input.roofline->multiprocessors),
             blocks = static_cast<double>(point.blocks);
  return say(point.blocks == 1 ? "{} block on {} SMs: {} idle" : "{} blocks on {} SMs: {} idle",
             {explain::claim::number(Quantity::blocks, blocks, explain::Scope::kernel),
              explain::claim::number(Quantity::sms, sms, explain::Scope::kernel),
              explain::claim::number(Quantity::idle_sms, sms - blocks, explain::Scope::kernel)});
}

// Of all sizes, where none is on screen.
void say_curve(explain::Explanation& said, const PerformanceInput& input, const Curve& curve) {
  take(said, said.what, with_source(best_words(input, curve), *curve.best));
  if (curve.settled == 0 || curve.settled == curve.points.size()) return;
  const PerformancePoint &before = *curve.points[curve.settled - 1], &from = *curve.points[curve.settled];
  take(said, said.why,
       say("at {} it has {} of that, at {} {}",
           {size_claim(before, Quantity::known_size), share_claim(curve, before),
            size_claim(from, Quantity::known_size), share_claim(curve, from)}));
  take(said, said.fix, settled_words(curve));
}

}  // namespace

namespace {

// The chosen step as it was measured, or predicted; the quickest where none is chosen.
const PerformancePoint* point_of_curve(const PerformanceInput& input) {
  if (input.chosen.empty()) return shown_of(input, shown_at_one_size(input));
  for (const bool is_measured : {true, false})
    for (const PerformancePoint* point : at_one_size(input, is_measured))
      if (point->id == input.chosen) return point;
  return nullptr;
}

}  // namespace

explain::Explanation size_words(const PerformanceInput& input) {
  const PerformancePoint* shown = point_of_curve(input);
  if (shown == nullptr) return {};
  const Curve curve = curve_of(input, *shown);
  if (curve.points.size() < 2) return {};
  explain::Explanation said;
  said.rule = explain::RuleId::of_figure;
  if (!input.run_size) {
    say_curve(said, input, curve);
    return said;
  }
  const PerformancePoint* here = curve.points.front();
  for (const auto* point : curve.points)
    if (point->size <= *input.run_size) here = point;
  const double share = curve.share(here);
  if (here == curve.best) {
    take(said, said.what, best_words(input, curve));
    said.what += ", its best";
  } else {
    take(said, said.what,
         say("{} has {} of its best speed at {}", {step_claim(input, *shown), share_claim(curve, *here),
                                                   size_claim(*here, Quantity::known_size)}));
    take(said, said.why, idle_said(input, *here));
    if (!said.why.empty()) said.why += "; ";
    take(said, said.why, best_words(input, curve));
  }
  if (!shown_speed(*here).is_measured()) said.what += ", by the model";
  if (share < kSettled) take(said, said.fix, settled_words(curve));
  said.verdict = share < 0.5 ? explain::Verdict::costly : explain::Verdict::neutral;
  return said;
}

namespace {

// "L1 limits this step", "the warp schedulers limit this step".
std::string within_sentence(std::string text) {
  const auto is_lower = [](char c) { return c >= 'a' && c <= 'z'; };
  if (text.size() > 1 && is_lower(text[1])) text.front() = static_cast<char>(std::tolower(text.front()));
  return text;
}

// "By the model, which predicts 8.26 TFLOP/s, shared memory limits this step: ...": its shares are of that speed.
Said limit_words(const PerformanceInput& input, const PerformancePoint& shown) {
  constexpr double same = 0.05;
  const std::string limit = within_sentence(shown.limit.what);
  const bool is_other = shown_speed(shown).is_measured() && shown.predicted &&
                        std::abs(shown.predicted->value / speed_of(&shown) - 1) >= same;
  if (!is_other) return {"by the model " + limit};
  const Claim speed =
      explain::claim::words(plot::si(1e9 * shown.predicted->value, 3, " ", input.unit.substr(1)),
                            Quantity::speed, 1e9 * shown.predicted->value, explain::Scope::two_steps);
  Said said = say("by the model, which predicts {}, ", {speed});
  said.text += limit;
  return said;
}

// The roof of L1 is of the bytes alone.
bool is_busier_than_its_bytes(const Bound& bound, const explain::Explanation& limit, double share) {
  return bound.by == device::Roof::l1 && std::ranges::any_of(limit.claims, [&](const Claim& claim) {
           return claim.quantity == Quantity::limits && claim.of == "l1" && claim.number > share;
         });
}

}  // namespace

// What would make it quicker follows from what holds it by the model of time, not from the roof above it.
explain::Explanation roofline_words(const PerformanceInput& input) {
  const PerformancePoint* shown = shown_of(input, shown_at_one_size(input));
  if (shown == nullptr) return {};
  const auto most = bound_of(input, *shown);
  if (!most) return {};
  explain::Explanation said;
  said.rule = explain::RuleId::of_figure;
  const double share = std::min(1.0, speed_of(shown) / most->speed);
  const std::string by(device::to_string(most->by));
  take(
      said, said.what,
      with_source(say(most->by == device::Roof::arithmetic ? "{} reaches {} of what {} allows"
                      : most->by == device::Roof::tensor   ? "{} reaches {} of what the {} can do"
                                                         : "{} reaches {} of what the bandwidth of {} allows",
                      {step_claim(input, *shown), claimed(percent(share), Quantity::share_of_bound, share),
                       claimed(by, Quantity::is_bound, 1, by)}),
                  *shown));
  take(said, said.why,
       say("{} of at most {}",
           {speed_claim(input, speed_of(shown), Quantity::speed_at_size, at_size(*shown, shown->size)),
            speed_claim(input, most->speed, Quantity::bound, shown->id)}));
  said.verdict = share < 0.3 ? explain::Verdict::costly : explain::Verdict::neutral;
  if (shown->limit.what.empty()) return said;
  said.why += "; ";
  take(said, said.why, limit_words(input, *shown));
  if (is_busier_than_its_bytes(*most, shown->limit, share))
    said.why +=
        ", as an access takes cycles of L1 for the lines that it touches, however few bytes they give";
  said.fix = shown->limit.fix;
  add(said.claims, shown->limit.claims);
  return said;
}

}  // namespace warplens::figures
