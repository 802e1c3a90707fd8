// The picture around the live plots, without OpenGL and without a GPU.
#include "viz/live/live_scene.hpp"

#include "viz/figures/testing/figure_support.hpp"
#include "viz/scene/testing/fixed_measure.hpp"

namespace warplens::live {
namespace {

LiveFacts running() {
  LiveFacts facts;
  facts.kernel = "Warp tiles";
  facts.device = "a GPU of the test";
  facts.state = "Live";
  facts.work = 137.4;
  facts.checked_rate = 41'200;
  facts.rate = 40'100;
  facts.shown = 3000;
  facts.multiprocessors = 132;
  facts.slots = 2;
  facts.span = 3.3e6;
  facts.blocks_in_grid = 1024;
  facts.result_name = "C";
  facts.result = problem::MatrixShape{4096, 4096, 4096, true};
  facts.low = -49.6;
  facts.high = 48.9;
  facts.running = true;
  return facts;
}

TEST(LiveScene, HasItsPictures) {
  const scene::FixedMeasure measure;
  figures::expect_golden(live_picture(running(), {900, 600}, measure).scene, "live_running");
  LiveFacts bare = running();
  bare.state = "Checking the result on the GPU";
  bare.running = false;
  bare.has_timeline = false;
  bare.through_host = true;
  bare.launches_per_entry = 58;
  bare.result.reset();
  figures::expect_golden(live_picture(bare, {640, 420}, measure).scene, "live_checking");
}

TEST(LiveScene, LeavesRoomForEachPlot) {
  const scene::FixedMeasure measure;
  for (const scene::Size size : {scene::Size{640, 420}, {900, 600}, {1280, 700}, {1600, 500}}) {
    const LivePicture picture = live_picture(running(), size, measure);
    const scene::Rect all{0, 0, size.width, size.height};
    const scene::Rect plots[] = {picture.launches, picture.blocks, picture.result};
    for (const scene::Rect& plot : plots) {
      EXPECT_GT(plot.width, 0) << size.width;
      EXPECT_GT(plot.height, 0) << size.width;
      EXPECT_TRUE(all.contains({plot.x, plot.y}) && all.contains({plot.right(), plot.bottom()}))
          << size.width;
      for (const scene::Rect& other : plots) {
        if (&other != &plot) {
          EXPECT_FALSE(scene::intersection(plot, other)) << size.width;
        }
      }
    }
    EXPECT_NEAR(picture.result.width, picture.result.height, 1.0);
  }
}

TEST(LiveScene, TheAxisStaysWhileTheRateMoves) {
  const scene::FixedMeasure measure;
  LiveFacts facts = running();
  const double top = live_picture(facts, {900, 600}, measure).top;
  EXPECT_GE(top, 1.25 * facts.checked_rate);
  facts.rate = 0.3 * facts.checked_rate;
  EXPECT_EQ(live_picture(facts, {900, 600}, measure).top, top);
}

TEST(LiveScene, LongResultsStayVisible) {
  const scene::FixedMeasure measure;
  LiveFacts facts = running();
  facts.result = problem::MatrixShape{1, 100'000, 100'000, true};
  const LivePicture picture = live_picture(facts, {900, 600}, measure);
  EXPECT_NEAR(picture.result.width, 4 * picture.result.height, 4.0);
}

}  // namespace
}  // namespace warplens::live
