#include "viz/figures/time/latency.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "engine/explain/claims/quantity.hpp"
#include "engine/explain/doubt.hpp"
#include "viz/figures/parts/explanation.hpp"
#include "viz/figures/time/time_words.hpp"
#include "viz/plot/plot_layout.hpp"

namespace warplens::figures {
namespace {

using explain::add, explain::Claim, explain::Quantity, explain::say;
using plot::Plot, plot::Series;

// Speeds that differ by less are the same.
constexpr double kAlike = 0.04;

const time::AtWarps& fastest(const time::OverWarps& over) {
  const auto best = std::ranges::min_element(over.points, {}, &time::AtWarps::seconds);
  // The fewest warps that are as fast.
  return *std::ranges::find_if(
      over.points, [&](const time::AtWarps& at) { return at.seconds <= (1 + kAlike) * best->seconds; });
}

Result<const time::OverWarps*> shown(const Subject& subject) {
  if (auto why = why_no_time(subject)) return *std::move(why);
  if (subject.known.over_warps == nullptr)
    return Error{"the model tries other numbers of warps", "wait a moment"};
  if (!*subject.known.over_warps) return subject.known.over_warps->error();
  return &**subject.known.over_warps;
}

std::string limits(const time::OverWarps& over) {
  std::vector<std::string_view> names;
  for (const device::Limiter limiter : over.occupancy.limiters)
    names.push_back(limiter == device::Limiter::shared ? "shared memory" : to_string(limiter));
  return fmt::format("{}", fmt::join(names, " and "));
}

}  // namespace

plot::Plot latency_plot(const run::Run& run, const time::OverWarps& over, Look look) {
  const Work work = work_of(run);
  Plot plot;
  plot.title = "How many warps hide the waiting?";
  if (!is_brief(look)) {
    plot.subtitle = fmt::format("{}, {}, {}: predicted speed over the warps that an SM holds at a time",
                                run.plan().spec.title, size_words(run.plan()), run.device().name);
    plot.caption =
        over.now + 1 < over.points.size()
            ? fmt::format("More than {} warps do not fit: {}. The points beyond are as if they did",
                          over.points[over.now].warps, limits(over))
            : "By the model; blocks of this size, from one at a time to all that fit";
  }
  plot.x = {.label = "Warps on an SM", .unit = "warps", .scale = plot::Scale::log2, .binary = true};
  plot.y = {.label = std::string(work.unit),
            .unit = std::string(work.unit),
            .notation = plot::Notation::si,
            .low = 0};
  Series line{.id = "predicted", .name = "predicted", .provenance = plot::Provenance::modelled};
  for (const time::AtWarps& at : over.points) {
    line.x.push_back(at.warps);
    line.y.push_back(work.amount / at.seconds);
    line.tips.push_back(fmt::format("{} of {}, {}", counted(static_cast<std::uint64_t>(at.blocks), "block"),
                                    counted(static_cast<std::uint64_t>(at.warps / at.blocks), "warp"),
                                    duration(at.seconds)));
  }
  const time::AtWarps& now = over.points[over.now];
  Series here{.id = "now",
              .name = "this kernel",
              .kind = Series::Kind::points,
              .provenance = plot::Provenance::modelled};
  here.color = Color{theme::Token::costly};
  here.x = {static_cast<double>(now.warps)}, here.y = {work.amount / now.seconds};
  here.labels = {fmt::format("now: {}", counted(static_cast<std::uint64_t>(now.warps), "warp"))};
  plot.series = {std::move(line), std::move(here)};
  plot.annotations.push_back({.kind = plot::Annotation::Kind::vertical,
                              .x = static_cast<double>(now.warps),
                              .color = theme::Token::costly});
  return plot;
}

namespace {

Claim of_warps(std::string words, Quantity quantity, double number) {
  return explain::claim::words(std::move(words), quantity, number, explain::Scope::device);
}

// "4 warps reach 28 % of the speed of 64", and how many are as fast as those.
explain::Said alone_words(const time::OverWarps& over) {
  const time::AtWarps &now = over.points[over.now], &alone = over.points.front(), &best = fastest(over);
  const double share = now.seconds / alone.seconds;
  explain::Said said = say(
      "{} reach {} of the speed of {}",
      {of_warps(counted(static_cast<std::uint64_t>(alone.warps), "warp"), Quantity::warps_alone, alone.warps),
       of_warps(share_text(share), Quantity::share_alone, share),
       of_warps(std::to_string(now.warps), Quantity::warps_now, now.warps)});
  if (best.warps >= now.warps) return said;
  explain::Said fewer =
      say("; {} are as fast", {of_warps(std::to_string(best.warps), Quantity::warps_as_fast, best.warps)});
  said.text += fewer.text;
  add(said.claims, std::move(fewer.claims));
  return said;
}

// "12 % faster than", "3.7 times as fast as": more than twice is no share that a class has a picture of.
Claim faster_claim(double times) {
  constexpr double kAsTimes = 2;
  return times < kAsTimes
             ? of_warps(share_text(times - 1) + " faster than", Quantity::faster_at_best, times - 1)
             : of_warps(plot::plain(times, 2) + " times as fast as", Quantity::times_at_best, times);
}

}  // namespace

TimeSaid latency_words(const run::Run& run, const time::OverWarps& over) {
  const Work work = work_of(run);
  const time::AtWarps &now = over.points[over.now], &best = fastest(over);
  TimeSaid said;
  said.question = "Would more warps on an SM make it faster?";
  said.unit = "predicted speed over the warps on an SM";
  said.explanation.rule = explain::RuleId::of_figure;
  const bool is_best = now.seconds <= (1 + kAlike) * best.seconds;
  said.explanation.verdict = is_best ? explain::Verdict::good : explain::Verdict::costly;
  // Where there is no other number, none was compared.
  if (over.points.size() == 1) said.explanation.verdict = explain::Verdict::neutral;
  const auto take = [&](std::string& part, explain::Said words) {
    part += words.text;
    add(said.explanation.claims, std::move(words.claims));
  };
  const auto warps = [](int number, Quantity quantity) {
    return of_warps(counted(static_cast<std::uint64_t>(number), "warp"), quantity, number);
  };
  if (over.points.size() == 1)
    take(said.explanation.what,
         say("{} an SM: the grid has {}",
             {warps(now.warps, Quantity::warps_now), of_warps("no more", Quantity::numbers_of_warps, 1)}));
  else if (is_best && &best == &over.points.front())
    take(said.explanation.what,
         say("{} are as fast as {}", {warps(best.warps, Quantity::warps_as_fast),
                                      of_warps(std::to_string(now.warps), Quantity::warps_now, now.warps)}));
  else if (is_best)
    take(said.explanation.what, alone_words(over));
  else
    take(said.explanation.what,
         say("with {} it would be {} with {}",
             {warps(best.warps, Quantity::warps_at_best), faster_claim(now.seconds / best.seconds),
              of_warps(std::to_string(now.warps), Quantity::warps_now, now.warps)}));
  const auto speed = [&](double seconds, Quantity quantity) {
    return of_warps(speed_words(work, seconds), quantity, work.amount / seconds);
  };
  if (now.warps == over.points.front().warps)
    take(said.explanation.why, say("{} now; ", {speed(now.seconds, Quantity::speed)}));
  else
    take(said.explanation.why, say("{} now, {} with one block at a time; ",
                                   {speed(now.seconds, Quantity::speed),
                                    speed(over.points.front().seconds, Quantity::speed_alone)}));
  explain::Said head = headline_said(over.prediction);
  head.text = in_a_sentence(head.text);
  take(said.explanation.why, std::move(head));
  const auto& by = over.occupancy.limiters;
  const bool is_one = by.size() == 1 && by.front() == device::Limiter::shared;
  if (!is_best && best.warps > now.warps)
    take(said.explanation.fix,
         say(fmt::format("{} {{}}: less of {} a block, or more independent work a thread", limits(over),
                         is_one ? "it" : "them"),
             {of_warps(is_one ? "allows no more" : "allow no more", Quantity::warps_now, now.warps)}));
  else if (!is_best)
    said.explanation.fix = "fewer blocks at a time, or larger ones";
  return said;
}

Result<scene::Scene> draw_latency(const Subject& subject, scene::Size size,
                                  const scene::TextMeasure& measure) {
  const auto over = shown(subject);
  if (!over) return over.error();
  const plot::Plot plot = latency_plot(*subject.run, **over, subject.look);
  if (!has_words(subject.look)) return plot::plot_scene(plot, size, measure);
  const Rect area = inner_area(size);
  const explain::Explanation said =
      explain::without_praise(latency_words(*subject.run, **over).explanation, *subject.run);
  const double strip = explanation_height(said, {}, area.width, measure);
  scene::Scene scene = plot::plot_scene(plot, {size.width, area.bottom() - strip}, measure);
  scene.size = size;
  add_explanation(scene.root, {area.x, area.bottom() - strip, area.width, strip}, said, {}, {}, measure,
                  kOfStep);
  return scene;
}

Result<std::string> latency_table(const Subject& subject) {
  const auto over = shown(subject);
  return over ? Result<std::string>(plot::to_csv(latency_plot(*subject.run, **over, Look::file)))
              : Result<std::string>(over.error());
}

}  // namespace warplens::figures
