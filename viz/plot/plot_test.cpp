#include <gmock/gmock.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "engine/base/testing/places.hpp"
#include "viz/paint/files/svg.hpp"
#include "viz/plot/plot_layout.hpp"
#include "viz/plot/plot_parts.hpp"
#include "viz/plot/testing/plot_samples.hpp"
#include "viz/scene/hit_test.hpp"
#include "viz/scene/testing/fixed_measure.hpp"
#include "viz/scene/text_layout.hpp"

namespace warplens::plot {
namespace {

using scene::Point, scene::Rect;

const scene::FixedMeasure kMeasure;

std::vector<Plot> all_samples() {
  using namespace samples;
  return {ladder(), grouped(), size_curve(), roofline(), occupancy()};
}

// The boxes of all texts of a group, clipped ones included.
void collect_texts(const scene::Group& group, std::vector<std::pair<std::string, Rect>>& found) {
  for (const scene::Item& item : group.items) {
    if (const auto* text = std::get_if<scene::TextShape>(&item.shape); text && !text->text.empty()) {
      const auto placed = scene::place(*text, kMeasure);
      const auto cap = kMeasure.metrics(text->style).cap_height;
      found.emplace_back(placed.text, Rect{placed.baseline.x, placed.baseline.y - cap, placed.width, cap});
    }
    if (const auto* inner = std::get_if<scene::Group>(&item.shape)) collect_texts(*inner, found);
  }
}

TEST(Plot, NothingLeavesItsAreaAndNoTextsOverlap) {
  for (const Plot& plot : all_samples())
    for (const scene::Size size : {scene::Size{1600, 900}, {1280, 720}, {800, 500}, {560, 420}}) {
      const Rect area{20, 30, size.width - 40, size.height - 60};
      std::vector<std::pair<std::string, Rect>> texts;
      collect_texts(draw_plot(plot, layout_plot(plot, area, kMeasure), kMeasure), texts);
      ASSERT_GT(texts.size(), 5u);
      for (const auto& [text, box] : texts) {
        EXPECT_GE(box.x, area.x - 0.01) << plot.title << ": " << text << " at " << size.width;
        EXPECT_LE(box.right(), area.right() + 0.01) << plot.title << ": " << text << " at " << size.width;
        EXPECT_GE(box.y, area.y - 0.01) << plot.title << ": " << text << " at " << size.width;
        EXPECT_LE(box.bottom(), area.bottom() + 0.01) << plot.title << ": " << text << " at " << size.width;
      }
      for (std::size_t i = 0; i < texts.size(); ++i)
        for (std::size_t k = 0; k < i; ++k)
          EXPECT_FALSE(scene::overlaps(texts[i].second, texts[k].second))
              << plot.title << ": " << texts[i].first << " over " << texts[k].first << " at " << size.width;
    }
}

// Colours start again after eight series; the markers of those after them have another shape.
TEST(Plot, MarkersTellSeriesOfOneColourApart) {
  Plot plot;
  for (int s = 0; s < 2 * theme::kSeriesCount + 1; ++s)
    plot.series.push_back({.id = "s" + std::to_string(s), .x = {0, 1}, .y = {0, 1}});
  const auto group = draw_plot(plot, layout_plot(plot, {0, 0, 700, 500}, kMeasure), kMeasure);
  const auto corners = [&](const std::string& id) {
    for (const scene::Item& item : group.items)
      if (const auto* path = std::get_if<scene::PathShape>(&item.shape); path && item.id == id)
        return path->path.segments.size();
    return std::size_t{0};
  };
  const std::set<std::size_t> shapes = {corners("s0/0"), corners("s8/0"), corners("s16/0")};
  EXPECT_EQ(shapes.size(), 3u);
  EXPECT_FALSE(shapes.contains(0));
  EXPECT_EQ(corners("s7/1"), corners("s0/0"));
}

TEST(Plot, LegendCoversNoData) {
  const Plot plot = samples::size_curve();
  for (const double width : {500.0, 900.0, 1600.0}) {
    const Layout layout = layout_plot(plot, {0, 0, width, width * 0.6}, kMeasure);
    ASSERT_EQ(layout.legend.size(), 5u);
    EXPECT_TRUE(layout.legend_inside || !scene::overlaps(layout.legend_box, layout.frame));
    for (const Series& s : plot.series)
      for (std::size_t i = 0; i < s.y.size(); ++i)
        EXPECT_FALSE(layout.legend_box.contains(layout.at(s.x[i], s.y[i]))) << s.name << " " << width;
  }
}

// Names that do not fit at their heights are moved as little as they must.
TEST(Plot, SpreadsNamesApart) {
  EXPECT_EQ(spread({10, 50, 90}, {0, 16, 16}, 0, 100), (std::vector<double>{10, 50, 90}));
  EXPECT_EQ(spread({50, 50, 50}, {0, 16, 16}, 0, 100), (std::vector<double>{34, 50, 66}));
  EXPECT_EQ(spread({50, 50, 50}, {0, 24, 24}, 0, 100), (std::vector<double>{26, 50, 74}));
  EXPECT_EQ(spread({98, 99}, {0, 16}, 0, 100), (std::vector<double>{84, 100}));
  EXPECT_EQ(spread({}, {}, 0, 100), (std::vector<double>{}));
  const auto places = spread({5, 6, 40, 41, 43, 90}, {0, 10, 10, 10, 10, 10}, 0, 100);
  for (std::size_t i = 1; i < places.size(); ++i) EXPECT_GE(places[i] - places[i - 1], 10 - 1e-9);
  EXPECT_GE(places.front(), 0);
}

TEST(Plot, NamesStandAtTheEndsOfTheirLines) {
  Plot plot{.names_at_ends = true};
  for (int s = 0; s < 9; ++s)
    plot.series.push_back({.id = "s" + std::to_string(s),
                           .name = "Line number " + std::to_string(s),
                           .x = {0, 1, 2},
                           .y = {0, 1.0 + s % 3, 5.0 + s % 3}});
  const Rect area{0, 0, 800, 500};
  const Layout layout = layout_plot(plot, area, kMeasure);
  ASSERT_EQ(layout.end_names.size(), 9u);
  EXPECT_TRUE(layout.legend.empty());
  for (const EndName& name : layout.end_names) {
    EXPECT_NEAR(name.end.y, layout.at(2, plot.series[name.series].y[2]).y, 1e-9);
    EXPECT_GT(name.at.x, layout.frame.right());
  }
  std::vector<std::pair<std::string, Rect>> texts;
  collect_texts(draw_plot(plot, layout, kMeasure), texts);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    EXPECT_LE(texts[i].second.right(), area.right() + 0.01) << texts[i].first;
    for (std::size_t k = 0; k < i; ++k)
      EXPECT_FALSE(scene::overlaps(texts[i].second, texts[k].second)) << texts[i].first;
  }
  // Where names would take too much of the width there is a legend.
  const Layout narrow = layout_plot(plot, {0, 0, 260, 500}, kMeasure);
  EXPECT_TRUE(narrow.end_names.empty());
  EXPECT_EQ(narrow.legend.size(), 9u);
}

TEST(Plot, WritesValuesInThousands) {
  Plot plot;
  plot.y = {.label = "TFLOP/s", .divisor = 1000};
  plot.series = {{.name = "Step", .x = {1, 2}, .y = {20'000, 41'300}}};
  const Layout layout = layout_plot(plot, {0, 0, 600, 400}, kMeasure);
  bool has_forty = false;
  for (const Tick& tick : layout.y_ticks) has_forty |= tick.value == 40'000 && tick.label == "40";
  EXPECT_TRUE(has_forty);
  EXPECT_EQ(describe(plot, 0, 1), "Step: 2, TFLOP/s 41.3 (recorded)");
  EXPECT_NE(to_csv(plot).find("41300"), std::string::npos);
}

// Numbers of registers: a tick every 32 where the plot is 300 pixels wide.
TEST(Plot, MultiplesOfAPowerOfTwoStandAsDenseAsTheyHaveRoom) {
  Plot plot;
  plot.x = {.binary = true};
  plot.series = {{.name = "Warps", .x = {1, 255}, .y = {64, 8}}};
  const auto labels = [&](double width) {
    std::vector<std::string> found;
    for (const Tick& tick : layout_plot(plot, {0, 0, width, 300}, kMeasure).x_ticks)
      if (tick.major) found.push_back(tick.label);
    return found;
  };
  EXPECT_EQ(labels(400).at(1), "32");
  EXPECT_EQ(labels(200).at(1), "64");
}

TEST(Plot, MapsDataThereAndBack) {
  for (const Plot& plot : all_samples()) {
    const Layout layout = layout_plot(plot, {0, 0, 700, 500}, kMeasure);
    for (const AxisMap& map : {layout.x, layout.y})
      for (const double pixel : {map.from, (map.from + map.to) / 2, map.to})
        EXPECT_NEAR(map.pixel(map.value(pixel)), pixel, 1e-6) << plot.title;
  }
  const AxisMap log{Scale::log10, {1, 100}, 0, 200};
  EXPECT_DOUBLE_EQ(log.pixel(10), 100);
  EXPECT_TRUE(std::isnan(log.pixel(0)));
}

TEST(Plot, BarsStartAtZeroAndLinesOfOneValueShow) {
  const Layout ladder = layout_plot(samples::ladder(), {0, 0, 700, 400}, kMeasure);
  EXPECT_EQ(ladder.y.range.low, 0);
  EXPECT_GE(ladder.y.range.high, 52.3e12);
  Plot one;
  one.series = {{.x = {3}, .y = {7}}};
  const Layout layout = layout_plot(one, {0, 0, 300, 200}, kMeasure);
  EXPECT_TRUE(layout.frame.contains(layout.at(3, 6.99)));
  EXPECT_EQ(layout_plot(Plot{}, {0, 0, 300, 200}, kMeasure).y.range, (Range{0, 1}));
}

TEST(Plot, ZoomKeepsThePointUnderThePointer) {
  for (const Plot& base : {samples::size_curve(), samples::roofline(), samples::ladder()}) {
    Plot plot = base;
    const Rect area{0, 0, 800, 500};
    const Layout before = layout_plot(plot, area, kMeasure);
    const Point pointer = before.frame.center();
    const double x = before.x.value(plot.horizontal ? pointer.y : pointer.x);
    plot.view = zoomed(before, pointer, 2);
    const Layout after = layout_plot(plot, area, kMeasure);
    EXPECT_NEAR(after.x.pixel(x) - after.x.from, (after.x.to - after.x.from) / 2, 0.5) << plot.title;
    EXPECT_NEAR(after.x.range.high / before.x.range.high,
                zoomed(before.x.range, before.x.scale, 2, x).high / before.x.range.high, 1e-9);
  }
}

TEST(Plot, PanMovesByTheDrag) {
  const Plot plot = samples::size_curve();
  const Layout layout = layout_plot(plot, {0, 0, 800, 500}, kMeasure);
  const View view = panned(layout, {50, 0});
  AxisMap moved = layout.x;
  moved.range = *view.x;
  EXPECT_NEAR(moved.pixel(1024), layout.x.pixel(1024) + 50, 1e-6);
  EXPECT_EQ(zoomed({1, 3}, Scale::linear, 2, 2), (Range{1.5, 2.5}));
}

TEST(Plot, NearestFindsPointsAndBars) {
  const Plot curve = samples::size_curve();
  const Layout layout = layout_plot(curve, {0, 0, 800, 500}, kMeasure);
  const Point p = layout.at(curve.series[1].x[5], curve.series[1].y[5]);
  const auto found = nearest(curve, layout, p + Point{3, 2});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->series, 1u);
  EXPECT_EQ(found->index, 5u);
  EXPECT_FALSE(nearest(curve, layout, {layout.frame.x + 3, layout.frame.y + 60}, 10));
  const Plot ladder = samples::ladder();
  const Layout bars = layout_plot(ladder, {0, 0, 800, 500}, kMeasure);
  const auto bar = nearest(ladder, bars, bars.at(6, 10e12));
  ASSERT_TRUE(bar);
  EXPECT_EQ(bar->index, 6u);
  EXPECT_EQ(describe(ladder, 0, 6), "Measured: Final, 52.3 TFLOP/s (recorded)");
}

