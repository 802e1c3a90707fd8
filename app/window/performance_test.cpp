// Speeds in the window: plots, cards and the list of steps, driven as a user would drive them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "app/base/paths.hpp"
#include "app/window/actions/pages.hpp"
#include "app/window/figure/figure_canvas.hpp"
#include "app/window/figure/figure_clicks.hpp"
#include "app/window/pages/ladder/ladder_page.hpp"
#include "app/window/testing/test_kernel.hpp"
#include "engine/base/testing/places.hpp"
#include "engine/base/testing/test_folder.hpp"
#include "engine/base/text.hpp"
#include "engine/base/whole_file.hpp"
#include "viz/paint/files/animation.hpp"
#include "viz/scene/hit_test.hpp"

namespace warplens::app {
namespace {

using Kind = FigureTarget::Kind;
using testing::HasSubstr;

TEST(FigureTarget, ReadsEveryKindOfName) {
  const auto number = [](std::string_view name) { return target_of(name)->number; };
  EXPECT_EQ(number("lane:7"), 7);
  EXPECT_EQ(number("bank:31"), 31);
  EXPECT_EQ(number("block:123456789012"), 123456789012);
  EXPECT_EQ(target_of("line:28")->kind, Kind::line);
  EXPECT_EQ(target_of("access:27")->kind, Kind::access);
  EXPECT_EQ(target_of("threads:256")->kind, Kind::threads);
  EXPECT_EQ(target_of("step:matmul/02_coalesced")->name, "matmul/02_coalesced");
  EXPECT_EQ(target_of("set:BM=64,BN=32")->name, "BM=64,BN=32");
  for (const char* odd : {"set:", "set:BM", "set:=4", "set:BM=x", "set:BM=4,3"})
    EXPECT_FALSE(target_of(odd)) << odd;
  EXPECT_EQ(*target_of("cell:A:12,40"), (FigureTarget{.kind = Kind::cell, .name = "cell:A:12,40"}));
}

TEST(FigureTarget, ReadsNothingElse) {
  for (const char* name :
       {"", "lane", "lane:", "lane:x", "lane:7,8", "lane:-1", "sector:12", "cell:A", "cell:A:1", "cell::1,2",
        "cell:A:1,2,3", "recorded/4", "lane:99999999999999999999"})
    EXPECT_FALSE(target_of(name)) << name;
}

class PerformanceWindow : public StageTest {
 protected:
  void open(const std::string& figure, const std::string& kernel = "matmul/01_naive", int size = 64) {
    State state;
    state.kernel = kernel;
    for (const char* name : {"M", "N", "K"}) state.size[name] = size;
    state.view.figure = figure;
    state.view.width = width_, state.view.height = height_;
    state.view.text_scale = text_scale_;
    state.view.details = true;
    StageTest::open(state, {.home = source_path()}, {}, nullptr, 300);
  }
  const FigureCanvas& canvas() { return stage_->interface().pages().get<LadderPage>().canvas(); }

  // The place on screen of what the figure calls so.
  scene::Point place_of(const std::string& id) {
    const auto box = scene::find_bounds(*canvas().shown(), id, canvas().fonts());
    EXPECT_TRUE(box) << id;
    const auto figure = stage_->find("figure");
    if (!box || !figure) return {};
    const scene::Point center = box->center();
    return {figure->x + center.x * canvas().scale(), figure->y + center.y * canvas().scale()};
  }
  void click_on(const std::string& id) {
    ASSERT_TRUE(stage_->click_at(place_of(id)));
    ASSERT_TRUE(stage_->settle(300));
  }

  // Cells are pixels of an image: found by asking what is under the pointer.
  std::optional<scene::Point> cell_on_screen(const std::string& id) {
    const auto figure = stage_->find("figure");
    if (!figure || canvas().shown() == nullptr) return std::nullopt;
    for (double y = 0; y < figure->height; y += 4)
      for (double x = 0; x < figure->width; x += 4)
        if (const auto pick = canvas().pick({x / canvas().scale(), y / canvas().scale()});
            pick && pick->id == id)
          return scene::Point{figure->x + x, figure->y + y};
    return std::nullopt;
  }

