// Ladder, size curve and roofline: what comes from where stays apart, and golden SVGs.
#include "viz/figures/performance/performance.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "engine/explain/payoff/payoff.hpp"
#include "engine/run/testing/run_support.hpp"
#include "viz/figures/performance/occupancy.hpp"
#include "viz/figures/performance/performance_input.hpp"
#include "viz/figures/performance/performance_words.hpp"
#include "viz/figures/performance/transfers.hpp"
#include "viz/figures/testing/figure_support.hpp"
#include "viz/figures/testing/speeds.hpp"
#include "viz/plot/plot_layout.hpp"
#include "viz/scene/testing/fixed_measure.hpp"
#include "viz/scene/text_layout.hpp"

namespace warplens::figures {
namespace {

using plot::Provenance, testing::HasSubstr, testing::Not;

using speeds::input, speeds::step;

const plot::Series* series(const plot::Plot& plot, Provenance provenance) {
  for (const auto& s : plot.series)
    if (s.provenance == provenance && s.id != "roof") return &s;
  return nullptr;
}

TEST(Performance, WithoutCachesABoundIsTheLesserOfMemoryAndPeak) {
  const PerformanceInput in = input();
  EXPECT_DOUBLE_EQ(bound_of(in, in.points[0])->speed, 25);    // 100 GB/s * 0.25
  EXPECT_DOUBLE_EQ(bound_of(in, in.points[1])->speed, 400);   // 100 GB/s * 4
  EXPECT_DOUBLE_EQ(bound_of(in, in.points[2])->speed, 1200);  // the peak
  EXPECT_EQ(bound_of(in, in.points[0])->by, device::Roof::memory);
  EXPECT_EQ(bound_of(in, in.points[2])->by, device::Roof::arithmetic);
  EXPECT_THAT(bound_formula(in, in.points[0]),
              HasSubstr("At most, by memory\nmemory: 1 GB of sectors at 100 GB"));
  EXPECT_THAT(bound_formula(in, in.points[0]), HasSubstr("counted here"));
}

// What L1 gives is no traffic of memory: sectors that are asked for again and again come from there.
TEST(Performance, WithCachesEachPartHasItsOwnTraffic) {
  PerformanceInput in = input();
  in.roofline = device::Roofline{.peak_gflops = 1200,
                                 .memory_gb_per_s = 100,
                                 .l1_gb_per_s = 1000,
                                 .shared_giga_per_s = 10,
                                 .wavefront_bytes = 100};
  for (auto& point : in.points) point.least_bytes = 1e6;
  EXPECT_DOUBLE_EQ(bound_of(in, in.points[0])->speed, 250);  // 1000 GB/s * 0.25
  EXPECT_EQ(bound_of(in, in.points[0])->by, device::Roof::l1);
  in.points[1].wavefronts = 0.1e9;  // 10 ms, and arithmetic 3.3 ms
  EXPECT_DOUBLE_EQ(bound_of(in, in.points[1])->speed, 400);
  EXPECT_EQ(bound_of(in, in.points[1])->by, device::Roof::shared);
  const Intensities at = intensities_of(*in.roofline, in.points[1]);
  EXPECT_DOUBLE_EQ(at.memory, 4000);
  EXPECT_DOUBLE_EQ(at.on_chip, 0.4);  // 4e9 operations for 10 GB of wavefronts
  const plot::Plot plot = roofline_plot(in);
  EXPECT_EQ(plot.series[0].id, "roof-chip");
  EXPECT_EQ(plot.series[1].id, "roof");
  EXPECT_DOUBLE_EQ(series(plot, Provenance::recorded)->x[1], 0.4);
}

TEST(Performance, WorkWithoutMultiplyAddsSaysThatItsPeakIsHalf) {
  PerformanceInput in = input();
  EXPECT_THAT(ladder_plot(in).caption, Not(HasSubstr("half the peak")));
  in.roofline->multiply_adds = false;
  EXPECT_THAT(ladder_plot(in).caption, HasSubstr("half the peak, as there are no multiply-adds"));
  EXPECT_THAT(bound_formula(in, in.points[2]), HasSubstr("operations without multiply-adds at 1.2 T"));
  EXPECT_THAT(roofline_plot(in).series.front().tips.back(), HasSubstr("Half the device’s peak"));
}

TEST(Performance, NothingIsBoundWithoutACountOrADevice) {
  PerformanceInput in = input();
  EXPECT_FALSE(bound_of(in, step("x", 1, 5, 0)));
  in.roofline.reset();
  EXPECT_FALSE(bound_of(in, in.points[0]));
  EXPECT_EQ(bound_formula(in, in.points[0]), "");
}

// Only multiprocessors that have a block work, while one block may draw on all of the memory.
TEST(Performance, ASmallGridIsBoundByTheMultiprocessorsThatItHas) {
  PerformanceInput in = input();
  in.roofline->multiprocessors = 108;
  for (auto& point : in.points) point.blocks = 27;
  EXPECT_DOUBLE_EQ(bound_of(in, in.points[2])->speed, 300);
  EXPECT_DOUBLE_EQ(bound_of(in, in.points[0])->speed, 25);
  EXPECT_THAT(bound_formula(in, in.points[0]), HasSubstr("27 blocks on 108 SMs: 81 idle"));
  EXPECT_THAT(ladder_plot(in).caption,
              HasSubstr("Some of the 108 SMs are idle: steps 1 to 3 have 27 blocks"));
  in.points[0].blocks = in.points[1].blocks = 108;
  EXPECT_THAT(ladder_plot(in).caption, HasSubstr("Some of the 108 SMs are idle: step 3 has 27 blocks"));
  in.points[2].blocks = 0;  // not known
  EXPECT_THAT(ladder_plot(in).caption, Not(HasSubstr("idle")));
}

TEST(Performance, SpeedInBytesIsAtMostTheMemorys) {
  PerformanceInput in = input();
  in.unit = "GB/s";
  EXPECT_DOUBLE_EQ(bound_of(in, in.points[2])->speed, in.roofline->memory_gb_per_s);
  EXPECT_EQ(bound_of(in, in.points[2])->by, device::Roof::memory);
  // How fast L2 is, nobody says.
  in.roofline->caches = true;
  in.roofline->l2_bytes = 2e9;
  in.points[2].wavefronts = 1, in.roofline->shared_giga_per_s = 1, in.points[2].least_bytes = 1e9;
  EXPECT_FALSE(bound_of(in, in.points[2]));
  EXPECT_EQ(bound_formula(in, in.points[2]), "");
}

// A sum has one operation for four bytes: its speed is told in bytes, and its roofline is of operations.
TEST(Performance, ARooflineIsOfOperationsWhateverTheSpeedIsToldIn) {
  PerformanceInput in = input();
  const plot::Plot before = roofline_plot(in);
  const double told = series(before, Provenance::recorded)->y[1];
  in.unit = "GB/s";
  EXPECT_FALSE(has_operations(in));
  for (auto& point : in.points) {
    point.operations = point.work;
    point.work *= 4;
    if (point.recorded) point.recorded->value *= 4;
  }
  EXPECT_TRUE(has_operations(in));
  const plot::Plot after = roofline_plot(in);
  EXPECT_DOUBLE_EQ(series(after, Provenance::recorded)->y[1], told);
  EXPECT_EQ(roofline_plot(in).y.label, "GFLOP/s");
}

TEST(Performance, RecordedAndLiveBarsAndTheMarksOfBoundsAreSeriesOfTheirOwn) {
  PerformanceInput in = input();
  in.points[1].live = MeasuredSpeed{410, "just now"};
  const plot::Plot plot = ladder_plot(in);
  ASSERT_EQ(plot.series.size(), 3u);
  for (const Provenance provenance : {Provenance::recorded, Provenance::live, Provenance::modelled}) {
    const plot::Series* s = series(plot, provenance);
    ASSERT_NE(s, nullptr);
    EXPECT_EQ(s->y.size(), in.points.size());
    EXPECT_EQ(s->ids[1], "step:ladder/tiled");
  }
  EXPECT_EQ(series(plot, Provenance::modelled)->kind, plot::Series::Kind::marks);
  EXPECT_EQ(series(plot, Provenance::modelled)->labels[1], "");
  EXPECT_EQ(series(plot, Provenance::modelled)->labels[2], "at most 1,200");  // nothing else is in its row
  EXPECT_TRUE(std::isnan(series(plot, Provenance::recorded)->y[2]));
  EXPECT_EQ(series(plot, Provenance::recorded)->labels[1], "400 · 8× step 1");
  EXPECT_THAT(plot::describe(plot, 0, 1), HasSubstr("(recorded)\nmeasured here"));
  ASSERT_EQ(plot.annotations.size(), 1u);
  EXPECT_THAT(plot.annotations[0].text, HasSubstr("cuBLAS 1,000, recorded"));
}

TEST(Performance, TheSizeCurveIsMeasuredOrPredictedAndNumbersItsLines) {
  PerformanceInput in = input();
  for (auto& point : input().points) point.size = 1024, in.points.push_back(point);
  const plot::Plot measured = size_plot(in);
  EXPECT_EQ(series(measured, Provenance::modelled), nullptr);
  ASSERT_EQ(measured.series.size(), 3u);  // two steps and the library
  EXPECT_EQ(measured.series[0].name, "1 naive");
  EXPECT_TRUE(measured.names_at_ends);
  EXPECT_EQ(measured.series[2].x, (std::vector<double>{512, 1024}));  // one point a size, not one a step
  for (auto& point : in.points) point.recorded.reset(), point.library.reset();
  EXPECT_TRUE(size_plot(in).series.empty()) << "what the device allows is no speed";
  for (auto& point : in.points) point.predicted = MeasuredSpeed{point.size / 8, "predicted"};
  const plot::Plot predicted = size_plot(in);
  EXPECT_EQ(series(predicted, Provenance::recorded), nullptr);
  ASSERT_EQ(predicted.series.size(), 3u);
  EXPECT_EQ(predicted.series[0].y, (std::vector<double>{64, 128}));
  EXPECT_THAT(predicted.caption, HasSubstr("predicted by the model of time"));
  EXPECT_EQ(predicted.caption.find("At most"), std::string::npos);
}

// A step that was measured at one size of two: the other one is predicted, and the step has one name.
TEST(Performance, TheSizeCurvePredictsWhatWasNotMeasured) {
  PerformanceInput in = input();
  in.points = {step("tiled", 512, 100, 0), step("tiled", 1024, 0, 0)};
  in.points[1].recorded.reset(), in.points[1].predicted = MeasuredSpeed{380, "predicted"};
  in.points[0].predicted = MeasuredSpeed{90, "predicted"};
  for (auto& point : in.points) point.library.reset();
  const plot::Plot plot = size_plot(in);
  ASSERT_EQ(plot.series.size(), 2u);
  EXPECT_EQ(series(plot, Provenance::recorded)->x, (std::vector<double>{512}));
  EXPECT_EQ(series(plot, Provenance::modelled)->x, (std::vector<double>{1024}));
  EXPECT_EQ(series(plot, Provenance::modelled)->name, "");
}

// cuBLAS at 1,000 would press two steps at 50 and 100 together.
TEST(Performance, TheSizeCurveLeavesALibraryFarAboveOut) {
  PerformanceInput in = input();
  in.points = {step("naive", 512, 50, 0), step("strip", 512, 100, 0)};
  EXPECT_EQ(size_plot(in).series.size(), 2u);
  EXPECT_THAT(size_plot(in).caption, HasSubstr("cuBLAS is far above: 1,000 GFLOP/s at 512"));
  in.points[1].recorded->value = 400;
  EXPECT_EQ(size_plot(in).series.size(), 3u);
  EXPECT_EQ(size_plot(in).caption, in.caption);
}

TEST(Transfers, ShowsTheMemoriesThatAreAskedFor) {
  measured::Transfers all;
  for (const auto memory : measured::kHostMemories)
    for (const auto direction : measured::kDirections)
      all.copies.push_back({std::string(memory), std::string(direction), 64u << 20, {2e-3, 1e-3, 3e-3}});
  PerformanceInput in{.device = "A device"};
  in.transfers = std::make_shared<const measured::Transfers>(all);
  in.roofline = device::Roofline{.memory_gb_per_s = 4800};
  EXPECT_EQ(transfers_plot(in).series.size(), 8u);
  in.memories = memories_named("pageable,pinned").value();
  const plot::Plot plot = transfers_plot(in);
  ASSERT_EQ(plot.series.size(), 4u);
  EXPECT_EQ(plot.series[0].name, "pageable, to device");
  EXPECT_EQ(bus_plot(in).x.categories.size(), 5u);  // two ways of two memories, and the device's own
  EXPECT_FALSE(memories_named("pageable,paged"));
  EXPECT_TRUE(memories_named("").value().empty());
}

TEST(Transfers, ShowsKernelsInOneStreamAndInTheirOwn) {
  PerformanceInput in{.device = "A device"};
  EXPECT_TRUE(concurrent_plot(in).series.empty());
  measured::Transfers all;
  all.kernels = {{1, 1, 1e-3}, {8, 1, 8e-3}, {8, 8, 1.1e-3}};
  in.transfers = std::make_shared<const measured::Transfers>(all);
  const plot::Plot plot = concurrent_plot(in);
  ASSERT_EQ(plot.series.size(), 2u);
  EXPECT_EQ(plot.x.categories, (std::vector<std::string>{"1 kernel", "8 kernels"}));
  EXPECT_EQ(plot.series[0].y, (std::vector<double>{1, 8}));
  EXPECT_EQ(plot.series[1].x, (std::vector<double>{1}));
  EXPECT_EQ(plot.series[1].labels.at(0), "1.1 ms");
}

TEST(Performance, ASmallGridLeavesMultiprocessorsIdle) {
  EXPECT_EQ(idle_words(16, 132), "16 blocks on 132 SMs: 116 idle");
  EXPECT_EQ(idle_words(1, 2), "1 block on 2 SMs: 1 idle");
  EXPECT_EQ(idle_words(132, 132), "");
  EXPECT_EQ(idle_words(0, 132), "");  // not known
  EXPECT_EQ(idle_words(16, 0), "");
}

TEST(Performance, TheSizeCurveMarksTheRun) {
  PerformanceInput in = input();
  EXPECT_TRUE(size_plot(in).annotations.empty());
  in.run_size = 1024;
  const plot::Plot plot = size_plot(in);
  ASSERT_EQ(plot.annotations.size(), 1u);
  EXPECT_EQ(plot.annotations[0].x, 1024);
  EXPECT_EQ(plot.annotations[0].text, "this run, 1,024");
  in.marks_run = false;
  EXPECT_EQ(size_plot(in).annotations.at(0).text, "1,024");
}

// Of six names few find a place on a stage.
TEST(Performance, ARooflineForAClassNamesTheChosenStep) {
  PerformanceInput in = input();
  while (in.points.size() < 6) in.points.push_back(in.points[1]);
  for (std::size_t i = 0; i < in.points.size(); ++i)
    in.points[i].id = std::to_string(i), in.points[i].number = i + 1;
  in.chosen = "1";
  const auto labels_of = [](const plot::Plot& plot) { return series(plot, Provenance::recorded)->labels; };
  const auto alone = labels_of(roofline_plot(in));
  EXPECT_THAT(alone[0], HasSubstr("1 naive"));
  in.look = Look::stage;
  const auto for_class = labels_of(roofline_plot(in));
  EXPECT_EQ(for_class[0], "1");
  EXPECT_THAT(for_class[1], HasSubstr("2 "));
  EXPECT_EQ(for_class[3], "4");
}

// Both speed-ups: over the first step, and over the step before, which is the one with a speed of its own.
TEST(Performance, BarsSayBothSpeedUps) {
  PerformanceInput in = input();
  ASSERT_FALSE(in.points[2].recorded);
  in.points.push_back(in.points[1]);
  in.points.back().recorded->value = 600;
  const plot::Plot plot = ladder_plot(in);
  const auto& labels = series(plot, Provenance::recorded)->labels;
  EXPECT_EQ(labels[0], "50");
  EXPECT_EQ(labels[1], "400 · 8× step 1");  // the step before is the first one
  EXPECT_EQ(labels[3], "600 · 12× step 1");
  EXPECT_THAT(series(plot, Provenance::recorded)->tips[3], HasSubstr("1.5× step 2"));
}

// More than 10,000 GFLOP/s are TFLOP/s.
TEST(Performance, FastResultsAreWrittenInThousands) {
  PerformanceInput in = input();
  in.roofline = device::Roofline{.peak_gflops = 60'000, .memory_gb_per_s = 3'000};
  in.points[1].recorded->value = 41'374;
  const plot::Plot plot = ladder_plot(in);
  EXPECT_EQ(plot.y.label, "TFLOP/s");
  EXPECT_EQ(series(plot, Provenance::recorded)->labels[1], "41.4 · 827× step 1");
  EXPECT_EQ(series(plot, Provenance::recorded)->y[1], 41'374);
  in.unit = "GB/s";
  EXPECT_EQ(ladder_plot(in).y.label, "TB/s");
  EXPECT_EQ(ladder_plot(input()).y.label, "GFLOP/s");
}

// All steps keep apart: two lines never have both colour and marker in common.
TEST(Performance, LinesOfManyStepsCanBeToldApart) {
  PerformanceInput in = input();
  in.points.clear();
  for (int s = 0; s < 20; ++s)
    for (const double size : {512.0, 1024.0})
      in.points.push_back(step("step " + std::to_string(s), size, 10.0 + s, 0));
  const plot::Plot plot = size_plot(in);
  std::set<std::tuple<int, int, int, int>> looks;
  for (const plot::Series& line : plot.series) {
    const theme::Rgba color = scene::resolve(*line.color, theme::dark());
    looks.emplace(color.r, color.g, color.b, line.shape.value() % 4);
    for (const theme::Theme* theme : {&theme::dark(), &theme::light()})
      EXPECT_GE(theme::contrast(scene::resolve(*line.color, *theme), (*theme)[theme::Token::background]), 3)
          << line.name << ", " << theme->name;
  }
  EXPECT_EQ(looks.size(), plot.series.size());
}

TEST(Performance, PointsOfTheRooflineStandAtTheirCountedIntensity) {
  const plot::Plot plot = roofline_plot(input());
  const plot::Series *counted = series(plot, Provenance::emulated),
                     *recorded = series(plot, Provenance::recorded);
  ASSERT_NE(counted, nullptr);
  ASSERT_NE(recorded, nullptr);
  EXPECT_EQ(recorded->x, (std::vector<double>{0.25, 4, 40}));
  EXPECT_TRUE(std::isnan(counted->y[1]));  // it was measured
  EXPECT_DOUBLE_EQ(counted->y[2], 1200);   // it was not: on its roof
  EXPECT_DOUBLE_EQ(recorded->x[1], 4);
  EXPECT_DOUBLE_EQ(recorded->y[1], 400);
}

// A number has one colour in every figure: that of where it comes from.
TEST(Performance, ColoursSayWhereANumberComesFrom) {
  PerformanceInput in = input();
  in.points[1].live = MeasuredSpeed{410, "just now"};
  const plot::Plot bars = ladder_plot(in), roof = roofline_plot(in);
  for (const Provenance provenance : {Provenance::recorded, Provenance::live})
    EXPECT_EQ(series(bars, provenance)->color, series(roof, provenance)->color);
  EXPECT_EQ(series(bars, Provenance::modelled)->color, roof.series.front().color);
  std::set<int> colors;
  for (const Provenance provenance : {Provenance::recorded, Provenance::live, Provenance::emulated})
    colors.insert(static_cast<int>(series(roof, provenance)->color->token));
  colors.insert(static_cast<int>(roof.series.front().color->token));
  EXPECT_EQ(colors.size(), 4u);
}

TEST(Performance, TheChosenStepIsMarkedInEveryFigure) {
  PerformanceInput in = input();
  in.chosen = "ladder/tiled";
  for (const plot::Plot& plot : {ladder_plot(in), size_plot(in), roofline_plot(in)})
    EXPECT_EQ(plot.chosen, "step:ladder/tiled");
  EXPECT_EQ(ladder_plot(in).x.category_ids[1], "step:ladder/tiled");
  EXPECT_EQ(ladder_plot(in).x.categories[1], "2 tiled");
  EXPECT_EQ(ladder_plot(input()).chosen, "");
}

TEST(Performance, StepsAtOnePlaceOfTheRooflineShareALabel) {
  PerformanceInput in = input();
  for (const char* title : {"more", "most", "last"}) in.points.push_back(step(title, 512, 0, 41));
  const plot::Plot plot = roofline_plot(in);
  const auto labels = [&](Provenance provenance) { return series(plot, provenance)->labels; };
  EXPECT_EQ(labels(Provenance::recorded), (std::vector<std::string>{"1 naive", "2 tiled", "", "", "", ""}));
  EXPECT_EQ(labels(Provenance::emulated), (std::vector<std::string>{"", "", "3 final · 4 to 6", "", "", ""}));
}

// The texts of a plot with their boxes.
std::vector<std::pair<std::string, scene::Rect>> texts_of(const scene::Group& drawn,
                                                          const scene::TextMeasure& measure) {
  std::vector<std::pair<std::string, scene::Rect>> texts;
  for (const scene::Item& item : drawn.items)
    if (const auto* text = std::get_if<scene::TextShape>(&item.shape)) {
      const auto placed = scene::place(*text, measure);
      const double cap = measure.metrics(text->style).cap_height;
      texts.push_back({placed.text, {placed.baseline.x, placed.baseline.y - cap, placed.width, cap}});
    }
  return texts;
}

// A row without a bar says why there is none, and where there is one nothing is said.
TEST(Performance, RowsWithoutABarSayWhatWasMeasuredInstead) {
  PerformanceInput in = input();
  in.points[2].unmeasured = "PAD = 0";
  in.points[2].nearest = MeasuredSpeed{350, "measured"};
  in.points[2].nearest_values = "PAD = 1";
  const std::string words = "not measured with PAD = 0; 350 with PAD = 1";
  EXPECT_THAT(series(ladder_plot(in), Provenance::recorded)->labels,
              testing::ElementsAre("50", "400 · 8× step 1", words));
  EXPECT_EQ(series(ladder_plot(in), Provenance::modelled)->labels[2], "");
  // In its row, beside the axis.
  const scene::FixedMeasure measure;
  const plot::Plot plot = ladder_plot(in);
  const plot::Layout layout = plot::layout_plot(plot, plot::plot_area({700, 400}), measure);
  const auto texts = texts_of(plot::draw_plot(plot, layout, measure), measure);
  const auto note = std::ranges::find(texts, words, &std::pair<std::string, scene::Rect>::first);
  ASSERT_NE(note, texts.end());
  EXPECT_NEAR(note->second.center().y, layout.x.pixel(2), 1);
  EXPECT_GT(note->second.x, layout.frame.x);
  EXPECT_LT(note->second.right(), layout.frame.right());
}

// A class sees how many times one rate is the other only where both have one unit.
TEST(Performance, RoofsSayTheirRatesInOneUnit) {
  for (const double memory : {80.0, 3'350.0}) {
    PerformanceInput in{
        .title = "Ladder",
        .device = "A device",
        .roofline = device::Roofline{
            .peak_gflops = 66'900, .memory_gb_per_s = memory, .l1_gb_per_s = 10 * memory, .caches = true}};
    in.roofline->l2_gb_per_s = 2 * memory;
    in.points.push_back(step("Naive", 4096, 499, 0.06));
    std::set<std::string> units;
    std::size_t rates = 0;
    for (const plot::Series& series : roofline_plot(in).series)
      if (const auto at = series.name.rfind("B/s"); at != std::string::npos)
        units.insert(series.name.substr(at - 1)), ++rates;
    EXPECT_GE(rates, 1u) << memory;
    EXPECT_EQ(units, std::set<std::string>{memory < 1000 ? "GB/s" : "TB/s"}) << memory;
  }
}

// The names of steps stand near them, in low windows too, though good steps crowd below the corner of the
// roof.
TEST(Performance, LinesFromNamesToPointsAreShort) {
  PerformanceInput in{
      .title = "Ladder",
      .device = "A device",
      .roofline = device::Roofline{.peak_gflops = 66'900, .memory_gb_per_s = 3'350, .caches = false}};
  const std::tuple<const char*, double, double> steps[] = {{"Naive", 0.06, 499},
                                                           {"Coalesced", 0.4, 4'990},
                                                           {"Shared-memory tiling", 8, 9'030},
                                                           {"A column of results per thread", 16, 17'300},
                                                           {"A register tile per thread", 28, 32'100},
                                                           {"Vectorized accesses", 28, 31'300},
                                                           {"No bank conflicts", 29, 34'100},
                                                           {"Double buffering", 30, 41'400},
                                                           {"Warp tiles", 31, 46'400},
                                                           {"Asynchronous pipeline", 42, 48'700}};
  for (const auto& [title, intensity, speed] : steps)
    in.points.push_back(step(title, 4096, speed, intensity));
  const scene::FixedMeasure measure;
  for (const scene::Size size : {scene::Size{512, 340}, {640, 420}, {980, 560}}) {
    const plot::Plot plot = roofline_plot(in);
    const plot::Layout layout = plot::layout_plot(plot, plot::plot_area(size), measure);
    std::size_t names = 0;
    for (const scene::Item& item : plot::draw_plot(plot, layout, measure).items) {
      if (const auto* text = std::get_if<scene::TextShape>(&item.shape))
        names += text->text.find("register tile") != std::string::npos ||
                 text->text.find("Asynchronous") != std::string::npos;
      const auto* line = std::get_if<scene::LineShape>(&item.shape);
      if (line == nullptr || line->stroke.color.alpha != 0.8) continue;
      EXPECT_LT(std::hypot(line->to.x - line->from.x, line->to.y - line->from.y), 0.3 * layout.frame.width)
          << size.width;
    }
    EXPECT_EQ(names, 2u) << size.width;
  }
}

TEST(Performance, LooksAsItDid) {
  const scene::FixedMeasure measure;
  expect_golden(plot::plot_scene(ladder_plot(input()), {960, 540}, measure), "performance_ladder");
  expect_golden(plot::plot_scene(roofline_plot(input()), {960, 540}, measure), "performance_roofline");
}

TEST(PerformanceInput, SaysTheFormulaBehindANumber) {
  measured::RecordedSpeed recorded;
  recorded.params = {{"TILE", 8}};
  recorded.seconds = 0.5, recorded.spread = 0.01, recorded.launches = 12;
  recorded.gflops = 100, recorded.cublas_gflops = 200, recorded.cublas_version = "cuBLAS 13";
  const measured::RecordedSpeeds all{"NVIDIA H100 80GB HBM3", "1.2", "2026-11-21", {recorded}};
  const auto speed = measured_speed(all, all.results[0]);
  EXPECT_EQ(speed.value, 100);
  for (const char* part :
       {"50 G operations / 500 ms, the median of 12 launches (± 1 %)", "TILE = 8",
        "50 % of cuBLAS 13 in the same run", "NVIDIA H100 80GB HBM3, driver 1.2, 2026-11-21"})
    EXPECT_NE(speed.how.find(part), std::string::npos) << speed.how;
}

// A ladder of two steps of which the device takes one with other values, and refuses one.
TEST(PerformanceInput, SaysWhichStepsTheDeviceRunsOtherwise) {
  catalog::KernelSpec first, second;
  first.id = "m/1", second.id = "m/2";
  first.params.push_back({.name = "TILE", .default_value = 32, .values = {8, 16, 32}, .meaning = ""});
  const device::Device device = device_named("1.0");
  const measured::RecordedSpeeds none;
  const LadderQuery query{
      .steps = {&first, &second}, .sizes = {{{"N", 64}}}, .device = device, .recorded = none};
  const run::StepCount count{.work = 1e9,
                             .bytes = 1e6,
                             .blocks = 1000,
                             .unit = "GFLOP/s",
                             .words = "counted",
                             .parameters = {{"TILE", 16}}};
  const auto input = performance_input(query, [&](const PlannedPoint& point) {
    return point.number == 1 ? Result<Counted>(Counted{.count = &count})
                             : Counted{.refused = "too many threads"};
  });
  ASSERT_TRUE(input) << to_line(input.error());
  ASSERT_EQ(input->points.size(), 2u);
  EXPECT_EQ(input->points[1].refused, "too many threads");
  EXPECT_EQ(ladder_plot(*input).series.front().labels[1], "cannot run: too many threads");
  EXPECT_EQ(input->points[0].id, "m/1");
  EXPECT_EQ(input->points[0].number, 1u);
  EXPECT_EQ(input->caption, "Nearest values that " + device.name + " takes: 1 TILE = 16");
  const auto refused = performance_input(
      query, [](const PlannedPoint&) { return Result<Counted>(Counted{.refused = "too many threads"}); });
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("no step of it runs on"), std::string::npos);
}

// Each level of memory has its own roof, where its rate is known, and each step its point below.
TEST(Roofline, HasARoofOfL2WhereItsRateIsKnown) {
  PerformanceInput in = input();
  in.roofline = device::Roofline{.peak_gflops = 1200,
                                 .memory_gb_per_s = 100,
                                 .l1_gb_per_s = 1000,
                                 .shared_giga_per_s = 10,
                                 .wavefront_bytes = 100};
  for (auto& point : in.points) point.least_bytes = 1e6, point.l2_bytes = 0.5e9;
  const auto has_l2 = [&] {
    const plot::Plot plot = roofline_plot(in);
    return std::ranges::any_of(plot.series, [](const auto& s) { return s.id == "roof-l2"; });
  };
  EXPECT_FALSE(has_l2());
  in.roofline->l2_gb_per_s = 300;
  EXPECT_TRUE(has_l2());
  EXPECT_DOUBLE_EQ(intensities_of(*in.roofline, in.points[0]).l2, 0.5);  // 0.25e9 operations
  EXPECT_GT(roofline_of(run::device_named("h100"), true)->l2_gb_per_s, 4000);
  EXPECT_EQ(roofline_of(run::device_named("gtx280"), true)->l2_gb_per_s, 0);
}

// The peak of floats bounds only what is of floats; a row without a mark says why.
TEST(LadderPlot, HasNoMarkOfIntegers) {
  PerformanceInput in = input();
  for (PerformancePoint& point : in.points) point.recorded.reset(), point.live.reset();
  ASSERT_TRUE(bound_of(in, in.points[1]));
  EXPECT_EQ(no_bound_note(in).find("no peak is known"), std::string::npos);
  in.points[1].are_floats = false;
  EXPECT_FALSE(bound_of(in, in.points[1]));
  EXPECT_THAT(no_bound_note(in), HasSubstr("No mark at step 2: no peak is known"));
  EXPECT_THAT(ladder_plot(in).caption, HasSubstr("No mark at step 2"));
}

// A bar of code without what the step is about says so.
TEST(Ladder, SaysWhatStandsInForAnInstruction) {
  PerformanceInput in = input();
  in.points[2].replaced = "cp.async needs 8.0: plain copies run here";
  const plot::Plot plot = ladder_plot(in);
  const auto bound = std::ranges::find(plot.series, "bound", &plot::Series::id);
  ASSERT_NE(bound, plot.series.end());
  EXPECT_EQ(bound->labels[2], "at most 1,200; plain copies run here");
}

TEST(OccupancyWords, SayWithHowMuchLessABlockMoreFits) {
  OccupancyInput in{run::device_named("h100"), {256, 64, 0}, "Test"};
  const explain::Explanation registers = occupancy_words(in);
  EXPECT_EQ(registers.what, "32 of 64 warps fit on each SM");
  EXPECT_EQ(registers.why, "one more block would exceed its registers");
  EXPECT_EQ(registers.fix, "48 registers a thread instead of 64: then a further block fits");
  in.use = {256, 32, 0};
  EXPECT_EQ(occupancy_words(in).fix, "nothing to fix: an SM holds no more warps");
  in.spills = {explain::RuleId::spills, explain::Verdict::costly,
               "8 bytes of spills a thread, stored and loaded", "", "fewer"};
  EXPECT_EQ(occupancy_words(in).verdict, explain::Verdict::costly);
  EXPECT_TRUE(occupancy_words(in).why.ends_with("; 8 bytes of spills a thread, stored and loaded"));
  EXPECT_EQ(occupancy_words(in).fix, "fewer");
  in.spills = {};
  in.grid = 4 * 132;
  EXPECT_EQ(occupancy_words(in).what, "32 of 64 warps are on each SM on average");
  EXPECT_EQ(occupancy_words(in).why, "more blocks would fit, but the grid has no more");
  EXPECT_EQ(occupancy_words(in).fix, "");
  in.grid = 1;
  EXPECT_EQ(occupancy_words(in).what, "131 of 132 SMs have no block");
  EXPECT_EQ(occupancy_words(in).why, "the grid has 1 block; 64 of 64 warps would fit on each SM");
  EXPECT_EQ(occupancy_words(in).fix, "");
  in.grid = 0;
  in.use = {32, 32, 0};
  EXPECT_EQ(occupancy_words(in).fix, "blocks of 64 threads: then 64 warps fit");
}

// Warps are a means: of a kernel more of them are proposed where the model gains by one block more.
TEST(OccupancyWords, ProposeNoWarpsThatGainNothing) {
  OccupancyInput in{run::device_named("h100"), {256, 255, 0}, "Test"};
  in.kernel = in.use;
  EXPECT_EQ(occupancy_words(in).fix, "") << "not known yet";
  explain::Payoffs payoffs;
  payoffs.now.units.fma = 0.94, payoffs.with_more_warps = 0.01;
  EXPECT_EQ(occupancy_words(in, &payoffs).fix,
            "12.5 % is enough here: the multiply-add units are busy 94 % of the kernel's cycles");
  payoffs.now.units.fma = 0.3;
  EXPECT_EQ(occupancy_words(in, &payoffs).fix,
            "12.5 % is enough here: one more block on each SM gains nothing");
  payoffs.with_most_warps = 0.35;
  EXPECT_EQ(occupancy_words(in, &payoffs).fix, "one more block on each SM gains too little")
      << "many more gain";
  payoffs.with_more_warps = 0.2;
  EXPECT_EQ(occupancy_words(in, &payoffs).fix,
            "128 registers a thread instead of 255: then a further block fits");
  in.use.registers_per_thread = 200;  // of no kernel: nothing was predicted of it
  EXPECT_EQ(occupancy_words(in, &payoffs).fix, "");
}

}  // namespace
}  // namespace warplens::figures
