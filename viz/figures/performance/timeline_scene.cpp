#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "viz/figures/performance/timeline.hpp"
#include "viz/plot/number_format.hpp"
#include "viz/plot/ticks.hpp"

namespace warplens::figures {
namespace {

using Bar = Timeline::Bar;
using Sm = Timeline::Sm;

constexpr double kHeadHeight = 92, kLabelWidth = 56, kAxisHeight = 30;
constexpr double kClassHead = 26;  // a legend alone
// More bars than this become the pixels of one image.
constexpr std::size_t kMostBars = 2000;
// Colours of waves, by turns; neighbours in time never look the same.
constexpr int kWaveColors = 4, kOpacities = 8;

Color color_of_wave(std::uint32_t wave) { return theme::series(static_cast<int>(wave % kWaveColors)); }

std::string duration_text(double nanoseconds) { return plot::si(nanoseconds * 1e-9, 3, " ", "s"); }

struct Layout {
  Look look = Look::file;
  Rect area = {}, frame = {};
  double to = 1;            // nanoseconds
  double row = 1;           // of an SM, pixels
  std::uint32_t lanes = 1;  // of an SM that can be told apart
  double x(double time) const { return frame.x + frame.width * time / to; }
};

double median_duration(const Timeline& timeline) {
  std::vector<double> all;
  for (const Sm& sm : timeline.sms())
    for (const Bar& bar : sm.bars) all.push_back(bar.end - bar.start);
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  std::nth_element(all.begin(), middle, all.end());
  return *middle;
}

std::vector<NumberCard> cards_of(const Timeline& timeline) {
  const double tail = timeline.duration() - timeline.tail_start();
  const double share = timeline.duration() > 0 ? tail / timeline.duration() : 0;
  const auto sms = static_cast<std::uint64_t>(timeline.sms().size());
  // A launch takes longer than its blocks: the two stand in one picture, so each says what it is.
  const double launch = timeline.input().seconds * 1e9;
  const std::string around =
      launch > timeline.duration() ? fmt::format("; with the launch {}", duration_text(launch)) : "";
  return {{around.empty() ? "Time" : "Blocks at work", duration_text(timeline.duration()),
           counted(timeline.blocks(), "block") +
               (timeline.bars() == timeline.blocks()
                    ? fmt::format(", median {}", duration_text(median_duration(timeline)))
                    : "") +
               around,
           Token::text},
          {"Waves", plot::plain(timeline.full_waves(), 3),
           fmt::format("{}, room for {} on each", counted(sms, "SM"), counted(timeline.held(), "block")),
           Token::text},
          {"SM time busy", plot::percent(timeline.busy_share()), "at least one block on the SM",
           cost_color(0.9, timeline.busy_share())},
          {"Tail", plot::percent(share),
           fmt::format("from {}: SMs out of blocks", duration_text(timeline.tail_start())),
           cost_color(share, 0.1)}};
}

Layout layout_of(const Timeline& timeline, scene::Size size, const scene::TextMeasure& measure, Look look) {
  Layout layout{.look = look};
  constexpr double kEdge = 1;  // of the cards, whose frame is not cut
  const double margin = is_large(look) ? kEdge : kMargin, head = is_large(look) ? kClassHead : kHeadHeight;
  layout.area = {margin, margin, size.width - 2 * margin, size.height - 2 * margin};
  const Rect& area = layout.area;
  const double cards = number_cards_height(cards_of(timeline), area.width, measure) + 16;
  layout.frame = {area.x + kLabelWidth, area.y + head, area.width - kLabelWidth,
                  std::max(area.height - head - kAxisHeight - cards, 24.0)};
  layout.to = std::max(timeline.duration(), 1.0);
  const auto sms = static_cast<double>(timeline.sms().size());
  layout.row = std::min(layout.frame.height / sms, 48.0);
  layout.frame.height = layout.row * sms;
  layout.lanes = std::clamp(static_cast<std::uint32_t>(layout.row), 1u, std::max(timeline.slots(), 1u));
  return layout;
}

// Where a bar stands; at least a pixel wide, clipped at the ends of the time shown.
Rect rect_of(const Timeline& timeline, const Layout& layout, std::size_t row, const Bar& bar) {
  const double slot = (layout.row - (layout.row > 3 ? 1 : 0)) / std::max(timeline.slots(), 1u);
  const double left = layout.x(bar.start), right = layout.x(bar.end);
  return {left, layout.frame.y + static_cast<double>(row) * layout.row + bar.slot * slot,
          std::max(right - left, 1.0), slot};
}

std::string title_of(const Sm& sm, const Bar& bar) {
  return fmt::format("Block {} on SM {}, wave {}, {} from {}", grouped(bar.block), sm.id, bar.wave + 1,
                     duration_text(bar.end - bar.start), duration_text(bar.start));
}

void draw_bars(Group& group, const Timeline& timeline, const Layout& layout,
               const scene::TextMeasure& measure) {
  for (std::size_t row = 0; row < timeline.sms().size(); ++row)
    for (const Bar& bar : timeline.sms()[row].bars) {
      Rect box = rect_of(timeline, layout, row, bar);
      if (box.width > 3) box.width -= 1;
      if (box.height > 4) box.height -= 1;
      Group named;
      named.rect(box, {.fill = color_of_wave(bar.wave)}, box.height > 8 && box.width > 8 ? 2 : 0);
      const TextStyle style = centred_code(11, Token::background);
      const std::string text = fmt::format("{}", bar.block);
      if (box.height >= 13 && measure.width(text, style) + 6 <= box.width)
        named.text(box.center(), text, style);
      group.group(std::move(named))
          .named(fmt::format("block:{}", bar.block), title_of(timeline.sms()[row], bar));
    }
}

// How much of each pixel of one row of the image is covered by each colour, in slots.
class Coverage {
 public:
  explicit Coverage(std::size_t width) : width_(width) {
    for (auto& steps : steps_) steps.assign(width + 2, 0);
  }
  // from, to: pixels.
  void add(std::uint32_t wave, double from, double to) {
    auto& steps = steps_[wave % kWaveColors];
    ramp(steps, from, 1), ramp(steps, to, -1);
  }
  // visit(pixel, colour, cover) of the colour that covers most of it; cover: of all colours.
  template <class Visit>
  void for_each(Visit visit) const {
    std::array<double, kWaveColors> sums{};
    for (std::size_t x = 0; x < width_; ++x) {
      double all = 0;
      for (std::size_t c = 0; c < kWaveColors; ++c) all += sums[c] += steps_[c][x];
      const auto most = std::max_element(sums.begin(), sums.end());
      if (all > 1e-9) visit(x, static_cast<int>(most - sums.begin()), all);
    }
  }

