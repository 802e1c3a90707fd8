// The live tab without a GPU: a stand-in gives the plots what a GPU would, through the host, and the pixels
// are looked at.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <thread>

#include "app/window/actions/pages.hpp"
#include "app/window/figure/figure_canvas.hpp"
#include "app/window/pages/ladder/ladder_page.hpp"
#include "app/window/pages/live/live_page.hpp"
#include "app/window/pages/live/live_panel.hpp"
#include "app/window/testing/stage_test.hpp"
#include "engine/base/testing/places.hpp"
#include "viz/theme/colormap.hpp"

namespace warplens::app {
namespace {

constexpr std::uint32_t kMultiprocessors = 8, kSlots = 2, kWaves = 4;
constexpr std::uint32_t kBlocks = kMultiprocessors * kSlots * kWaves;
constexpr std::uint32_t kWaveNs = 1000;
constexpr std::uint64_t kLaunchNs = 4000;

// What a launch of four waves leaves: every launch takes as long, the upper half of the result is 1, the left
// of the lower half is -1, the rest is not written.
class StillFeed final : public gpu::LiveFeed {
 public:
  StillFeed(std::int64_t rows, std::int64_t columns, int& alive) : alive_(alive) {
    ++alive_;
    status_ = {.phase = gpu::LiveStatus::Phase::running,
               .error = {},
               .layout = {256, kBlocks, static_cast<std::uint64_t>(rows * columns)},
               .entries = 300,
               .launches_per_entry = 1,
               .seconds_of_launch = 1e-9 * kLaunchNs,
               .blocks = kBlocks,
               .span = kWaves * kWaveNs,
               .slots = kSlots,
               .watched = 1,
               .slices = 1};
    // The last one has not ended yet. The first begins just before the low word of the clock overflows.
    const std::uint64_t start = (std::uint64_t{7} << 32) - 100;
    for (std::uint64_t i = 44; i < 300; ++i)
      launches_[i % 256] = {start + i * kLaunchNs, i == 299 ? 0 : start + (i + 1) * kLaunchNs};
    for (std::uint32_t b = 0; b < kBlocks; ++b) {
      const std::uint32_t wave = b / (kMultiprocessors * kSlots), place = b % (kMultiprocessors * kSlots);
      blocks_[b] = {place / kSlots << gpu::kSlotBits | place % kSlots, wave * kWaveNs, (wave + 1) * kWaveNs,
                    b};
    }
    for (std::int64_t i = 0; i < rows * columns; ++i) {
      const bool upper = i / columns < rows / 2, left = i % columns < columns / 2;
      result_.push_back(upper ? 1.0f : left ? -1.0f : std::numeric_limits<float>::signaling_NaN());
    }
  }
  ~StillFeed() override { --alive_; }
  gpu::LiveStatus status() override { return status_; }
  void stop() override { stopped_ = true; }
  bool is_over() override { return stopped_; }
  Status attach(unsigned, std::shared_ptr<const void>) override { return Error{"there is no GPU", ""}; }
  Status refresh() override { return Error{"nothing is attached", ""}; }
  std::vector<Part> fetch() override {
    return {{status_.layout.launches_at(), std::as_bytes(std::span(launches_))},
            {status_.layout.blocks_at(), std::as_bytes(std::span(blocks_))},
            {status_.layout.result_at(), std::as_bytes(std::span(result_))}};
  }
  std::vector<gpu::PlacedBlock> watched_blocks() override { return {blocks_.begin(), blocks_.end()}; }
  gpu::MapTimes map_times() const override { return {}; }
  Result<gpu::LiveResults> results(double) override { return Error{"there is no GPU", ""}; }