TEST(Plot, BarsAndPointsAnswerHitTests) {
  const Plot plot = samples::ladder();
  scene::Scene scene({800, 500});
  const Layout layout = layout_plot(plot, {0, 0, 800, 500}, kMeasure);
  scene.root.group(draw_plot(plot, layout, kMeasure));
  const auto hit = scene::hit_test(scene, layout.at(5, 1e13), kMeasure);
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->id, "recorded/5");
  EXPECT_EQ(hit->title, "Measured: Vectorized, 30.4 TFLOP/s (recorded)");
}

std::set<std::string> texts_of(const Plot& plot, scene::Size size) {
  std::vector<std::pair<std::string, Rect>> texts;
  collect_texts(plot_scene(plot, size, kMeasure).root, texts);
  std::set<std::string> found;
  for (const auto& [text, box] : texts) found.insert(text);
  return found;
}

// Where points crowd, one label names several: none is left out.
TEST(Plot, NumbersOfPointsThatCrowdShareALabel) {
  Plot plot;
  plot.series = {{.kind = Series::Kind::points,
                  .x = {0, 10, 10.01, 10.02, 100},
                  .y = {1, 50, 50.05, 50.1, 100},
                  .labels = {"1", "2", "3", "10", "11"}}};
  const auto texts = texts_of(plot, {600, 400});
  for (const char* expected : {"1", "2, 3, 10", "11"}) EXPECT_TRUE(texts.contains(expected)) << expected;
  EXPECT_FALSE(texts.contains("2"));
}