 private:
  // A step up or down at `at`, whose pixel gets its share; the sums over pixels are the coverage.
  void ramp(std::vector<double>& steps, double at, double by) {
    at = std::clamp(at, 0.0, static_cast<double>(width_));
    const auto pixel = static_cast<std::size_t>(at);
    const double share = 1 - (at - std::floor(at));
    steps[pixel] += by * share;
    steps[pixel + 1] += by * (1 - share);
  }
  std::size_t width_;
  std::array<std::vector<double>, kWaveColors> steps_;
};

std::vector<Color> image_palette() {
  std::vector<Color> palette{Color::transparent()};
  for (int c = 0; c < kWaveColors; ++c)
    for (int level = 1; level <= kOpacities; ++level)
      palette.push_back({color_of_wave(static_cast<std::uint32_t>(c)).token, 0.1 + 0.9 * level / kOpacities});
  return palette;
}

void draw_image(Group& group, const Timeline& timeline, const Layout& layout) {
  const auto width = static_cast<std::size_t>(std::max(layout.frame.width, 1.0));
  const std::size_t rows = timeline.sms().size() * layout.lanes;
  std::vector<std::uint8_t> pixels(width * rows, 0);
  const double scale = static_cast<double>(width) / layout.to;
  std::vector<double> slots_of(layout.lanes, 0);  // of each lane
  for (std::uint32_t slot = 0; slot < timeline.slots(); ++slot)
    slots_of[slot * layout.lanes / timeline.slots()] += 1;
  for (std::size_t s = 0; s < timeline.sms().size(); ++s) {
    std::vector<Coverage> lanes(layout.lanes, Coverage(width));
    for (const Bar& bar : timeline.sms()[s].bars)
      lanes[bar.slot * layout.lanes / timeline.slots()].add(bar.wave, bar.start * scale, bar.end * scale);
    for (std::size_t lane = 0; lane < lanes.size(); ++lane)
      lanes[lane].for_each([&](std::size_t x, int color, double cover) {
        const int level =
            std::clamp(static_cast<int>(std::lround(cover / slots_of[lane] * kOpacities)), 0, kOpacities);
        if (level > 0)
          pixels[(s * layout.lanes + lane) * width + x] =
              static_cast<std::uint8_t>(1 + color * kOpacities + level - 1);
      });
  }
  group
      .image(layout.frame, scene::make_indexed_image(static_cast<int>(width), static_cast<int>(rows),
                                                     std::move(pixels), image_palette()))
      .named("timeline", "Blocks by SM and time");
}

void draw_tail(Group& group, const Timeline& timeline, const Layout& layout) {
  const double left = std::max(layout.x(timeline.tail_start()), layout.frame.x);
  if (timeline.tail_start() >= layout.to || left >= layout.frame.right()) return;
  group
      .rect({left, layout.frame.y, layout.frame.right() - left, layout.frame.height},
            {.fill = Color{Token::costly, 0.16}})
      .named("tail", "Tail: SMs run out of blocks");
  if (timeline.tail_start() > 0)
    group.line({left, layout.frame.y - 4}, {left, layout.frame.bottom()}, {Token::costly, 1.5, {5, 4}});
}

// Every row has a name to be hit by; numbers stand where there is room for them.
void draw_rows(Group& group, const Timeline& timeline, const Layout& layout) {
  const double type = is_large(layout.look) ? theme::metric::kCaption : 11;
  const auto every = std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil((type + 5) / layout.row)));
  for (std::size_t row = 0; row < timeline.sms().size(); ++row) {
    const Sm& sm = timeline.sms()[row];
    const double y = layout.frame.y + static_cast<double>(row) * layout.row;
    group.rect({layout.frame.x, y, layout.frame.width, layout.row}, {.fill = Color{Token::raised}})
        .named(fmt::format("sm:{}", sm.id),
               fmt::format("SM {}: {}, busy {} of the launch", sm.id, counted(sm.bars.size(), "block"),
                           plot::percent(timeline.duration() > 0 ? sm.busy / timeline.duration() : 0)));
    if (row % every == 0)
      group.text({layout.frame.x - 8, y + layout.row / 2}, fmt::format("SM {}", sm.id),
                 {.size = type,
                  .color = Token::dim,
                  .anchor = scene::Anchor::end,
                  .baseline = scene::Baseline::middle});
  }
}

