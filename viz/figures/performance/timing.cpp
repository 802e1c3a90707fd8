#include "viz/figures/performance/timing.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/base/speed.hpp"
#include "engine/base/text.hpp"
#include "viz/figures/parts/explanation.hpp"
#include "viz/figures/parts/parts.hpp"
#include "viz/plot/number_format.hpp"
#include "viz/plot/plot_layout.hpp"

namespace warplens::figures {
namespace {

using measured::Fences, measured::Timing;
using plot::Annotation, plot::Plot, plot::Series;

std::string time_text(double seconds) { return plot::si(seconds, 3, " ", "s"); }

struct Unit {
  double seconds = 1;
  std::string_view name;
};
Unit unit_of(const Timing& timing) {
  constexpr Unit kUnits[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}};
  for (const Unit& unit : kUnits)
    if (timing.median >= unit.seconds) return unit;
  return {1e-9, "ns"};
}

std::vector<double> sorted_of(const Timing& timing) {
  std::vector<double> sorted = timing.seconds;
  std::ranges::sort(sorted);
  return sorted;
}

struct Bins {
  double low = 0, width = 0;
  std::vector<int> counts;
};

// As wide as Freedman and Diaconis have them, and no more than a picture has room for. Precondition: there is a sample.
Bins bins_of(const Timing& timing) {
  constexpr double kMost = 60;
  const std::vector<double> sorted = sorted_of(timing);
  const double range = sorted.back() - sorted.front();
  const double quartiles = quantile(sorted, 0.75) - quantile(sorted, 0.25);
  const double wanted = 2 * quartiles / std::cbrt(static_cast<double>(sorted.size()));
  const double count =
      range > 0 ? std::clamp(std::ceil(range / std::max(wanted, range / kMost)), 1.0, kMost) : 1;
  Bins bins{.low = sorted.front(), .width = range > 0 ? range / count : timing.median * 1e-3, .counts = {}};
  bins.counts.resize(static_cast<std::size_t>(count));
  for (const double value : sorted) {
    const auto at = static_cast<std::size_t>((value - bins.low) / bins.width);
    ++bins.counts[std::min(at, bins.counts.size() - 1)];
  }
  return bins;
}

plot::Axis time_axis(const Timing& timing) {
  const Unit unit = unit_of(timing);
  const auto [least, most] = timing.seconds.empty() ? std::pair(timing.least, timing.p90)
                                                    : std::pair(*std::ranges::min_element(timing.seconds),
                                                                *std::ranges::max_element(timing.seconds));
  const double around = std::max(0.08 * (most - least), 1e-3 * timing.median);
  return {.label = fmt::format("Time of one launch, {}", unit.name),
          .divisor = unit.seconds,
          .low = least - around,
          .high = most + around};
}

plot::Provenance provenance_of(const Timing& timing) {
  return timing.is_live ? plot::Provenance::live : plot::Provenance::recorded;
}

void add_quantiles(Plot& plot, const Timing& timing, Look look) {
  const auto line = [&](double at, std::string text, Color color) {
    plot.annotations.push_back(
        {.kind = Annotation::Kind::vertical, .x = at, .text = std::move(text), .color = color});
  };
  if (!is_brief(look)) line(timing.p10, "10 %", Token::dim), line(timing.p90, "90 %", Token::dim);
  line(timing.median, "median " + time_text(timing.median), Token::text);
}

// How many took how long. A band a bin: renderers fill no outline that turns inwards.
Plot distribution_of(const Timing& timing, Look look) {
  const Bins bins = bins_of(timing);
  Plot plot;
  plot.x = time_axis(timing);
  plot.y = {.label = "Samples", .low = 0, .whole = true};
  for (std::size_t i = 0; i < bins.counts.size(); ++i) {
    if (bins.counts[i] == 0) continue;
    const double left = bins.low + bins.width * static_cast<double>(i), count = bins.counts[i];
    plot.series.push_back({.id = fmt::format("bin {}", i),
                           .kind = Series::Kind::band,
                           .provenance = provenance_of(timing),
                           .color = Color{Token::first_warp},
                           .x = {left, left + bins.width},
                           .low = {0, 0},
                           .high = {count, count}});
  }
  plot.y.high = 1.15 * *std::ranges::max_element(bins.counts);
  add_quantiles(plot, timing, look);
  return plot;
}

// In which order they came.
Plot order_of(const Timing& timing, Look look) {
  const Fences fences = measured::fences_of(timing.seconds);
  Plot plot;
  plot.x = {.label = is_brief(look) ? "Sample" : "Sample, in the order in which they were taken",
            .low = 0,
            .whole = true};
  plot.x.high = static_cast<double>(timing.seconds.size()) + 1;
  plot.y = time_axis(timing);
  Series usual{.id = "sample",
               .name = "sample",
               .kind = Series::Kind::points,
               .provenance = provenance_of(timing),
               .color = Color{Token::first_warp}};
  Series outliers{.id = "outlier",
                  .name = "outlier",
                  .kind = Series::Kind::points,
                  .provenance = provenance_of(timing),
                  .color = Color{Token::costly}};
  for (std::size_t i = 0; i < timing.seconds.size(); ++i) {
    Series& series = fences.are_crossed_by(timing.seconds[i]) ? outliers : usual;
    series.x.push_back(static_cast<double>(i + 1));
    series.y.push_back(timing.seconds[i]);
    series.tips.push_back(fmt::format("sample {}: {}", i + 1, time_text(timing.seconds[i])));
  }
  plot.series.push_back(std::move(usual));
  if (!outliers.x.empty()) plot.series.push_back(std::move(outliers));
  plot.annotations.push_back({.kind = Annotation::Kind::horizontal,
                              .y = timing.median,
                              .text = is_brief(look) ? "" : "median",
                              .color = Token::dim});
  return plot;
}

// From the least to the 90th percentile, where nothing else is known.
Plot quantiles_of(const Timing& timing, Look look) {
  Plot plot;
  plot.x = time_axis(timing);
  // Nothing is counted up this axis: no whole number, and so no tick, lies on it.
  plot.y = {.label = "", .low = 0.1, .high = 0.9, .grid = false, .whole = true};
  Series range{.id = "range",
               .name = "10 to 90 %",
               .kind = Series::Kind::band,
               .provenance = provenance_of(timing),
               .color = Color{Token::first_warp}};
  range.x = {timing.p10, timing.p90}, range.low = {0.25, 0.25}, range.high = {0.75, 0.75};
  plot.series.push_back(std::move(range));
  if (!is_brief(look))
    plot.annotations.push_back(
        {.kind = Annotation::Kind::vertical, .x = timing.least, .text = "least", .color = Token::dim});
  add_quantiles(plot, timing, look);
  return plot;
}

// "NVIDIA H100 80GB HBM3; 211 samples of 5 launches; 1,980 MHz, 312 W"
std::string conditions_of(const Timing& timing) {
  std::string text = timing.device;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : "; ") + part; };
  add(fmt::format("{} of {}", counted(static_cast<std::uint64_t>(timing.samples), "sample"),
                  counted(static_cast<std::uint64_t>(timing.launches_per_sample), "launch", "launches")));
  if (timing.clock_mhz > 0) add(fmt::format("{} MHz", plot::plain(timing.clock_mhz, 4)));
  if (timing.power_watts > 0) add(fmt::format("{} W at most", plot::plain(timing.power_watts, 3)));
  return text;
}

