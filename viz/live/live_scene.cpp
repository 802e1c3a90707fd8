#include "viz/live/live_scene.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "viz/figures/parts/parts.hpp"
#include "viz/plot/plot_layout.hpp"
#include "viz/theme/colormap.hpp"

namespace warplens::live {
namespace {

using figures::Group, figures::Rect, figures::Token;

constexpr double kGap = 12;
constexpr double kLeastPlot = 40, kLeastFrame = 12;  // pixels; a plot on less says nothing

// The axis of rates stays while a kernel runs: room above what was measured before, so that a boost shows.
double top_of(const LiveFacts& facts) {
  const double high = 1.25 * std::max(facts.checked_rate, 1e-9);
  const auto numbers = plot::nice_numbers({0, high}, 5);
  return numbers.size() < 2 ? high : numbers[1] * std::ceil(high / numbers[1] - 1e-9);
}

std::string rate_text(double rate, const std::string& unit) { return plot::si(1e9 * rate, 3, " ", unit); }

// The plot without data: its frame is where the data goes.
Rect add_axes(Group& group, const plot::Plot& plot, const Rect& area, const scene::TextMeasure& measure) {
  if (area.width < 2 * kLeastPlot || area.height < 2 * kLeastPlot) return {};
  const plot::Layout layout = plot::layout_plot(plot, area, measure);
  group.group(plot::draw_plot(plot, layout, measure));
  return layout.frame.width < kLeastPlot || layout.frame.height < kLeastFrame ? Rect{} : layout.frame;
}

void add_state(Group& group, const Rect& card, const LiveFacts& facts, const scene::TextMeasure& measure) {
  const scene::TextStyle style =
      figures::at_end(figures::heading(facts.running ? Token::accent : Token::dim));
  const double right = card.right() - 16, y = card.y + 25;
  std::string text = facts.state;
  if (facts.running && facts.rate > 0) text = rate_text(facts.rate, facts.unit) + " live";
  const double width = std::min(measure.width(text, style), 0.6 * card.width);
  group.text({right, y}, text, figures::within(style, 0.6 * card.width));
  if (facts.running) group.circle({right - width - 12, y - 5}, 4, {.fill = Token::accent});
}

void add_launches(LivePicture& picture, const Rect& rect, const LiveFacts& facts,
                  const scene::TextMeasure& measure) {
  Group& group = picture.scene.root;
  const std::string what = facts.launches_per_entry == 1
                               ? "Speed of each launch"
                               : fmt::format("Speed of {} launches at a time", facts.launches_per_entry);
  const Rect inner = figures::add_card(group, rect, what);
  add_state(group, rect, facts, measure);
  plot::Plot plot;
  const char* counted = facts.launches_per_entry == 1 ? "Launches before now, mean and range"
                                                      : "Samples before now, mean and range";
  plot.x = {.label = counted, .low = -static_cast<double>(facts.shown), .high = 0};
  plot.y = {.label = facts.unit, .notation = plot::Notation::si, .low = 0, .high = 1e9 * picture.top};
  if (facts.checked_rate > 0)
    plot.annotations.push_back({.kind = plot::Annotation::Kind::horizontal,
                                .y = 1e9 * facts.checked_rate,
                                .text = rate_text(facts.checked_rate, facts.unit) + " when checked"});
  picture.launches = add_axes(group, plot, inner, measure);
}

void add_blocks(LivePicture& picture, const Rect& rect, const LiveFacts& facts,
                const scene::TextMeasure& measure) {
  Group& group = picture.scene.root;
  const Rect inner = figures::add_card(group, rect, "Blocks on their multiprocessors");
  const bool in_ms = picture.span >= 1e7;
  plot::Plot plot;
  plot.x = {.label = in_ms ? "ms since the first block" : "µs since the first block",
            .low = 0,
            .high = picture.span * (in_ms ? 1e-6 : 1e-3)};
  plot.y = {.label = "Multiprocessor", .low = 0, .high = static_cast<double>(facts.multiprocessors)};
  std::string note = facts.span > 0 ? figures::counted(facts.blocks_in_grid, "block") +
                                          ", dark first; drawing takes turns with them"
                                    : "No launch was watched yet";
  if (!facts.has_timeline) note = "This launch cannot be watched";
  const double note_height = 22;
  picture.blocks =
      add_axes(group, plot, {inner.x, inner.y, inner.width, inner.height - note_height}, measure);
  group.text({inner.x, inner.bottom() - 4}, note, figures::within(figures::caption(), inner.width));
}

// The largest rectangle of the result's shape; very long ones are stretched so that they stay visible.
Rect fitted(const problem::MatrixShape& shape, const Rect& room) {
  const double ratio = std::clamp(
      static_cast<double>(shape.columns) / std::max<double>(1.0, static_cast<double>(shape.rows)), 0.25, 4.0);
  const double width = std::floor(std::min(room.width, room.height * ratio)),
               height = std::floor(std::min(room.height, width / ratio));
  return {std::floor(room.x + (room.width - width) / 2), std::floor(room.y), width, height};
}

// Colours from low to high with their numbers, and the hatching of what is not written.
void add_scale(Group& group, const Rect& rect, const LiveFacts& facts, const scene::TextMeasure& measure) {
  const auto style = figures::caption();
  const std::string low = plot::plain(facts.low, 3), high = plot::plain(facts.high, 3);
  const double low_width = measure.width(low, style), high_width = measure.width(high, style);
  const double left = rect.x + low_width + 8, width = rect.width - low_width - high_width - 16;
  const double y = rect.y + 14;
  group.text({rect.x, y}, low, style);
  group.text({rect.right(), y}, high, figures::at_end(style));
  constexpr int steps = 64;
  for (int i = 0; i < steps && width > 24; ++i)
    group.rect({left + width * i / steps, rect.y + 3, width / steps + 0.5, 12},
               {.fill = theme::sample(theme::Colormap::viridis, i / (steps - 1.0))});
  group.text({rect.x, rect.y + 36}, "Hatched is not written yet", figures::within(style, rect.width));
}

void add_result(LivePicture& picture, const Rect& rect, const LiveFacts& facts,
                const scene::TextMeasure& measure) {
  Group& group = picture.scene.root;
  const Rect inner = figures::add_card(group, rect, "The result " + facts.result_name + " fills in");
  if (!facts.result) {
    group.text(inner.center(), "One number has no picture",
               figures::within(figures::centred(figures::caption()), inner.width));
    return;
  }
  constexpr double legend = 44;
  const Rect room{inner.x, inner.y, inner.width, inner.height - legend - 8};
  if (room.height < kLeastPlot || room.width < kLeastPlot) return;
  picture.result = fitted(*facts.result, room);
  add_scale(group, {inner.x, inner.bottom() - legend, inner.width, legend}, facts, measure);
}

}  // namespace

LivePicture live_picture(const LiveFacts& facts, scene::Size size, const scene::TextMeasure& measure) {
  LivePicture picture{
      scene::Scene{size}, {}, {}, {}, top_of(facts), facts.span > 0 ? 1.05 * facts.span : 1e6};
  Group& group = picture.scene.root;
  const double foot = 22;
  const double height = size.height - foot, upper = std::floor(0.4 * (height - kGap));
  const double left = std::floor(0.6 * (size.width - kGap));
  // Half a pixel inside, so that no frame is cut.
  add_launches(picture, Rect{0, 0, size.width, upper}.inset(0.5), facts, measure);
  const double below = upper + kGap;
  add_blocks(picture, Rect{0, below, left, height - below}.inset(0.5), facts, measure);
  add_result(picture, Rect{left + kGap, below, size.width - left - kGap, height - below}.inset(0.5), facts,
             measure);
  const std::string way =
      facts.through_host ? "data through the host" : "drawn from GPU memory, nothing through the host";
  group.text({0, size.height - 6}, fmt::format("{} on {}: {}", facts.kernel, facts.device, way),
             figures::within(figures::caption(), size.width));
  return picture;
}

}  // namespace warplens::live