  int width_ = 1600, height_ = 900;
  double text_scale_ = 1;
};

TEST_F(PerformanceWindow, TheLadderShowsRecordedSpeedsAndBounds) {
  OPEN_STAGE("ladder", "ncsa/01_k1", 128);
  ASSERT_TRUE(canvas().plot().is_shown());
  const plot::Plot& plot = canvas().plot().plot();
  std::vector<plot::Provenance> kinds;
  for (const auto& series : plot.series) kinds.push_back(series.provenance);
  EXPECT_THAT(kinds, testing::ElementsAre(plot::Provenance::recorded, plot::Provenance::modelled));
  EXPECT_EQ(plot.x.categories.size(), stage_->model().steps().size());
  EXPECT_THAT(plot.caption, Not(HasSubstr("recorded at")));  // all of it is of the run's own size
  // Every step was counted: none of the bounds is missing.
  for (const double y : plot.series[1].y) EXPECT_FALSE(std::isnan(y));
}

// Nothing was recorded at 64: each bar is the model's, and looks so.
TEST_F(PerformanceWindow, TheLadderShowsPredictionsWhereNothingIsRecorded) {
  OPEN_STAGE("ladder", "ncsa/01_k1");
  ASSERT_TRUE(canvas().plot().is_shown());
  const plot::Plot& plot = canvas().plot().plot();
  const auto predicted = std::ranges::find(plot.series, "predicted", &plot::Series::id);
  ASSERT_NE(predicted, plot.series.end());
  EXPECT_EQ(predicted->provenance, plot::Provenance::modelled);
  for (const double y : predicted->y) EXPECT_GT(y, 0);
  EXPECT_THAT(plot.caption, HasSubstr("Nothing is recorded at M = N = K = 64: by the model of time"));
  EXPECT_TRUE(std::ranges::none_of(
      plot.series, [](const auto& series) { return series.provenance == plot::Provenance::recorded; }));
}

TEST_F(PerformanceWindow, StepsAreComparedAtTheSizeInHandOrWhereMostWasRecorded) {
  open("access");
  if (IsSkipped()) return;
  const PerformanceData& data = stage_->interface().performance();
  EXPECT_EQ(data.shown_size(), (catalog::Values{{"M", 64}, {"N", 64}, {"K", 64}}));
  EXPECT_EQ(data.recorded_step("matmul/08_double_buffer"), nullptr);
  EXPECT_EQ(data.listed(), measured::SpeedSource::predicted);
  state().view.steps_by = StepsBy::speed_most;
  ASSERT_TRUE(stage_->settle());
  EXPECT_EQ(data.shown_size(), (catalog::Values{{"M", 4096}, {"N", 4096}, {"K", 4096}}));
  const measured::RecordedSpeed* there = data.recorded_step("matmul/08_double_buffer");
  state().view.steps_by = StepsBy::speed_here;
  ASSERT_TRUE(stage_->settle());
  EXPECT_EQ(data.shown_size(), (catalog::Values{{"M", 128}, {"N", 128}, {"K", 128}}));
  const measured::RecordedSpeed* here = data.recorded_step("matmul/08_double_buffer");
  EXPECT_EQ(data.listed(), measured::SpeedSource::recorded);
  ASSERT_TRUE(there != nullptr && here != nullptr);
  EXPECT_GT(there->gflops, here->gflops);
}

// Another choice at every size would bend the curve.
TEST_F(PerformanceWindow, ASizeCurveKeepsTheParametersOfAStep) {
  OPEN_STAGE("size-curve", "matmul/01_naive");
  const auto input = stage_->interface().performance().input(*figures::find_figure("size-curve"));
  ASSERT_TRUE(input);
  int points = 0;
  for (const auto& point : input->points) {
    if (point.id != "matmul/01_naive" || !point.recorded) continue;
    ++points;
    EXPECT_NE(point.recorded->how.find("BLOCK_X = 32, BLOCK_Y = 32"), std::string::npos)
        << point.recorded->how;
  }
  EXPECT_GE(points, 5);
}

// Where branches follow the data, no block speaks for others.
TEST_F(OwnKernelsTest, ACountOfASampleSaysOfHowManyBlocks) {
  make_home();
  std::string text =
      *read_whole_file(std::filesystem::path(source_path()) / "kernels/matmul/03_shared_tile.cu");
  const std::string term = "sum += A_tile[ty][k]";
  text.replace(text.find(term), term.size(), "if (A_tile[ty][k] != 0.0f) " + term);
  home_.write("kernels/test/01_asks.cu", text);
  State start = small_problem();
  start.kernel = "test/01_asks";
  start.size = {{"M", 1100}, {"N", 1100}, {"K", 1100}};
  start.view.details = true;
  OPEN_STAGE(start, {.home = home_.string()});
  ASSERT_TRUE(stage_->model().run()->emulation.is_sampled());
  const auto blocks = stage_->model().run()->emulation.outcome.counters.blocks_run;
  for (const std::string title : {"All sectors", "Wavefronts"})
    EXPECT_TRUE(stage_->find("card/" + title + " in " + grouped(blocks) + " blocks")) << title;
}

// A ladder counts samples of its steps, and a card the whole grid of its own.
TEST_F(PerformanceWindow, TheBarOfTheStepOnScreenCountsWhatItsCardCounts) {
  State start;
  start.kernel = "minplus/02_v0_transposed";
  start.size = {{"N", 512}};
  start.device = "a100";
  start.view.figure = "ladder";
  StageTest::open(start, {.home = source_path()}, {}, nullptr, 300);
  if (IsSkipped()) return;
  const run::Run& run = *model().run();
  const auto input = stage_->interface().performance().input(*figures::find_figure("ladder"));
  ASSERT_TRUE(input) << to_line(input.error());
  const run::StepCount own = step_count(run);
  EXPECT_EQ(input->points[1].counted, own.words);
  EXPECT_EQ(input->points[1].bytes, own.bytes);
  EXPECT_THAT(input->points[0].counted, HasSubstr("blocks ran"));
}

// Four blocks are bound by four SMs.
TEST_F(PerformanceWindow, AGridThatIsSmallerThanTheDeviceIsBoundByWhatItUses) {
  State start = small_problem();
  start.device = "a100";
  start.view.figure = "ladder";
  StageTest::open(start, {.home = source_path()}, {}, nullptr, 300);
  if (IsSkipped()) return;
  const auto input = stage_->interface().performance().input(*figures::find_figure("ladder"));
  ASSERT_TRUE(input) << to_line(input.error());
  EXPECT_THAT(figures::ladder_plot(*input).caption, HasSubstr("Some of the 108 SMs are idle"));
  for (const auto& point : input->points) {
    const auto most = figures::bound_of(*input, point);
    ASSERT_TRUE(most) << point.id;
    const double busy = std::min(1.0, static_cast<double>(point.blocks) / 108);
    EXPECT_LE(most->speed, 19'500 * busy * 1.01) << point.id;
  }
  EXPECT_TRUE(stage_->interface().performance().input(*figures::find_figure("roofline")));
}

TEST_F(PerformanceWindow, AClickOnAStepOpensIt) {
  OPEN_STAGE("ladder", "transpose/01_naive");
  click_on("step:transpose/02_tiled");
  EXPECT_EQ(state().kernel, "transpose/02_tiled");
  EXPECT_EQ(state().view.figure, "ladder");
}

TEST_F(PerformanceWindow, TheWheelZoomsAndADoubleClickGoesBack) {
  OPEN_STAGE("roofline", "ncsa/01_k1");
  const auto figure = stage_->find("figure");
  ASSERT_TRUE(figure);
  const plot::View all = canvas().plot().plot().view;
  ASSERT_TRUE(stage_->wheel_at(figure->center(), 3));
  EXPECT_NE(canvas().plot().plot().view, all);
  EXPECT_TRUE(canvas().plot().is_zoomed());
  const plot::View zoomed = canvas().plot().plot().view;
  ASSERT_TRUE(stage_->drag("figure", 0.5, 0.6));
  EXPECT_NE(canvas().plot().plot().view, zoomed);
  ASSERT_TRUE(stage_->click("figure"));
  ASSERT_TRUE(stage_->click("figure"));
  EXPECT_FALSE(canvas().plot().is_zoomed());
}

TEST_F(PerformanceWindow, TheSpeedCardSaysRecordedOnlyForExactlyWhatWasMeasured) {
  OPEN_STAGE("access", "reduction/01_interleaved", 1 << 20);
  EXPECT_TRUE(stage_->find("card/Recorded"));
  EXPECT_FALSE(stage_->find("card/Unmeasured"));
  stage_->model().set_parameter("BLOCK", 128);
  ASSERT_TRUE(stage_->settle(300));
  EXPECT_FALSE(stage_->find("card/Recorded"));
  EXPECT_TRUE(stage_->find("card/Unmeasured"));
}

// Rows of 32 words conflict 32-fold. Nothing was measured of them, so that nothing may look quicker than the
// padded rows.
TEST_F(PerformanceWindow, WorseValuesAreNotMeasuredRatherThanQuicker) {
  State start;
  start.kernel = "transpose/02_tiled";
  start.params = {{"PAD", 0}};
  start.size = {{"M", 1024}, {"N", 1024}};
  start.view.figure = "ladder", start.view.steps_by = StepsBy::speed_most, start.view.details = true;
  StageTest::open(start, {.home = source_path()}, {}, nullptr, 300);
  if (IsSkipped()) return;
  const PerformanceData& data = stage_->interface().performance();
  EXPECT_EQ(data.recorded_now(), nullptr);
  ASSERT_NE(data.recorded_near(), nullptr);
  EXPECT_EQ(data.recorded_near()->params.at("PAD"), 1);
  EXPECT_EQ(data.unmeasured(), "PAD = 0");
  EXPECT_EQ(data.recorded_step("transpose/02_tiled"), nullptr);
  EXPECT_TRUE(stage_->find("card/Unmeasured"));
  EXPECT_TRUE(stage_->find("watch/own values"));
  for (const char* cut : {"card/lines/cut", "card/Unmeasured/cut"}) EXPECT_FALSE(stage_->find(cut)) << cut;
  const plot::Series& recorded = canvas().plot().plot().series.front();
  EXPECT_TRUE(std::isnan(recorded.y[1]));
  const auto& series = canvas().plot().plot().series;
  const auto predicted = std::ranges::find(series, "predicted", &plot::Series::id);
  ASSERT_NE(predicted, series.end());
  EXPECT_LT(predicted->y[1], 2682);  // that was recorded with padding
  EXPECT_THAT(predicted->labels[1], HasSubstr(" with PAD = 0"));
  stage_->model().set_parameter("PAD", 1);
  ASSERT_TRUE(stage_->settle(300));
  EXPECT_EQ(data.unmeasured(), "");
  EXPECT_TRUE(stage_->find("card/Recorded"));
  EXPECT_FALSE(stage_->find("watch/own values"));
}

// Each of the numbers says for which values it holds, in words that are not cut.
class SpeedCard : public PerformanceWindow {
 protected:
  void expect_all_words(int width, int height) {
    State start;
    start.kernel = "matmul/03_shared_tile";
    start.size = {{"M", 512}, {"N", 512}, {"K", 512}};
    start.params = {{"TILE", 24}};
    start.view.width = width, start.view.height = height, start.view.details = true;
    StageTest::open(start, {.home = source_path()}, {}, nullptr, 300);
    if (IsSkipped()) return;
    EXPECT_TRUE(stage_->find("card/Unmeasured"));
    EXPECT_FALSE(stage_->find("card/lines/cut"));
    EXPECT_FALSE(stage_->find("card/Unmeasured/cut"));
  }
};
TEST_F(SpeedCard, SaysInFullForWhichValuesItHolds) { expect_all_words(1600, 900); }
TEST_F(SpeedCard, SaysInFullForWhichValuesItHoldsInASmallWindow) { expect_all_words(1280, 720); }

// A launch that does not fit has no speed.
TEST_F(PerformanceWindow, NothingIsPredictedWhereNoBlockFits) {
  State start;
  start.kernel = "memory/01_coalesced", start.device = "8800gtx", start.size = {{"N", 8192}};
  start.params = {{"BLOCK", 512}};
  start.occupancy.registers = 30;
  start.view.details = true;
  start.view.width = 1600, start.view.height = 900;
  StageTest::open(start, {.home = source_path()}, {}, nullptr, 300);
  if (IsSkipped()) return;
  EXPECT_TRUE(stage_->find("card/line/no prediction: no block fits"));
  EXPECT_FALSE(stage_->find("card/line/model 10.3 GB/s"));
  state().occupancy = {};
  ASSERT_TRUE(stage_->settle(300));
  EXPECT_FALSE(stage_->find("card/line/no prediction: no block fits"));
}

// Lanes that share a word leave bytes of its sector unused: that is no cost where the sectors are ideal.
TEST_F(PerformanceWindow, UnusedBytesOfIdealSectorsAreNoCost) {
  OPEN_STAGE("access", "minplus/04_v2", 256);
  EXPECT_TRUE(stage_->find("card/Used"));
  EXPECT_FALSE(stage_->find("card/Used/costly"));
  EXPECT_FALSE(stage_->find("card/All sectors/costly"));
}

TEST_F(PerformanceWindow, SectorsInVainAndTheirBytesAreACost) {
  OPEN_STAGE("access", "minplus/01_v0", 256);
  EXPECT_TRUE(stage_->find("card/All sectors/costly"));
  EXPECT_TRUE(stage_->find("card/Used/costly"));
}

// Nothing was measured of 128 x 128, so bars and number are the model's, and look so.
TEST_F(PerformanceWindow, WhatWasNotMeasuredAtThisSizeIsPredicted) {
  OPEN_STAGE("access", "transpose/01_naive", 128);
  EXPECT_EQ(stage_->interface().performance().listed(), measured::SpeedSource::predicted);
  EXPECT_TRUE(stage_->find("steps/predicted"));
  const StepTraffic* tiled = model().ladder_traffic().of("transpose/02_tiled");
  ASSERT_NE(tiled, nullptr);
  EXPECT_GT(tiled->seconds, 0);
  EXPECT_TRUE(stage_->find("card/Unmeasured/predicted"));
}

// Harris's ladder is about time, which nobody measured here; sums are about their errors.
TEST_F(PerformanceWindow, AListComparesWhatItsLadderIsAbout) {
  State start;
  start.kernel = "harris/01_interleaved", start.size = {{"N", 1 << 16}};
  StageTest::open(start, {.home = source_path()}, {}, nullptr, 300);
  if (IsSkipped()) return;
  EXPECT_TRUE(stage_->find("steps/predicted"));
  const auto seconds = [&](const char* step) { return model().ladder_traffic().of(step)->seconds; };
  EXPECT_GT(seconds("harris/01_interleaved"), seconds("harris/07_many_additions"));
  model().choose_kernel("sums/02_descending");
  ASSERT_TRUE(stage_->settle(300));
  EXPECT_TRUE(stage_->find("steps/error"));
  EXPECT_EQ(state().view.figure, "rounding");
  const auto error = [&](const char* step) { return model().ladder_traffic().of(step)->error.value_or(0); };
  EXPECT_GT(error("sums/02_descending"), error("sums/03_ascending"));
  EXPECT_GT(error("sums/03_ascending"), error("sums/05_kahan"));
  // Loads that are independent of each other: by the load each takes less time, whatever it is by the kernel.
  model().choose_kernel("latency/05_dependent_loads");
  ASSERT_TRUE(stage_->settle(300));
  EXPECT_TRUE(stage_->find("steps/predicted"));
  const auto a_turn = [&](const char* step, std::size_t number) {
    const StepTraffic& traffic = *model().ladder_traffic().of(step);
    const auto turns =
        catalog::turns_of(model().taught().of("latency"), number, traffic.count.parameters, state().size);
    return turns ? traffic.seconds / turns->count : 0;
  };
  EXPECT_GT(a_turn("latency/06_independent_loads", 6), 0);
  EXPECT_LT(a_turn("latency/06_independent_loads", 6), a_turn("latency/05_dependent_loads", 5));
  model().choose_kernel("sums/02_descending");
  ASSERT_TRUE(stage_->settle(300));
  // Who looks at something else goes on with that.
  state().view.figure = "occupancy";
  model().choose_kernel("sums/03_ascending");
  ASSERT_TRUE(stage_->settle(300));
  EXPECT_EQ(state().view.figure, "occupancy");
}

// Bars that were recorded at 4,096 beside a speed at 512 say so, and a click runs the step where the bars
// are.
TEST_F(PerformanceWindow, ASizeThatLeavesTheDeviceIdleSaysSoAndOneThatDoesNotIsAClickAway) {
  OPEN_STAGE("access", "matmul/08_double_buffer", 512);
  const PerformanceData& data = stage_->interface().performance();
  ASSERT_TRUE(data.idle());
  EXPECT_EQ(data.idle()->blocks, 16u);
  EXPECT_EQ(data.idle()->multiprocessors, 132);
  EXPECT_FALSE(stage_->find("card/lines/cut"));
  EXPECT_TRUE(stage_->find("steps/same size"));
  state().view.steps_by = StepsBy::speed_most;
  ASSERT_TRUE(stage_->settle(300));
  EXPECT_TRUE(stage_->find("steps/other size"));
  ASSERT_TRUE(stage_->click("try size"));
  ASSERT_TRUE(stage_->settle(300));
  EXPECT_EQ(state().size, (catalog::Values{{"M", 4096}, {"N", 4096}, {"K", 4096}}));
  EXPECT_FALSE(data.idle());
  EXPECT_FALSE(stage_->find("try size"));
  EXPECT_TRUE(stage_->find("steps/same size"));
}

// Where nothing is recorded, the next power of two times the size that does.
TEST_F(PerformanceWindow, ASizeForADeviceWithoutRecordingsIsFoundToo) {
  State start = small_problem();
  start.device = "a100";
  StageTest::open(start, {.home = source_path()}, {}, nullptr, 300);
  if (IsSkipped()) return;
  const auto& idle = stage_->interface().performance().idle();
  ASSERT_TRUE(idle && idle->fuller);
  for (const auto& [name, value] : *idle->fuller) EXPECT_EQ(value % start.size.at(name), 0);
}

TEST_F(PerformanceWindow, AComparisonShowsWhatWasRecordedOfExactlyBothSides) {
  OPEN_STAGE("access", "matmul/02_coalesced", 512);
  state().compare.left = {"matmul/01_naive", {}};
  state().compare.right = {"matmul/02_coalesced", {}};
  state().view.page = Page::compare;
  ASSERT_TRUE(stage_->settle(300));
  EXPECT_TRUE(stage_->find("compare/recorded"));
  stage_->model().set_size("M", 500);
  ASSERT_TRUE(stage_->settle(300));
  EXPECT_FALSE(stage_->find("compare/recorded"));
}

TEST_F(PerformanceWindow, AClickOnALaneChoosesIt) {
  OPEN_STAGE("coalescing");
  click_on("lane:9");
  EXPECT_EQ(state().selection.lane, 9);
}

TEST_F(PerformanceWindow, AClickOnACurveOfTheOccupancySetsTheBlock) {
  OPEN_STAGE("occupancy");  // 32 x 32 threads
  click_on("threads:512");
  const auto& params = state().params;
  EXPECT_EQ(params.at("BLOCK_X") * params.at("BLOCK_Y"), 512);
}

TEST_F(PerformanceWindow, AClickBelowTheNumbersOfTheAccessChoosesALane) {
  OPEN_STAGE("access");
  const auto column = stage_->find("details panel");
  ASSERT_TRUE(column);
  ASSERT_TRUE(stage_->wheel_at(column->center(), -40));
  ASSERT_TRUE(stage_->settle());
  const auto lanes = stage_->find("lane lines");
  ASSERT_TRUE(lanes);
  ASSERT_TRUE(stage_->click_at({lanes->x + lanes->width * 13.4 / 32, lanes->y + 5}));
  EXPECT_EQ(state().selection.lane, 13);
}

TEST_F(PerformanceWindow, AClickOnAMatrixGoesToTheAccessOfThatElement) {
  OPEN_STAGE("access");
  const auto place = cell_on_screen("cell:A:3,13");
  ASSERT_TRUE(place);
  ASSERT_TRUE(stage_->click_at(*place));
  ASSERT_TRUE(stage_->settle(300));
  const auto access = stage_->model().access();
  ASSERT_TRUE(access);
  const auto element = report::elements_of(stage_->model().run()->buffers,
                                           *access)[static_cast<std::size_t>(state().selection.lane)];
  ASSERT_TRUE(element);
  EXPECT_EQ(element->row, 3);
  EXPECT_EQ(element->column, 13);
  const FigureTarget other{.kind = Kind::cell, .name = "cell:A:63,0"};  // of another block
  const Status refused = choose(stage_->model(), other);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("This block does not use A, row 63, column 0"));
}

TEST_F(PerformanceWindow, AClickOnAWordOfTheBankMapGoesToTheAccessOfIt) {
  OPEN_STAGE("bank-map", "matmul/03_shared_tile");
  const auto place = cell_on_screen("cell:B_tile:0,4");
  ASSERT_TRUE(place);
  ASSERT_TRUE(stage_->click_at(*place));
  ASSERT_TRUE(stage_->settle(300));
  const auto access = stage_->model().access();
  ASSERT_TRUE(access);
  ASSERT_EQ(access->space, ptx::Space::shared);
  const auto& faces = stage_->model().run()->stories[stage_->model().trace_block()]->faces();
  const auto tile =
      std::find_if(faces.begin(), faces.end(), [](const auto& face) { return face.name == "B_tile"; });
  ASSERT_NE(tile, faces.end());
  EXPECT_EQ(access->address[static_cast<std::size_t>(state().selection.lane)], tile->address + 4 * 4);
}

TEST_F(PerformanceWindow, OnlyFiguresOfAccessesHaveATransport) {
  OPEN_STAGE("occupancy");
  EXPECT_FALSE(stage_->find("scrubber"));
  state().view.figure = "bank-map";
  ASSERT_TRUE(stage_->settle(300));
  EXPECT_TRUE(stage_->find("scrubber"));
}

class SavingFigures : public PerformanceWindow {
 protected:
  void open_dialog() {
    state().view.export_folder = folder_.string();
    ASSERT_TRUE(stage_->click("export"));
    ASSERT_TRUE(stage_->settle());
    ASSERT_TRUE(stage_->click("item/save figure"));
    ASSERT_TRUE(stage_->settle());
  }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
      names.push_back(entry.path().filename().string());
    return names;
  }
  std::string save(const std::string& ending) {
    open_dialog();
    EXPECT_TRUE(stage_->click("export/" + ending));
    EXPECT_TRUE(stage_->click("export/save"));
    EXPECT_TRUE(stage_->settle(300));
    std::string text;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
      std::ifstream file(entry.path(), std::ios::binary);
      text.assign(std::istreambuf_iterator<char>(file), {});
      EXPECT_EQ(entry.path().extension(), ending);
    }
    return text;
  }
  TestFolder folder_;
};