void add_plot(scene::Scene& scene, const Plot& plot, double y, double height,
              const scene::TextMeasure& measure) {
  Group chart;
  chart.origin = {0, y};
  chart.group(std::move(plot::plot_scene(plot, {scene.size.width, height}, measure).root));
  scene.root.group(std::move(chart));
}

scene::Scene timing_scene(const Subject& subject, const Timing& timing, scene::Size size,
                          const scene::TextMeasure& measure) {
  const Rect area = inner_area(size);
  const Look look = subject.look;
  scene::Scene scene{size};
  double y = area.y;
  if (!is_brief(look)) {
    scene.root.text({area.x, y + 14}, subject.run->plan().spec.title + ": how the samples lie", heading());
    scene.root.text({area.x, y + 34}, conditions_of(timing), within(caption(), area.width));
    y += 40;
  }
  const explain::Explanation said = has_words(look) ? timing_words(timing) : explain::Explanation{};
  const double strip = explanation_height(said, {}, area.width, measure);
  const double bottom = area.bottom() - (strip > 0 ? strip + 12 : 0);
  if (timing.seconds.empty()) {
    add_plot(scene, quantiles_of(timing, look), y, std::min(bottom - y, 400.0), measure);
  } else {
    const double half = std::floor((bottom - y) * 0.48);
    add_plot(scene, distribution_of(timing, look), y, half, measure);
    add_plot(scene, order_of(timing, look), y + half, bottom - y - half, measure);
  }
  if (strip > 0)
    add_explanation(scene.root, {area.x, area.bottom() - strip, area.width, strip}, said, {}, {}, measure,
                    kOfPlot);
  return scene;
}