// "5" beside "5 Tiles" would read as one text, and as another number.
TEST(Plot, NumbersKeepTheirDistanceFromNames) {
  Plot plot;
  plot.x.scale = plot.y.scale = Scale::log10;
  plot.y.high = 100;
  plot.series = {{.kind = Series::Kind::points,
                  .x = {0.1, 0.5, 8, 16},
                  .y = {0.4, 1.7, 26, 33},
                  .labels = {"1 As it stands", "3 Exchanged", "4 A register tile", "5 Tiles"}},
                 {.kind = Series::Kind::points,
                  .x = {0.1, 0.5, 8, 16},
                  .y = {0.9, 5, 16, 18},
                  .labels = {"1", "3", "4", "5"}}};
  for (double width = 420; width < 1000; width += 20)
    for (double height = 260; height < 500; height += 20) {
      std::vector<std::pair<std::string, Rect>> texts;
      collect_texts(plot_scene(plot, {width, height}, kMeasure).root, texts);
      for (const auto& [name, box] : texts)
        for (const auto& [number, at] : texts)
          if (name.size() > number.size() && number.size() == 1) {
            EXPECT_FALSE(scene::overlaps({box.x - 4.5, box.y, box.width + 9, box.height}, at))
                << number << " beside " << name << " at " << width << " x " << height;
          }
    }
}