 private:
  int& alive_;
  bool stopped_ = false;
  gpu::LiveStatus status_;
  std::array<gpu::LaunchTimes, 256> launches_{};
  std::array<gpu::PlacedBlock, kBlocks> blocks_{};
  std::vector<float> result_;
};

class StillEngine final : public LiveEngine {
 public:
  Result<LiveGpu> find() override { return LiveGpu{"Stand-in GPU", 90, kMultiprocessors}; }
  Result<LiveChecked> check(const run::Run& run) override {
    ++checks;
    if (refuses) return Error{"the result on the GPU is wrong", "look at the kernel"};
    const auto& sizes = run.plan().sizes;
    return LiveChecked{.seconds_of_launch = 1e-9 * kLaunchNs,
                       .low = -1,
                       .high = 1,
                       .timeline = true,
                       .slices = true,
                       .start = [this, rows = sizes.at("M"), columns = sizes.at("N")] {
                         return std::make_unique<StillFeed>(rows, columns, alive);
                       }};
  }
  int alive = 0;  // feeds that run
  std::atomic<int> checks = 0;
  bool refuses = false;
};

class NoGpu final : public LiveEngine {
 public:
  Result<LiveGpu> find() override { return Error{"no GPU can be used: there is no driver", ""}; }
  Result<LiveChecked> check(const run::Run&) override { return Error{"there is no GPU", ""}; }
};

class LiveTest : public StageTest {
 protected:
  void open(std::shared_ptr<LiveEngine> engine, double scale = 1, bool dark = true, int width = 1600,
            int height = 900) {
    State state = small_problem();
    state.view.width = width;
    state.view.height = height;
    state.view.text_scale = scale;
    state.view.dark = dark;
    StageTest::open(state, {.home = source_path()}, {}, std::move(engine));
  }
  LiveSession& live() { return stage_->interface().pages().get<LivePage>().session(); }
  bool go_live() {
    const Status clicked = stage_->click("live");
    const bool fine = clicked && stage_->settle().has_value() && stage_->frame().has_value();
    said_ = live().error() ? live().error()->message : "";
    return fine;
  }
  theme::Rgba pixel(std::string_view mark, double x, double y) {
    const auto rect = stage_->find(mark);
    EXPECT_TRUE(rect) << mark;
    if (!rect) return {};
    const scene::Raster picture = stage_->picture();
    const auto column = static_cast<std::size_t>(rect->x + x * rect->width),
               row = static_cast<std::size_t>(rect->y + y * rect->height);
    return picture.pixels[row * static_cast<std::size_t>(picture.width) + column];
  }