TEST_F(SavingFigures, WritesPicturesTablesAndFilms) {
  OPEN_STAGE("coalescing");
  stage_->model().move_step(std::ssize(stage_->model().events()) - 3);  // a film of three accesses
  ASSERT_TRUE(stage_->settle());
  EXPECT_THAT(save(".svg"), HasSubstr("<svg"));
  folder_.clear();
  EXPECT_THAT(save(".csv"), HasSubstr("sector"));
  folder_.clear();
  EXPECT_THAT(save(".gif"), testing::StartsWith("GIF89a"));
  EXPECT_EQ(state().view.export_folder, folder_.string());
}

TEST_F(SavingFigures, FilmsInMp4NeedFfmpegOnThePath) {
  OPEN_STAGE("coalescing");
  stage_->model().move_step(std::ssize(stage_->model().events()) - 3);
  ASSERT_TRUE(stage_->settle());
  stage_->interface().set_search_path("/nowhere");
  open_dialog();
  ASSERT_TRUE(stage_->click("export/.mp4"));
  ASSERT_TRUE(stage_->click("export/save"));
  ASSERT_TRUE(stage_->settle(300));
  EXPECT_THAT(files(), testing::ElementsAre(testing::EndsWith(".svg")));  // what was chosen stays
  const std::string path = read_environment().path;
  if (paint::find_program("ffmpeg", path).empty()) GTEST_SKIP() << "ffmpeg is not installed";
  stage_->interface().set_search_path(path);
  folder_.clear();
  EXPECT_EQ(save(".mp4").substr(4, 4), "ftyp");  // ISO/IEC 14496-12, 4.3: how such a file begins
}

TEST_F(SavingFigures, APlotIsSavedAsItIsZoomed) {
  OPEN_STAGE("ladder", "transpose/01_naive");
  EXPECT_THAT(save(".csv"), HasSubstr("predicted,modelled,1 Naive transpose,"));
}

TEST_F(SavingFigures, EscapeClosesTheDialog) {
  OPEN_STAGE("access");
  open_dialog();
  ASSERT_TRUE(stage_->find("export/save"));
  ASSERT_TRUE(stage_->press(compat::Key::escape));
  ASSERT_TRUE(stage_->settle());
  EXPECT_FALSE(stage_->find("export/save"));
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

TEST_F(SavingFigures, AFilmCanBeStopped) {
  OPEN_STAGE("access");
  open_dialog();
  ASSERT_TRUE(stage_->click("export/.webp"));
  ASSERT_TRUE(stage_->click("export/save"));
  ASSERT_TRUE(stage_->click("export/stop"));
  ASSERT_TRUE(stage_->settle(300));
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
  EXPECT_TRUE(stage_->find("export/save"));  // the dialog is still there
}

}  // namespace
}  // namespace warplens::app