// Names that all want the same place: whose line ends where stays clear.
TEST(Plot, LinesFromNamesToPointsDoNotCross) {
  EXPECT_TRUE(cross({0, 0}, {10, 10}, {0, 10}, {10, 0}));
  EXPECT_FALSE(cross({0, 0}, {10, 10}, {20, 10}, {10, 0}));
  EXPECT_FALSE(cross({0, 0}, {10, 10}, {0, 0}, {10, 0})) << "they meet at an end";
  Plot plot;
  plot.x.scale = plot.y.scale = Scale::log10;
  plot.x.low = 0.01, plot.x.high = 1000, plot.y.low = 0.1, plot.y.high = 1000;
  plot.series = {
      {.kind = Series::Kind::points,
       .x = {5, 5.2, 6, 6.4, 7, 7.5, 8},
       .y = {20, 26, 30, 37, 45, 50, 62},
       .labels = {"2 Coalesced", "3 Shared-memory tiling", "4 A column of results", "5 A register tile",
                  "6 Vectorized accesses", "7 No bank conflicts", "8 Double buffering"}}};
  int leaders = 0;
  for (double width = 460; width < 1000; width += 60)
    for (double height = 260; height < 500; height += 40) {
      std::vector<std::pair<Point, Point>> lines;
      const scene::Scene scene = plot_scene(plot, {width, height}, kMeasure);
      const Layout layout = layout_plot(plot, plot_area({width, height}), kMeasure);
      const auto collect = [&](const auto& self, const scene::Group& group) -> void {
        for (const scene::Item& item : group.items) {
          if (const auto* inner = std::get_if<scene::Group>(&item.shape)) self(self, *inner);
          const auto* line = std::get_if<scene::LineShape>(&item.shape);
          for (std::size_t i = 0; line != nullptr && i < plot.series[0].x.size(); ++i)
            if (line->from == layout.at(plot.series[0].x[i], plot.series[0].y[i]))
              lines.emplace_back(line->from, line->to);
        }
      };
      collect(collect, scene.root);
      leaders += static_cast<int>(lines.size());
      for (std::size_t a = 0; a < lines.size(); ++a)
        for (std::size_t b = 0; b < a; ++b)
          EXPECT_FALSE(cross(lines[a].first, lines[a].second, lines[b].first, lines[b].second))
              << "at " << width << " x " << height;
    }
  EXPECT_GT(leaders, 0);
}

