#include "viz/figures/warp/rounding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <span>

#include "engine/explain/claims/quantity.hpp"
#include "engine/explain/doubt.hpp"
#include "viz/figures/parts/explanation.hpp"
#include "viz/plot/plot_layout.hpp"

namespace warplens::figures {
namespace {

using plot::Plot, plot::Series;
using trace::ThreadRounding, trace::WarpRounding;

constexpr double kRounded = 0.5;  // units that the last rounding alone may cost
constexpr std::size_t kMostPoints = 4096;

const ThreadRounding& worst_of(const WarpRounding& warp) {
  return warp.threads[static_cast<std::size_t>(std::max(warp.worst(), 0))];
}

// Three digits.
std::string amount(double value) {
  const double size = std::abs(value);
  return fmt::format("{:.{}f}", size, size >= 100 || size == std::floor(size) ? 0 : size >= 10 ? 1 : 2);
}
std::string units_text(double value) {
  return fmt::format("{} {}", amount(value), amount(value) == "1" ? "unit" : "units");
}

bool is_lost(const ThreadRounding& thread) {  // nothing of the number is left
  return thread.exact != 0 && std::abs(thread.error()) >= std::abs(thread.exact);
}

bool is_beyond(const ThreadRounding& thread) { return !std::isfinite(thread.result); }

// The numbers with as many digits as tell each float from all others.
struct Digits {
  std::string result, exact;
  std::size_t same = 0;  // from the first on
};
Digits digits_of(const ThreadRounding& thread) {
  const int precision = thread.is_double ? 17 : 9;
  const double size = std::max(std::abs(thread.exact), std::abs(thread.result));
  const bool plain = size == 0 || (size >= 1e-4 && size < 1e7);
  const int decimals =
      size == 0 ? 1 : std::max(precision - 1 - static_cast<int>(std::floor(std::log10(size))), 1);
  const auto text = [&](double value) {
    return plain ? fmt::format("{:.{}f}", value, decimals) : fmt::format("{:.{}e}", value, precision - 1);
  };
  Digits digits{text(thread.result), text(thread.exact)};
  const auto [a, b] = std::ranges::mismatch(digits.result, digits.exact);
  digits.same = static_cast<std::size_t>(a - digits.result.begin());
  return digits;
}

// Both numbers under each other; from the first digit that is wrong on the sum is marked.
double add_numbers(Group& group, Point at, const ThreadRounding& thread, Look look,
                   const scene::TextMeasure& measure) {
  const Digits digits = digits_of(thread);
  const double size = is_large(look) ? 26 : 22, row = size + 10;
  const auto style = [&](Color color) { return sized(code(color), size); };
  const double names = std::max(measure.width("this sum", body()), measure.width("true sum", body())) + 16;
  const auto write = [&](double y, const char* name, const std::string& number, std::size_t same,
                         Color rest) {
    group.text({at.x, y}, name, body(Token::dim));
    group.text({at.x + names, y}, number.substr(0, same), style(Token::text));
    if (same < number.size())
      group.text({at.x + names + measure.width(number.substr(0, same), style(Token::text)), y},
                 number.substr(same), style(rest));
  };
  write(at.y + size, "this sum", digits.result, digits.same, Token::costly);
  write(at.y + size + row, "true sum", digits.exact, digits.same, Token::good);
  return 2 * row;
}

// What is left is the largest error of its stretch: a picture has fewer columns.
std::vector<trace::RoundedStep> thinned(const std::vector<trace::RoundedStep>& steps) {
  const std::size_t each = steps.size() / kMostPoints + 1;
  std::vector<trace::RoundedStep> kept;
  for (std::size_t at = 0; at < steps.size(); at += each) {
    const auto stretch = std::span(steps).subspan(at, std::min(each, steps.size() - at));
    kept.push_back(*std::ranges::max_element(stretch, {}, [](const auto& s) { return std::abs(s.error); }));
  }
  return kept;
}

// The sums of all numbers read so far. Sums of a part of them, which wait for a partner, and corrections are
// left out: they are no sum that could be too large or too small. All steps where the last one is of a part.
std::vector<trace::RoundedStep> running_sums(const std::vector<trace::RoundedStep>& steps) {
  std::vector<trace::RoundedStep> sums;
  for (const trace::RoundedStep& step : steps) {
    if (step.read == 0 || step.terms < step.read) continue;
    if (sums.empty() || sums.back().read != step.read)
      sums.push_back(step);
    else if (std::abs(step.exact) >= std::abs(sums.back().exact))
      sums.back() = step;
  }
  const bool is_whole = !sums.empty() && sums.back().read == steps.back().read;
  return is_whole ? sums : steps;
}

Series line_of(const ThreadRounding& thread, double unit, const char* id, std::string name, Color color) {
  Series line{.id = id, .name = std::move(name), .provenance = plot::Provenance::emulated, .color = color};
  line.markers = false;
  const bool reads = std::ranges::any_of(thread.steps, [](const auto& step) { return step.read > 0; });
  double at = 0;
  for (const trace::RoundedStep& step : thinned(running_sums(thread.steps))) {
    line.x.push_back(reads ? step.read : ++at);
    line.y.push_back(step.error / unit);
  }
  return line;
}

Plot plot_of(const Rounding& rounding, Look look) {
  const ThreadRounding& own = worst_of(rounding.own);
  const bool reads = std::ranges::any_of(own.steps, [](const auto& step) { return step.read > 0; });
  Plot plot;
  plot.x = {.label = reads ? "Numbers read" : "Additions", .low = 0, .whole = true};
  plot.y = {.label = is_brief(look) ? "Error" : "Error, in units of the last place of the sum"};
  if (rounding.before) {
    // The same thread, so that both lines are of the same numbers.
    const auto at = static_cast<std::size_t>(std::max(rounding.own.worst(), 0));
    const ThreadRounding& other = rounding.before->threads[at];
    if (other.stored)
      plot.series.push_back(
          line_of(other, own.unit(), "before", "step " + rounding.number, Color{Token::dim, 0.6}));
  }
  plot.series.push_back(line_of(own, own.unit(), "error", "this step", Color{Token::first_warp}));
  double most = 1;
  for (const Series& line : plot.series)
    for (const double y : line.y) most = std::max(most, std::abs(y));
  plot.y.low = -1.08 * most, plot.y.high = 1.08 * most;
  plot.names_at_ends = false;
  plot.annotations.push_back({.kind = plot::Annotation::Kind::horizontal,
                              .y = 0,
                              .text = is_brief(look) ? "" : "true sum",
                              .color = Token::good});
  return plot;
}

// One bar a thread, up where its sum is too large.
void add_threads(Group& group, const Rect& rect, const WarpRounding& warp, Look look) {
  double most = kRounded;
  for (const ThreadRounding& thread : warp.threads)
    if (thread.stored) most = std::max(most, std::abs(thread.units_off()));
  const double middle = rect.y + 24 + (rect.height - 24) / 2, half = (rect.height - 24) / 2 - 2,
               wide = rect.width / 32;
  group.text({rect.x, rect.y + 13},
             is_brief(look)
                 ? "The warp’s 32 sums"
                 : fmt::format("The sums of this warp’s 32 threads: how far off each is, {} at most",
                               units_text(most)),
             caption(is_large(look) ? Token::text : Token::dim));
  group.line({rect.x, middle}, {rect.right(), middle}, {Token::good, 1.5});
  const int worst = warp.worst();
  for (int lane = 0; lane < 32; ++lane) {
    const ThreadRounding& thread = warp.threads[static_cast<std::size_t>(lane)];
    if (!thread.stored) continue;
    const double off = thread.units_off(), high = half * std::abs(off) / most;
    const Rect bar{rect.x + lane * wide + 1, off > 0 ? middle - high : middle, wide - 2, high};
    if (high > 0.2)
      group.rect(bar, {.fill = lane == worst ? Token::costly : Token::first_warp})
          .named(fmt::format("thread:{}", lane),
                 fmt::format("thread {}: {} too {}", lane, units_text(off), off > 0 ? "large" : "small"));
  }
}

scene::Scene rounding_scene(const Subject& subject, const Rounding& rounding, scene::Size size,
                            const scene::TextMeasure& measure) {
  const Rect area = inner_area(size);
  const Look look = subject.look;
  const ThreadRounding& own = worst_of(rounding.own);
  scene::Scene scene{size};
  double y = area.y;
  if (!is_brief(look)) {
    scene.root.text({area.x, y + 14},
                    fmt::format("{}: thread {} of warp {}, the furthest off of its warp",
                                subject.run->plan().spec.title, rounding.own.worst(), rounding.own.warp),
                    heading());
    y += 30;
  }
  y += add_numbers(scene.root, {area.x, y}, own, look, measure) + 6;
  const double threads = std::clamp((area.bottom() - y) * 0.24, 60.0, 130.0);
  const explain::Explanation said = has_words(subject.look)
                                        ? explain::without_praise(rounding_words(rounding), *subject.run)
                                        : explain::Explanation{};
  const double strip = explanation_height(said, {}, area.width, measure);
  const double bottom = area.bottom() - (strip > 0 ? strip + 12 : 0);
  Group chart;
  chart.origin = {0, y};
  chart.group(std::move(
      plot::plot_scene(plot_of(rounding, look), {size.width, bottom - threads - 10 - y}, measure).root));
  scene.root.group(std::move(chart));
  add_threads(scene.root, {area.x, bottom - threads, area.width, threads}, rounding.own, look);
  if (strip > 0)
    add_explanation(scene.root, {area.x, area.bottom() - strip, area.width, strip}, said, {}, {}, measure,
                    kOfPlot);
  return scene;
}

Result<const Rounding*> shown(const Subject& subject) {
  if (subject.run == nullptr || !subject.run->complete)
    return Error{"this run is not counted yet", "wait until it is"};
  if (subject.known.rounding == nullptr)
    return Error{"the additions are followed once more", "wait a moment"};
  if (!*subject.known.rounding) return subject.known.rounding->error();
  return &**subject.known.rounding;
}

explain::Claim of_warp(std::string words, explain::Quantity quantity, double number) {
  return explain::claim::words(std::move(words), quantity, number, explain::Scope::warp);
}

explain::Said lost_words(double error) {  // over the sum
  constexpr double kAlike = 1.05;
  const std::string times = error < kAlike ? "as large as" : amount(error) + " times";
  return explain::say("the sum is lost: its error is {} the sum itself",
                      {of_warp(times, explain::Quantity::error_over_sum, error)});
}

explain::Said what_is_off(const ThreadRounding& own) {
  using explain::Quantity;
  const double off = std::abs(own.units_off());
  if (is_beyond(own)) return {"the sum is beyond the largest number of its type"};
  if (is_lost(own)) return lost_words(std::abs(own.error() / own.exact));
  if (off <= kRounded)
    return explain::say("the true sum rounded {}", {of_warp("once", Quantity::units_off, off)});
  return explain::say(
      fmt::format("the sum is {{}} of its last place too {}", own.error() > 0 ? "large" : "small"),
      {of_warp(units_text(off), Quantity::units_off, off)});
}

// Against the step before, or how many threads are right.
explain::Said why_it_is_off(const Rounding& rounding) {
  using explain::Quantity;
  const ThreadRounding& own = worst_of(rounding.own);
  const double off = std::abs(own.units_off());
  if (is_beyond(own)) return {};
  if (rounding.before) {
    const double other = std::abs(worst_of(*rounding.before).units_off());
    const auto step = of_warp("step " + rounding.number, Quantity::step_number,
                              std::strtod(rounding.number.c_str(), nullptr));
    const auto units = of_warp(units_text(other), Quantity::units_off_of_other, other);
    if (off >= other) return explain::say("{} is {} off at most in this warp", {step, units});
    if (off <= kRounded) return explain::say("{} is up to {} off in this warp", {step, units});
    return explain::say("{} is up to {} off in this warp, {} times as much",
                        {step, units, of_warp(amount(other / off), Quantity::times_off, other / off)});
  }
  if (is_lost(own)) {
    const auto right = std::ranges::count_if(rounding.own.threads, [](const ThreadRounding& thread) {
      return thread.stored && std::abs(thread.units_off()) <= kRounded;
    });
    if (right == 0) return {};
    return explain::say(
        fmt::format("{{}} of the warp’s {{}} threads get{} the true sum", right == 1 ? "s" : ""),
        {of_warp(std::to_string(right), Quantity::threads_right, static_cast<double>(right)),
         of_warp("32", Quantity::warp_threads, 32)});
  }
  return off > kRounded ? explain::Said{"an addition rounds its result to a float"} : explain::Said{};
}

}  // namespace

explain::Explanation rounding_words(const Rounding& rounding) {
  explain::Explanation said;
  said.rule = explain::RuleId::of_figure;
  said.verdict =
      std::abs(worst_of(rounding.own).units_off()) <= 1 ? explain::Verdict::good : explain::Verdict::costly;
  explain::Said what = what_is_off(worst_of(rounding.own)), why = why_it_is_off(rounding);
  said.what = std::move(what.text), said.why = std::move(why.text);
  add(said.claims, std::move(what.claims));
  add(said.claims, std::move(why.claims));
  return said;
}

Result<scene::Scene> draw_rounding(const Subject& subject, scene::Size size,
                                   const scene::TextMeasure& measure) {
  const auto rounding = shown(subject);
  if (!rounding) return rounding.error();
  return rounding_scene(subject, **rounding, size, measure);
}

Result<std::string> rounding_table(const Subject& subject) {
  const auto rounding = shown(subject);
  if (!rounding) return rounding.error();
  std::string csv = "thread,result,exact,error,units_off\n";
  for (std::size_t lane = 0; lane < 32; ++lane)
    if (const ThreadRounding& thread = (*rounding)->own.threads[lane]; thread.stored)
      csv += fmt::format("{},{:.17g},{:.17g},{:.17g},{:.6g}\n", lane, thread.result, thread.exact,
                         thread.error(), thread.units_off());
  return csv;
}

}  // namespace warplens::figures