void draw_axis(Group& group, const Layout& layout, const scene::TextMeasure& measure) {
  const auto ticks = plot::ticks({0, layout.to * 1e-9}, plot::Scale::linear,
                                 std::clamp(layout.frame.width / 140, 2.0, 10.0), plot::Notation::si);
  for (const auto& tick : ticks) {
    if (!tick.major) continue;
    const double x = layout.x(tick.value * 1e9);
    group.line({x, layout.frame.bottom()}, {x, layout.frame.bottom() + 5}, {Token::dim, 1});
    const std::string text = tick.value == 0 ? "0" : plot::si(tick.value, 4, " ", "s");
    const double half = measure.width(text, caption()) / 2;
    group.text({std::min(x, layout.area.right() - half), layout.frame.bottom() + 20}, text,
               centred(caption()));
  }
}

void draw_head(Group& group, const Timeline& timeline, const Layout& layout,
               const scene::TextMeasure& measure) {
  const Rect& area = layout.area;
  const TimelineInput& input = timeline.input();
  const std::string where = plot::look_of(input.provenance).word.empty()
                                ? input.subtitle
                                : fmt::format("{}, {}", input.subtitle, plot::look_of(input.provenance).word);
  if (!is_brief(layout.look)) {
    group.text({area.x, area.y + 18}, input.title, within(sized(heading(), 17), area.width));
    group.text({area.x, area.y + 42}, where, within(caption(), area.width));
  }
  std::vector<Key> keys;
  const std::uint32_t shown = std::min<std::uint32_t>(timeline.waves(), kWaveColors);
  for (std::uint32_t wave = 0; wave < shown; ++wave)
    keys.push_back(
        {color_of_wave(wave),
         fmt::format("wave {}{}", wave + 1,
                     wave + 1 == shown && timeline.waves() > shown ? ", then the same again" : "")});
  if (timeline.tail_start() < timeline.duration())
    keys.push_back({Color{Token::costly}, "tail", Key::Pattern::framed});
  add_key_row(group, {area.x, area.y + (is_large(layout.look) ? 0 : 58)}, keys, area.width, measure);
}

}  // namespace

scene::Scene timeline_scene(const Timeline& timeline, scene::Size size, const scene::TextMeasure& measure,
                            Look look) {
  if (timeline.bars() == 0)
    return message_scene(size, "No block was timed", "Run the kernel on a GPU", measure);
  scene::Scene scene{size};
  Group& root = scene.root;
  const Layout layout = layout_of(timeline, size, measure, look);
  draw_head(root, timeline, layout, measure);
  draw_rows(root, timeline, layout);
  draw_tail(root, timeline, layout);
  if (timeline.bars() <= kMostBars)
    draw_bars(root, timeline, layout, measure);
  else
    draw_image(root, timeline, layout);
  root.rect(layout.frame, {.stroke = scene::Stroke{Token::line}});
  draw_axis(root, layout, measure);
  const double below = layout.frame.bottom() + kAxisHeight + 16;
  add_number_cards(root, {layout.area.x, below, layout.area.width, layout.area.bottom() - below},
                   cards_of(timeline), measure);
  return scene;
}

}  // namespace warplens::figures