TEST(Plot, ANumberWithoutRoomJoinsItsNeighbours) {
  Plot plot;
  Series points{.kind = Series::Kind::points};
  for (int i = 0; i < 30; ++i) {
    points.x.push_back(40 + i % 6), points.y.push_back(40 + i / 6);
    points.labels.push_back(std::to_string(i + 1));
  }
  points.x.insert(points.x.end(), {0, 100}), points.y.insert(points.y.end(), {0, 100});
  plot.series = {points};
  std::set<std::string> named;
  for (const std::string& text : texts_of(plot, {500, 300})) {
    if (text.find_first_not_of("0123456789, ") != std::string::npos) continue;
    std::istringstream words(text);
    for (std::string word; words >> word;) named.insert(word.substr(0, word.find(',')));
  }
  for (const std::string& label : points.labels) EXPECT_TRUE(named.contains(label)) << label;
}

// A line across bars is named above them, wherever it stands, and never under their labels.
TEST(Plot, ALineAcrossBarsIsNamedAboveThem) {
  for (const double at : {0.5, 20.0, 99.0}) {
    Plot plot = samples::ladder();
    plot.annotations = {{.kind = Annotation::Kind::horizontal, .y = at * 5e11, .text = "library, recorded"}};
    const Layout layout = layout_plot(plot, Rect{0, 0, 640, 400}, kMeasure);
    std::vector<std::pair<std::string, Rect>> texts;
    collect_texts(draw_plot(plot, layout, kMeasure), texts);
    const auto named = std::find_if(texts.begin(), texts.end(),
                                    [](const auto& text) { return text.first == "library, recorded"; });
    ASSERT_NE(named, texts.end());
    EXPECT_LE(named->second.bottom(), layout.frame.y);
    EXPECT_LE(named->second.right(), layout.area.right());
  }
}

// Nothing is hidden behind a label that lies on no line and no bar.
TEST(Plot, LabelsBesideBarsHideNothing) {
  const auto hidden = [](const Plot& plot) {
    const scene::Scene scene = plot_scene(plot, {800, 500}, kMeasure);
    const auto& items = std::get<scene::Group>(scene.root.items.back().shape).items;
    return std::count_if(items.begin(), items.end(), [&](const scene::Item& item) {
      const auto* rect = std::get_if<scene::RectShape>(&item.shape);
      return rect && rect->style.fill && *rect->style.fill == scene::Color(plot.ground);
    });
  };
  Plot plot = samples::ladder();
  plot.annotations.clear();
  plot.series.resize(1);
  EXPECT_EQ(hidden(plot), 0);
}

