// Ladder, size curve and roofline: what comes from where stays apart, and golden SVGs.
#include "viz/figures/performance/performance.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "viz/figures/performance/performance_input.hpp"
#include "viz/figures/testing/figure_support.hpp"
#include "viz/plot/plot_layout.hpp"
#include "viz/scene/testing/fixed_measure.hpp"
#include "viz/scene/text_layout.hpp"

namespace warplens::figures {
namespace {

using plot::Provenance, testing::HasSubstr, testing::Not;

PerformancePoint step(const std::string& title, double size, double recorded, double intensity) {
  PerformancePoint point{.step = title, .id = "ladder/" + title, .size = size};
  if (recorded > 0) {
    point.recorded = MeasuredSpeed{recorded, "measured here"};
    point.library = MeasuredSpeed{1000, "cuBLAS"};
  }
  if (intensity > 0) point.work = 1e9 * intensity, point.bytes = 1e9, point.counted = "counted here";
  return point;
}

PerformanceInput input() {
  PerformanceInput input{.title = "Ladder", .device = "A chip"};
  input.roofline = device::Roofline{.peak_gflops = 1200, .memory_gb_per_s = 100};
  input.points = {step("naive", 512, 50, 0.25), step("tiled", 512, 400, 4), step("final", 512, 0, 40)};
  return input;
}

const plot::Series* series(const plot::Plot& plot, Provenance provenance) {
  for (const auto& s : plot.series)
    if (s.provenance == provenance && s.id != "roof") return &s;
  return nullptr;
}

TEST(Performance, TheModelIsTheLesserOfMemoryAndPeak) {
  const PerformanceInput in = input();
  EXPECT_DOUBLE_EQ(modelled_speed(in, in.points[0]).value(), 25);    // 100 GB/s * 0.25
  EXPECT_DOUBLE_EQ(modelled_speed(in, in.points[1]).value(), 400);   // 100 GB/s * 4
  EXPECT_DOUBLE_EQ(modelled_speed(in, in.points[2]).value(), 1200);  // the peak
  EXPECT_THAT(modelled_formula(in, in.points[0]), HasSubstr("100 GB/s of memory × 0.25 operations a byte"));
  EXPECT_THAT(modelled_formula(in, in.points[0]), HasSubstr("counted here"));
}

TEST(Performance, WorkWithoutMultiplyAddsSaysThatItsPeakIsHalf) {
  PerformanceInput in = input();
  const std::string whole = ladder_plot(in).caption;
  EXPECT_THAT(whole, HasSubstr("up to the device's peak;"));
  in.roofline->multiply_adds = false;
  EXPECT_THAT(ladder_plot(in).caption,
              HasSubstr("up to half the device's peak, as there are no multiply-adds;"));
  EXPECT_THAT(modelled_formula(in, in.points[2]), HasSubstr("and the peak without multiply-adds of 1,200"));
  EXPECT_THAT(roofline_plot(in).series.front().tips.back(), HasSubstr("Half the device's peak"));
}

TEST(Performance, NothingIsModelledWithoutACountOrAChip) {
  PerformanceInput in = input();
  EXPECT_FALSE(modelled_speed(in, step("x", 1, 5, 0)));
  in.roofline.reset();
  EXPECT_FALSE(modelled_speed(in, in.points[0]));
  EXPECT_EQ(modelled_formula(in, in.points[0]), "");
}

// The model knows a chip at work as a whole.
TEST(Performance, NothingIsModelledWhereAMultiprocessorHasNoBlock) {
  PerformanceInput in = input();
  in.roofline->multiprocessors = 108;
  in.points[0].blocks = 107, in.points[1].blocks = 108;  // those of the third are not known
  EXPECT_FALSE(modelled_speed(in, in.points[0]));
  EXPECT_TRUE(modelled_speed(in, in.points[1]));
  EXPECT_TRUE(modelled_speed(in, in.points[2]));
  const plot::Plot ladder = ladder_plot(in);
  EXPECT_THAT(ladder.caption,
              HasSubstr("Not modelled, with fewer blocks than the device's 108 multiprocessors: step 1"));
  EXPECT_TRUE(std::isnan(series(ladder, Provenance::modelled)->y[0]));
  EXPECT_EQ(too_few_blocks(in), "fewer blocks than the device's 108 multiprocessors");
  in.points[1].blocks = in.points[2].blocks = 64;
  EXPECT_THAT(ladder_plot(in).caption, HasSubstr("multiprocessors: steps 1 to 3"));
  EXPECT_EQ(series(ladder_plot(in), Provenance::modelled), nullptr);
  // The roof and what was counted are as they were.
  EXPECT_DOUBLE_EQ(series(roofline_plot(in), Provenance::emulated)->y[0], 25);
}

TEST(Performance, SpeedInBytesHasNoPeak) {
  PerformanceInput in = input();
  in.unit = "GB/s";
  EXPECT_DOUBLE_EQ(modelled_speed(in, in.points[2]).value(), 4000);
}

TEST(Performance, RecordedLiveAndModelledBarsAreSeriesOfTheirOwn) {
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
  EXPECT_TRUE(std::isnan(series(plot, Provenance::recorded)->y[2]));
  EXPECT_EQ(series(plot, Provenance::recorded)->labels[1], "400, 8×");
  EXPECT_THAT(plot::describe(plot, 0, 1), HasSubstr("(recorded)\nmeasured here"));
  ASSERT_EQ(plot.annotations.size(), 1u);
  EXPECT_THAT(plot.annotations[0].text, HasSubstr("cuBLAS 1,000, recorded"));
}

TEST(Performance, TheSizeCurveIsMeasuredOrModelledAndNumbersItsLines) {
  PerformanceInput in = input();
  for (auto& point : input().points) point.size = 1024, in.points.push_back(point);
  const plot::Plot measured = size_plot(in);
  EXPECT_EQ(series(measured, Provenance::modelled), nullptr);
  ASSERT_EQ(measured.series.size(), 3u);  // two steps and the library
  EXPECT_EQ(measured.series[0].name, "1 naive");
  EXPECT_TRUE(measured.names_at_ends);
  EXPECT_EQ(measured.series[2].x, (std::vector<double>{512, 1024}));  // one point a size, not one a step
  for (auto& point : in.points) point.recorded.reset(), point.library.reset();
  const plot::Plot modelled = size_plot(in);
  EXPECT_EQ(series(modelled, Provenance::recorded), nullptr);
  EXPECT_EQ(modelled.series.size(), 3u);
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
}

// Both speed-ups: over the first step, and over the step before, which is the one with a speed of its own.
TEST(Performance, BarsSayBothSpeedUps) {
  PerformanceInput in = input();
  ASSERT_FALSE(in.points[2].recorded);
  in.points.push_back(in.points[1]);
  in.points.back().recorded->value = 600;
  const plot::Plot plot = ladder_plot(in);
  const auto& labels = series(plot, Provenance::recorded)->labels;
  EXPECT_EQ(labels[0], "50, 1×");
  EXPECT_EQ(labels[1], "400, 8×");  // the step before is the first one
  EXPECT_EQ(labels[3], "600, 12×, 1.5× step 2");
  EXPECT_THAT(plot.caption, HasSubstr("A plain × is over step 1"));
  EXPECT_THAT(ladder_plot(input()).caption, Not(HasSubstr("plain")));
}

// More than 10,000 GFLOP/s are TFLOP/s; what the model says is no speed-up where something was measured.
TEST(Performance, FastResultsAreWrittenInThousands) {
  PerformanceInput in = input();
  in.roofline = device::Roofline{.peak_gflops = 60'000, .memory_gb_per_s = 3'000};
  in.points[1].recorded->value = 41'374;
  const plot::Plot plot = ladder_plot(in);
  EXPECT_EQ(plot.y.label, "TFLOP/s");
  EXPECT_EQ(series(plot, Provenance::recorded)->labels[1], "41.4, 827×");
  EXPECT_EQ(series(plot, Provenance::recorded)->y[1], 41'374);
  EXPECT_EQ(series(plot, Provenance::modelled)->labels[1], "12");
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
  std::set<std::pair<int, int>> looks;
  for (const plot::Series& line : plot.series)
    looks.emplace(static_cast<int>(line.color->token), line.shape.value() % 4);
  EXPECT_EQ(looks.size(), plot.series.size());
}

TEST(Performance, PointsOfTheRooflineStandAtTheirCountedIntensity) {
  const plot::Plot plot = roofline_plot(input());
  const plot::Series *counted = series(plot, Provenance::emulated),
                     *recorded = series(plot, Provenance::recorded);
  ASSERT_NE(counted, nullptr);
  ASSERT_NE(recorded, nullptr);
  EXPECT_EQ(counted->x, (std::vector<double>{0.25, 4, 40}));
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
  const auto& labels = series(plot, Provenance::emulated)->labels;
  EXPECT_EQ(labels, (std::vector<std::string>{"1 naive", "2 tiled", "3 final · 4 to 6", "", "", ""}));
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
TEST(Performance, RowsWithoutABarSayWhy) {
  PerformanceInput in{.title = "Ladder", .device = "A chip"};
  in.roofline = device::Roofline{.peak_gflops = 1200, .memory_gb_per_s = 100, .multiprocessors = 108};
  in.points = {step("naive", 512, 0, 0.25), step("tiled", 512, 0, 4), step("final", 512, 70, 40)};
  for (PerformancePoint& point : in.points) point.blocks = 1;
  in.points[0].blocks = 1024;
  const auto labels = [&] { return ladder_plot(in).series.front().labels; };
  EXPECT_THAT(labels(),
              testing::ElementsAre("", "not modelled, 1 block for 108 SMs", testing::StartsWith("70")));
  in.points[2].recorded.reset();
  in.points[2].blocks = 64;
  EXPECT_THAT(labels(), testing::ElementsAre(testing::StartsWith("25"), "not modelled, 1 block for 108 SMs",
                                             "not modelled, 64 blocks for 108 SMs"));
  // In its row, beside the axis.
  const scene::FixedMeasure measure;
  const plot::Plot plot = ladder_plot(in);
  const plot::Layout layout = plot::layout_plot(plot, plot::plot_area({700, 400}), measure);
  const auto texts = texts_of(plot::draw_plot(plot, layout, measure), measure);
  const auto note = std::ranges::find(texts, "not modelled, 64 blocks for 108 SMs",
                                      &std::pair<std::string, scene::Rect>::first);
  ASSERT_NE(note, texts.end());
  EXPECT_NEAR(note->second.center().y, layout.x.pixel(2), 1);
  EXPECT_GT(note->second.x, layout.frame.x);
  EXPECT_LT(note->second.right(), layout.frame.right());
}

// The names of steps stand near them, in low windows too, though good steps crowd below the corner of the
// roof.
TEST(Performance, LinesFromNamesToPointsAreShort) {
  PerformanceInput in{.title = "Ladder", .device = "A chip", .roofline = device::Roofline{66'900, 3'350}};
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
  const device::Device device = chip("1.0");
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
  ASSERT_EQ(input->points.size(), 1u);
  EXPECT_EQ(input->points[0].id, "m/1");
  EXPECT_EQ(input->points[0].number, 1u);
  EXPECT_EQ(input->caption,
            "Nearest values that " + device.name + " takes: 1 TILE = 16. Left out: 2 (too many threads)");
  const auto refused = performance_input(
      query, [](const PlannedPoint&) { return Result<Counted>(Counted{.refused = "too many threads"}); });
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("no step of it runs on"), std::string::npos);
}

}  // namespace
}  // namespace warplens::figures