  std::shared_ptr<StillEngine> engine_ = std::make_shared<StillEngine>();
  std::string said_;  // why it is not live
};

void expect_near(theme::Rgba got, theme::Rgba wanted, const char* what) {
  EXPECT_NEAR(got.r, wanted.r, 3) << what;
  EXPECT_NEAR(got.g, wanted.g, 3) << what;
  EXPECT_NEAR(got.b, wanted.b, 3) << what;
}

TEST_F(LiveTest, WithoutAGpuTheButtonSaysWhyAndDoesNothing) {
  OPEN_STAGE(std::make_shared<NoGpu>());
  EXPECT_EQ(live().phase(), LiveSession::Phase::unavailable);
  ASSERT_TRUE(live().error());
  EXPECT_NE(live().error()->message.find("no driver"), std::string::npos);
  ASSERT_TRUE(go_live());
  EXPECT_FALSE(live().is_on());
  EXPECT_FALSE(stage_->interface().is_moving());
}

TEST_F(LiveTest, TheButtonStartsAndStops) {
  OPEN_STAGE(engine_);
  ASSERT_TRUE(go_live());
  EXPECT_EQ(live().phase(), LiveSession::Phase::running) << said_;
  EXPECT_EQ(stage_->model().state.view.figure, "live");
  EXPECT_EQ(engine_->alive, 1);
  EXPECT_TRUE(stage_->interface().pages().get<LivePage>().panel().through_host());
  EXPECT_TRUE(stage_->interface().is_moving());
  ASSERT_TRUE(go_live());
  EXPECT_FALSE(live().is_on());
  EXPECT_EQ(engine_->alive, 0);
  EXPECT_FALSE(stage_->interface().is_moving());
  ASSERT_TRUE(stage_->press(compat::Key::l));
  EXPECT_TRUE(live().is_on());
}

TEST_F(LiveTest, OtherParametersAreCheckedAndGoOn) {
  OPEN_STAGE(engine_);
  ASSERT_TRUE(go_live());
  EXPECT_EQ(engine_->checks, 1);
  stage_->model().set_parameter("BLOCK_X", 16);
  ASSERT_TRUE(stage_->settle());
  EXPECT_EQ(engine_->checks, 2);
  EXPECT_EQ(live().phase(), LiveSession::Phase::running);
  EXPECT_EQ(live().run()->plan().parameters.at("BLOCK_X"), 16);
  EXPECT_EQ(engine_->alive, 1);
  // Another block of the trace is the same work.
  stage_->model().state.selection.block = 1;
  ASSERT_TRUE(stage_->settle());
  EXPECT_EQ(engine_->checks, 2);
  EXPECT_EQ(engine_->alive, 1);
}

TEST_F(LiveTest, AKernelThatIsWrongDoesNotGoLive) {
  engine_->refuses = true;
  OPEN_STAGE(engine_);
  ASSERT_TRUE(go_live());
  EXPECT_EQ(live().phase(), LiveSession::Phase::failed);
  EXPECT_EQ(engine_->alive, 0);
  EXPECT_EQ(engine_->checks, 1);  // not again and again
  engine_->refuses = false;
  stage_->model().set_parameter("BLOCK_X", 16);
  ASSERT_TRUE(stage_->settle());
  EXPECT_EQ(live().phase(), LiveSession::Phase::running);
}

TEST_F(LiveTest, ValuesThatAreNotLegalStopItUntilTheyAre) {
  OPEN_STAGE(engine_);
  ASSERT_TRUE(go_live());
  stage_->model().set_parameter("BLOCK_X", 128);
  ASSERT_TRUE(stage_->settle());
  EXPECT_EQ(live().phase(), LiveSession::Phase::failed);
  EXPECT_EQ(engine_->alive, 0);
  stage_->model().set_parameter("BLOCK_X", 32);
  ASSERT_TRUE(stage_->settle());
  EXPECT_EQ(live().phase(), LiveSession::Phase::running);
}

TEST_F(LiveTest, TheResultIsDrawnWithWhatIsMissingHatched) {
  OPEN_STAGE(engine_);
  ASSERT_TRUE(go_live());
  expect_near(pixel("live result", 0.5, 0.25), theme::sample(theme::Colormap::viridis, 1), "upper half");
  expect_near(pixel("live result", 0.25, 0.75), theme::sample(theme::Colormap::viridis, 0), "lower left");
  const theme::Rgba missing = pixel("live result", 0.75, 0.75);
  EXPECT_TRUE(missing == theme::dark()[Token::raised] || missing == theme::dark()[Token::line]);
}

TEST_F(LiveTest, BlocksStandOnTheirMultiprocessorsInTheirWaves) {
  OPEN_STAGE(engine_);
  ASSERT_TRUE(go_live());
  // The axis ends 5 % behind the last block; multiprocessor 0 is at the bottom.
  for (std::uint32_t wave = 0; wave < kWaves; ++wave) {
    for (const std::uint32_t place : {0u, 5u, kMultiprocessors * kSlots - 1}) {
      const double x = (wave + 0.5) / (1.05 * kWaves), y = 1 - (place + 0.5) / (kMultiprocessors * kSlots);
      const double order =
          static_cast<double>(wave * kMultiprocessors * kSlots + place) / static_cast<double>(kBlocks - 1);
      expect_near(pixel("live blocks", x, y), theme::sample(theme::Colormap::viridis, order), "a block");
    }
  }
  EXPECT_NE(pixel("live blocks", 0.99, 0.5), theme::sample(theme::Colormap::viridis, 1));
}

TEST_F(LiveTest, EveryPlotHasRoomInSmallWindowsAndLargeText) {
  struct Window {
    int width, height;
    double scale;
    bool dark;
  };
  for (const Window& window : {Window{1600, 900, 1.75, true}, Window{1280, 720, 1, false},
                               Window{1280, 720, 1.75, true}, Window{900, 560, 1, true}}) {
    OPEN_STAGE(engine_, window.scale, window.dark, window.width, window.height);
    ASSERT_TRUE(stage_->press(compat::Key::l));  // the button may be in the menu
    ASSERT_TRUE(stage_->settle());
    for (const char* plot : {"live launches", "live blocks", "live result"}) {
      const auto rect = stage_->find(plot);
      ASSERT_TRUE(rect) << plot;
      EXPECT_GT(rect->width, 60) << plot << " in " << window.width << " at " << window.scale;
      EXPECT_GT(rect->height, 24) << plot << " in " << window.width << " at " << window.scale;
    }
    stage_.reset();
  }
}

TEST_F(LiveTest, TheBlocksGoIntoAFile) {
  OPEN_STAGE(engine_);
  stage_->model().state.view.figure = "live";
  EXPECT_EQ(saved_svg(), "");  // nothing ran
  EXPECT_EQ(stage_->interface().message().find("There is no figure to save"), 0u);
  ASSERT_TRUE(go_live());
  const auto timeline = live().timeline();
  ASSERT_TRUE(timeline);
  const figures::Timeline placed(*timeline);
  EXPECT_EQ(placed.waves(), kWaves);
  EXPECT_EQ(placed.slots(), kSlots);
  EXPECT_EQ(placed.duration(), kWaves * kWaveNs);
  EXPECT_EQ(placed.busy_share(), 1);
  const std::string text = saved_svg();
  EXPECT_NE(text.find("Stand-in GPU"), std::string::npos);
  EXPECT_NE(text.find("block:" + std::to_string(kBlocks - 1)), std::string::npos);
}

TEST_F(LiveTest, TheLineOfLaunchesStandsAtTheirSpeed) {
  OPEN_STAGE(engine_);
  ASSERT_TRUE(go_live());
  const auto rect = stage_->find("live launches");
  ASSERT_TRUE(rect);
  const scene::Raster picture = stage_->picture();
  const double work = 1e-9 * live().run()->job->instance->operations();
  const live::LivePicture scene = live::live_picture(live().facts(live().feed()->status(), true), {900, 600},
                                                     stage_->interface().fonts());
  const double y = rect->bottom() - rect->height * (work / (1e-9 * kLaunchNs)) / scene.top;
  const theme::Rgba accent = theme::dark()[Token::accent];
  const auto at = [&](double column, double row) {
    return picture.pixels[static_cast<std::size_t>(row) * static_cast<std::size_t>(picture.width) +
                          static_cast<std::size_t>(column)];
  };
  // 255 of 256 entries have ended; the newest stand at the right end.
  EXPECT_EQ(at(rect->x + 0.98 * rect->width, y), accent);
  EXPECT_NE(at(rect->x + 0.98 * rect->width, y - 8), accent);
  EXPECT_NE(at(rect->x + 0.98 * rect->width, y + 8), accent);
}

TEST_F(LiveTest, WhatWasMeasuredLiveStandsInTheLadderAndOnItsCard) {
  open(engine_);
  if (IsSkipped() || HasFatalFailure()) return;
  EXPECT_FALSE(stage_->find("speed/live"));
  ASSERT_TRUE(go_live()) << said_;
  EXPECT_TRUE(stage_->find("speed/live"));
  stage_->model().state.view.figure = "ladder";
  ASSERT_TRUE(stage_->settle(300));
  const FigureCanvas& canvas = stage_->interface().pages().get<LadderPage>().canvas();
  ASSERT_TRUE(canvas.plot().is_shown());
  const auto& series = canvas.plot().plot().series;
  const auto found = std::find_if(series.begin(), series.end(),
                                  [](const auto& s) { return s.provenance == plot::Provenance::live; });
  ASSERT_NE(found, series.end());
  EXPECT_DOUBLE_EQ(found->y.at(0), 2.0 * 64 * 64 * 64 / kLaunchNs);  // operations a nanosecond
  // Nothing is recorded at this size: the list of steps compares what is predicted there.
  const PerformanceData& data = stage_->interface().performance();
  EXPECT_EQ(data.shown_size().at("M"), 64);
  EXPECT_EQ(data.listed_size().at("M"), 64);
  EXPECT_EQ(data.listed(), measured::SpeedSource::predicted);
  EXPECT_TRUE(std::isnan(found->y.at(1)));
}

}  // namespace
}  // namespace warplens::app