// Where a line would run through the number beside a bar, the number stands elsewhere.
TEST(Plot, ALineAcrossBarsCrossesNoLabel) {
  Plot plot = samples::ladder();
  plot.series.resize(1);
  const Rect area{0, 0, 752, 452};
  plot.annotations.clear();
  const double beside = layout_plot(plot, area, kMeasure)
                            .y.value(layout_plot(plot, area, kMeasure).y.pixel(plot.series[0].y[0]) + 30);
  plot.annotations = {{.kind = Annotation::Kind::horizontal, .y = beside}};
  const Layout layout = layout_plot(plot, area, kMeasure);
  const double at = layout.y.pixel(beside);
  const scene::Group drawn = draw_plot(plot, layout, kMeasure);
  std::vector<std::pair<std::string, Rect>> texts;
  collect_texts(drawn, texts);
  for (const std::string& number : plot.series[0].labels) {
    const auto label = std::ranges::find(texts, number, &std::pair<std::string, Rect>::first);
    ASSERT_NE(label, texts.end()) << number;
    EXPECT_TRUE(at < label->second.x || label->second.right() < at) << number;
  }
  double length = 0;
  for (const scene::Item& item : drawn.items)
    if (const auto* line = std::get_if<scene::LineShape>(&item.shape);
        line != nullptr && line->from.x == at && !line->stroke.dash.empty())
      length += line->to.y - line->from.y;
  EXPECT_NEAR(length, layout.frame.height, 0.01);
}

// A label that is too long for the room before a mark and behind it says its first part.
TEST(Plot, ALabelStopsBeforeAMark) {
  Plot plot;
  plot.horizontal = true;
  plot.x = {.scale = Scale::category, .categories = {"one", "two"}};
  plot.y = {.low = 0, .high = 100};
  Series bars{.kind = Series::Kind::bars, .x = {0, 1}, .y = {20, 20}};
  bars.labels = {"13.2 · 2.4× step 1 or more", "13.2 · 2.4× step 1 or more"};
  Series marks{.kind = Series::Kind::marks, .x = {0}, .y = {40}};
  plot.series = {bars, marks};
  plot.annotations = {{.kind = Annotation::Kind::horizontal, .y = 60}};
  const auto shown = texts_of(plot, {500, 300});
  EXPECT_EQ(std::ranges::count(shown, "13.2"), 1);
  plot.annotations.clear();
  plot.series.pop_back();
  EXPECT_EQ(std::ranges::count(texts_of(plot, {500, 300}), "13.2"), 0);
}

TEST(Plot, WhatIsChosenStandsOut) {
  Plot plot = samples::ladder();
  for (std::size_t i = 0; i < plot.x.categories.size(); ++i)
    plot.x.category_ids.push_back("step:" + std::to_string(i));
  const auto bold = [&] {
    std::vector<std::string> names;
    const scene::Scene scene = plot_scene(plot, {800, 500}, kMeasure);
    const auto visit = [&](const auto& self, const scene::Group& group) -> void {
      for (const scene::Item& item : group.items) {
        const auto* text = std::get_if<scene::TextShape>(&item.shape);
        if (text && text->style.weight == scene::Weight::semibold && item.id.starts_with("step:"))
          names.push_back(text->text);
        if (const auto* inner = std::get_if<scene::Group>(&item.shape)) self(self, *inner);
      }
    };
    visit(visit, scene.root);
    return names;
  };
  EXPECT_TRUE(bold().empty());
  plot.chosen = "step:2";
  EXPECT_EQ(bold(), std::vector<std::string>{plot.x.categories[2]});
}

