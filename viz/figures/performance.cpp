#include "viz/figures/performance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "viz/plot/number_format.hpp"

namespace warplens::figures {
namespace {

using plot::Provenance;
using plot::Series;
using scene::Color;
using scene::Token;

constexpr std::string_view model_note =
    "Modelled: every sector asked for comes from memory, up to the chip's peak. Not a bound: caches can "
    "make a step faster.";

// What a hit test answers for a step.
std::string id_of(const PerformancePoint& point) { return point.id.empty() ? "" : "step:" + point.id; }

double intensity(const PerformancePoint& point) {
  return point.bytes > 0 ? point.operations / point.bytes : 0;
}

// Steps that stand nearly at one place of a roofline share the label of the first.
std::string label_among(const std::vector<PerformancePoint>& points, const PerformancePoint& point) {
  const auto near = [&](const PerformancePoint& other) {
    return intensity(other) > 0 && std::abs(std::log(intensity(other) / intensity(point))) < 0.25;
  };
  const auto first = std::find_if(points.begin(), points.end(), near);
  if (&*first != &point) return "";
  const auto others = std::count_if(points.begin(), points.end(), near) - 1;
  return others == 0 ? point.step : fmt::format("{} and {} more", point.step, others);
}

std::string times(double value, double first) {
  return first > 0 ? fmt::format("{:.3g}×", value / first) : std::string();
}

}  // namespace

std::optional<double> modelled_gflops(const PerformanceInput& input, const PerformancePoint& point) {
  if (!input.roofline || intensity(point) <= 0) return std::nullopt;
  return input.roofline->attainable(intensity(point));
}

plot::Plot ladder_plot(const PerformanceInput& input) {
  plot::Plot plot{
      .title = input.title, .subtitle = input.device, .caption = std::string(model_note), .horizontal = true};
  plot.x.scale = plot::Scale::category;
  plot.y = {.label = "GFLOP/s", .low = 0};
  Series recorded{.id = "recorded",
                  .name = "speed",
                  .kind = Series::Kind::bars,
                  .provenance = Provenance::recorded,
                  .color = Color{Token::series_1}};
  Series modelled{.id = "modelled",
                  .name = "all sectors from memory",
                  .kind = Series::Kind::bars,
                  .provenance = Provenance::modelled,
                  .color = Color{Token::series_2}};
  double first_recorded = 0, first_modelled = 0, x = 0;
  for (const PerformancePoint& point : input.points) {
    plot.x.categories.push_back(point.step);
    plot.x.category_ids.push_back(id_of(point));
    recorded.ids.push_back(id_of(point)), modelled.ids.push_back(id_of(point));
    const auto model = modelled_gflops(input, point);
    const double measured = point.recorded_gflops.value_or(std::nan("")),
                 bound = model.value_or(std::nan(""));
    if (first_recorded == 0 && point.recorded_gflops) first_recorded = measured;
    if (first_modelled == 0 && model) first_modelled = bound;
    recorded.x.push_back(x), recorded.y.push_back(measured);
    recorded.labels.push_back(point.recorded_gflops ? fmt::format("{}, {}", plot::plain(measured, 3),
                                                                  times(measured, first_recorded))
                                                    : "");
    modelled.x.push_back(x), modelled.y.push_back(bound);
    modelled.labels.push_back(
        model ? fmt::format("{}, {}", plot::plain(bound, 3), times(bound, first_modelled)) : "");
    x += 1;
  }
  if (first_recorded > 0) plot.series.push_back(std::move(recorded));
  if (first_modelled > 0) plot.series.push_back(std::move(modelled));
  return plot;
}

plot::Plot size_plot(const PerformanceInput& input) {
  plot::Plot plot{.title = input.title, .subtitle = input.device};
  plot.x = {.label = "size", .scale = plot::Scale::log2};
  plot.y = {.label = "GFLOP/s", .low = 0};
  std::map<std::string, std::size_t> lines;
  bool any_model = false;
  const bool recorded = std::any_of(input.points.begin(), input.points.end(),
                                    [](const PerformancePoint& p) { return p.recorded_gflops.has_value(); });
  for (const PerformancePoint& point : input.points) {
    // Measured curves are not filled up with modelled points.
    if (recorded && !point.recorded_gflops) continue;
    const auto model = modelled_gflops(input, point);
    if (!point.recorded_gflops && !model) continue;
    const bool measured = point.recorded_gflops.has_value();
    any_model |= !measured;
    const auto [found, is_new] = lines.emplace(point.step + (measured ? "" : "*"), plot.series.size());
    if (is_new)
      plot.series.push_back(
          {.id = point.id.empty() ? fmt::format("line-{}", plot.series.size()) : id_of(point),
           .name = point.step,
           .provenance = measured ? Provenance::recorded : Provenance::modelled});
    plot.series[found->second].ids.push_back(id_of(point));
    plot.series[found->second].x.push_back(point.size);
    plot.series[found->second].y.push_back(measured ? *point.recorded_gflops : *model);
  }
  if (any_model) plot.caption = model_note;
  return plot;
}

plot::Plot roofline_plot(const PerformanceInput& input) {
  plot::Plot plot{.title = input.title,
                  .subtitle = input.device,
                  .caption =
                      "Operations and sectors counted in the emulator. On the roof: every sector comes from "
                      "memory. Not a bound: caches can lift a step above it."};
  plot.x = {.label = "operations a byte of sectors", .scale = plot::Scale::log10};
  plot.y = {.label = "GFLOP/s", .scale = plot::Scale::log10, .notation = plot::Notation::si};
  double low = input.roofline->ridge() / 100, high = input.roofline->ridge() * 10;
  for (const auto& point : input.points) {
    if (intensity(point) <= 0) continue;
    low = std::min(low, intensity(point) / 2), high = std::max(high, intensity(point) * 2);
  }
  const double ridge = input.roofline->ridge();
  plot.series.push_back(
      {.id = "roof",
       .name = "roof",
       .provenance = Provenance::modelled,
       .color = Color{Token::dim},
       .x = {low, ridge, high},
       .y = {input.roofline->attainable(low), input.roofline->peak_gflops, input.roofline->peak_gflops},
       .markers = false});
  Series counted{.id = "steps",
                 .name = "steps",
                 .kind = Series::Kind::points,
                 .provenance = Provenance::emulated,
                 .color = Color{Token::series_1}};
  Series recorded{.id = "measured",
                  .name = "steps",
                  .kind = Series::Kind::points,
                  .provenance = Provenance::recorded,
                  .color = Color{Token::series_2}};
  for (const auto& point : input.points) {
    if (intensity(point) <= 0) continue;
    counted.x.push_back(intensity(point)), counted.y.push_back(input.roofline->attainable(intensity(point)));
    counted.labels.push_back(label_among(input.points, point));
    counted.ids.push_back(id_of(point));
    if (!point.recorded_gflops) continue;
    recorded.x.push_back(intensity(point)), recorded.y.push_back(*point.recorded_gflops);
    recorded.ids.push_back(id_of(point));
  }
  plot.series.push_back(std::move(counted));
  if (!recorded.x.empty()) plot.series.push_back(std::move(recorded));
  return plot;
}

}  // namespace warplens::figures