Result<const Timing*> shown(const Subject& subject) {
  if (subject.timing != nullptr) return subject.timing.get();
  return Error{"nothing was measured of exactly this launch",
               "choose a size and values that were recorded, or run it on a GPU"};
}

// How the clock was, where it is known.
std::string clock_words(const Timing& timing) {
  if (timing.clock_mhz <= 0) return "";
  const std::string by = timing.held_back_by.empty()
                             ? ""
                             : fmt::format(", held back by {}", fmt::join(timing.held_back_by, ", "));
  if (timing.lowest_clock_mhz > 0 && timing.lowest_clock_mhz < timing.clock_mhz)
    return fmt::format("the clock fell from {} to {} MHz{}", plot::plain(timing.clock_mhz, 4),
                       plot::plain(timing.lowest_clock_mhz, 4), by);
  return fmt::format("the clock stayed at {} MHz{}", plot::plain(timing.clock_mhz, 4), by);
}

std::string outlier_words(const Timing& timing) {
  if (timing.seconds.empty())
    return fmt::format("the recording kept the quantiles of its {} alone",
                       counted(static_cast<std::uint64_t>(timing.samples), "sample"));
  const Fences fences = measured::fences_of(timing.seconds);
  const auto count =
      std::ranges::count_if(timing.seconds, [&](double s) { return fences.are_crossed_by(s); });
  const std::string all = counted(timing.seconds.size(), "sample");
  if (count == 0) return "none of " + all + " is an outlier";
  const double most = *std::ranges::max_element(timing.seconds) / timing.median - 1;
  return fmt::format("{} of {} {}, the longest {} above the median", count, all,
                     count == 1 ? "is an outlier" : "are outliers", plot::percent(most, 2));
}

}  // namespace

measured::SharedTiming timing_of(const run::Report& report) {
  if (!report.gpu) return nullptr;
  const gpu::Statistics& kernel = report.gpu->timing.kernel;
  const gpu::Conditions& conditions = report.gpu->timing.conditions;
  if (kernel.median <= 0) return nullptr;
  return std::make_shared<const Timing>(Timing{.seconds = kernel.seconds,
                                               .samples = kernel.samples,
                                               .launches_per_sample = kernel.launches_per_sample,
                                               .least = kernel.least,
                                               .p10 = kernel.p10,
                                               .median = kernel.median,
                                               .p90 = kernel.p90,
                                               .clock_mhz = conditions.clock_mhz,
                                               .lowest_clock_mhz = conditions.lowest_clock_mhz,
                                               .power_watts = conditions.power_watts,
                                               .held_back_by = conditions.throttle_reasons,
                                               .device = report.gpu->device,
                                               .is_live = true});
}

explain::Explanation timing_words(const Timing& timing) {
  const double within = std::max(timing.p90 - timing.median, timing.median - timing.p10) / timing.median;
  const std::string clock = clock_words(timing);
  explain::Explanation said;
  said.rule = explain::RuleId::of_figure;
  said.what = fmt::format("{} in the median, 80 % of the samples within {} of it", time_text(timing.median),
                          plot::percent(within, 2));
  said.why = outlier_words(timing) + (clock.empty() ? "" : "; " + clock);
  return said;
}

Result<scene::Scene> draw_timing(const Subject& subject, scene::Size size,
                                 const scene::TextMeasure& measure) {
  const auto timing = shown(subject);
  if (!timing) return timing.error();
  return timing_scene(subject, **timing, size, measure);
}

Result<std::string> timing_table(const Subject& subject) {
  const auto timing = shown(subject);
  if (!timing) return timing.error();
  std::string csv = "sample,seconds,outlier\n";
  if ((*timing)->seconds.empty())
    for (const auto& [name, value] :
         {std::pair("least", (*timing)->least), std::pair("10 %", (*timing)->p10),
          std::pair("median", (*timing)->median), std::pair("90 %", (*timing)->p90)})
      csv += fmt::format("{},{:.9g},\n", name, value);
  const Fences fences = measured::fences_of((*timing)->seconds);
  for (std::size_t i = 0; i < (*timing)->seconds.size(); ++i)
    csv += fmt::format("{},{:.9g},{}\n", i + 1, (*timing)->seconds[i],
                       fences.are_crossed_by((*timing)->seconds[i]) ? "yes" : "no");
  return csv;
}

}  // namespace warplens::figures