TEST(Plot, ProvenancesDifferInMoreThanColour) {
  std::set<std::tuple<std::vector<double>, double, int>> lines;
  std::set<std::tuple<double, bool, bool>> bars;
  for (const Provenance p :
       {Provenance::recorded, Provenance::modelled, Provenance::emulated, Provenance::live}) {
    const Look look = look_of(p);
    lines.emplace(look.dash, look.line_width, static_cast<int>(look.marker));
    bars.emplace(look.bar_opacity, look.bar_outlined, look.bar_hatched);
  }
  EXPECT_EQ(lines.size(), 4u);
  EXPECT_EQ(bars.size(), 4u);
}

// Names of lines that need more of the width than they may have take two lines, and are shortened only where
// these do not stand under one another.
TEST(Plot, LongNamesAtTheEndsOfLinesTakeTwoLines) {
  Plot plot{.title = "Lines", .subtitle = "of a device"};
  for (int i = 0; i < 6; ++i)
    plot.series.push_back({.id = "line " + std::to_string(i),
                           .name = std::to_string(i) + " a name too long for its room",
                           .x = {1, 2},
                           .y = {1.0 + i, 2.0 + i}});
  plot.names_at_ends = true;
  const auto lines_in = [&](scene::Size size) {
    const Layout layout = layout_plot(plot, plot_area(size), kMeasure);
    EXPECT_EQ(layout.end_names.size(), 6u);
    EXPECT_GT(layout.frame.width, 0.4 * layout.area.width);
    std::vector<std::pair<std::string, Rect>> texts;
    collect_texts(draw_plot(plot, layout, kMeasure), texts);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      EXPECT_LE(texts[i].second.right(), layout.area.right() + 0.01) << texts[i].first;
      for (std::size_t k = 0; k < i; ++k)
        EXPECT_FALSE(scene::overlaps(texts[i].second, texts[k].second)) << texts[i].first;
    }
    return layout.end_names[2].lines;
  };
  EXPECT_EQ(lines_in({560, 480}), (std::vector<std::string>{"3 a name too long for its", "room"}));
  const auto low = lines_in({560, 220});
  ASSERT_EQ(low.size(), 1u);
  EXPECT_TRUE(low[0].ends_with("…")) << low[0];
  for (Series& series : plot.series) series.name += ", and for a second line, and even for a third line";
  const auto longer = lines_in({560, 480});
  ASSERT_EQ(longer.size(), 2u);
  EXPECT_TRUE(longer[1].ends_with("…")) << longer[1];
  EXPECT_TRUE(layout_plot(plot, plot_area({300, 480}), kMeasure).end_names.empty());
}

// A bold letter is wider than a regular one.
class WeighingMeasure final : public scene::TextMeasure {
 public:
  double width(std::string_view text, const scene::TextStyle& style) const override {
    return kMeasure.width(text, style) * (1 + 0.0003 * (static_cast<int>(style.weight) - 400));
  }
  scene::FontMetrics metrics(const scene::TextStyle& style) const override { return kMeasure.metrics(style); }
};

TEST(Plot, WhatIsChosenHasRoomForItsWholeName) {
  const WeighingMeasure weighing;
  Plot bars{.horizontal = true, .chosen = "step:1"};
  bars.x.scale = Scale::category;
  bars.x.categories = {"one", "the longest of all names", "three"};
  bars.x.category_ids = {"step:0", "step:1", "step:2"};
  bars.series = {{.kind = Series::Kind::bars, .x = {0, 1, 2}, .y = {1, 2, 3}}};
  Plot lines{.names_at_ends = true, .chosen = "step:1"};
  for (std::size_t i = 0; i < 3; ++i)
    lines.series.push_back({.id = bars.x.category_ids[i],
                            .name = bars.x.categories[i],
                            .x = {0, 1},
                            .y = {0, 1 + static_cast<double>(i)}});
  for (const Plot* plot : {&bars, &lines}) {
    bool found = false;
    const auto visit = [&](const auto& self, const scene::Group& group) -> void {
      for (const scene::Item& item : group.items) {
        const auto* text = std::get_if<scene::TextShape>(&item.shape);
        if (text && text->text == bars.x.categories[1] && text->style.weight >= scene::Weight::semibold) {
          found = true;
          EXPECT_EQ(scene::place(*text, weighing).text, text->text);
        }
        if (const auto* inner = std::get_if<scene::Group>(&item.shape)) self(self, *inner);
      }
    };
    visit(visit, plot_scene(*plot, {800, 500}, weighing).root);
    EXPECT_TRUE(found);
  }
}

// The chosen line is drawn after all others, so that none hides it.
TEST(Plot, TheChosenLineLiesOverTheOthers) {
  Plot plot;
  for (const char* id : {"a", "b", "c"}) plot.series.push_back({.id = id, .x = {0, 1}, .y = {0, 1}});
  const auto order = [&] {
    std::string ids;
    for (const scene::Item& item :
         draw_plot(plot, layout_plot(plot, {0, 0, 800, 500}, kMeasure), kMeasure).items)
      if (item.id.size() == 1) ids += item.id;
    return ids;
  };
  EXPECT_EQ(order(), "abc");
  plot.chosen = "b";
  EXPECT_EQ(order(), "acb");
}

TEST(Plot, AMillionPointsStaySmall) {
  Plot plot;
  Series s{.markers = false};
  for (int i = 0; i < 1000000; ++i) s.x.push_back(i), s.y.push_back(i == 777777 ? 50 : std::sin(i * 1e-4));
  plot.series = {s};
  const auto svg = paint::to_svg(plot_scene(plot, {800, 400}, kMeasure), theme::dark(), kMeasure);
  ASSERT_TRUE(svg);
  EXPECT_LT(svg->size(), 120000u);
  // The lone spike is not thinned away.
  const Layout layout = layout_plot(plot, plot_area({800, 400}), kMeasure);
  const scene::Rect bounds =
      *scene::find_bounds(plot_scene(plot, {800, 400}, kMeasure), "series-1", kMeasure);
  EXPECT_NEAR(bounds.y, layout.at(777777, 50).y, 0.5);
}

TEST(Csv, QuotesAndNamesCategories) {
  Plot plot;
  plot.x = {.scale = Scale::category, .categories = {"Tile, 32", "say \"16\""}};
  plot.series = {{.name = "A",
                  .provenance = Provenance::modelled,
                  .x = {0, 1},
                  .y = {0.1, std::nan("")},
                  .labels = {"", "n/a"}}};
  EXPECT_EQ(to_csv(plot),
            "series,provenance,x,y,low,high,label\nA,modelled,\"Tile, 32\",0.1,,,\nA,modelled,\"say "
            "\"\"16\"\"\",,,,n/a\n");
}

// Run with WARPLENS_WRITE_GOLDEN=1 to write the files anew; look at the difference before committing it.
void expect_golden(const std::string& name, const std::string& svg) {
  const std::string path = source_path("viz/testdata/") + name + ".svg";
  if (std::getenv("WARPLENS_WRITE_GOLDEN")) std::ofstream(path, std::ios::binary) << svg;
  std::ifstream file(path, std::ios::binary);
  std::stringstream golden;
  golden << file.rdbuf();
  EXPECT_TRUE(svg == golden.str()) << path << " differs";
}

TEST(Plot, GoldenPictures) {
  const std::pair<const char*, Plot> plots[] = {{"plot-ladder", samples::ladder()},
                                                {"plot-grouped", samples::grouped()},
                                                {"plot-size-curve", samples::size_curve()},
                                                {"plot-roofline", samples::roofline()},
                                                {"plot-occupancy", samples::occupancy()}};
  for (const auto& [name, plot] : plots) {
    const auto svg = paint::to_svg(plot_scene(plot, {720, 440}, kMeasure), theme::light(), kMeasure);
    ASSERT_TRUE(svg);
    expect_golden(name, *svg);
  }
}

}  // namespace
}  // namespace warplens::plot
