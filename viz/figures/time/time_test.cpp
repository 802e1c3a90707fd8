// The figure of time: what its warps do adds up, its words agree with its numbers.
#include "viz/figures/time/time.hpp"

#include <algorithm>
#include <cmath>

#include "viz/figures/testing/figure_support.hpp"
#include "viz/figures/testing/recorded_run.hpp"
#include "viz/figures/time/grid_timeline.hpp"
#include "viz/figures/time/latency.hpp"
#include "viz/figures/time/time_words.hpp"
#include "viz/scene/hit_test.hpp"

namespace warplens::figures {
namespace {

TEST(TimeFigure, IsAsKept) {
  const auto run = record_kept("shared_tile", "128");
  const Subject subject{.run = run, .schedule = schedule_of(*run)};
  const auto scene = draw_time(subject, {1280, 720}, scene::FixedMeasure{});
  ASSERT_TRUE(scene) << to_line(scene.error());
  expect_golden(*scene, "time_shared_tile");
}

// A warp does one thing at a time, and a part issues for one warp a cycle.
TEST(TimeFigure, HasOneThingAtATime) {
  const auto run = record_kept("shared_tile", "128");
  const SharedSchedule made = schedule_of(*run);
  ASSERT_TRUE(*made) << to_line(made->error());
  const time::Schedule& schedule = **made;
  EXPECT_GE(schedule.to - schedule.from, 128);
  std::map<int, std::vector<double>> issues;
  for (const auto& warp : schedule.warps) {
    double before = schedule.from;
    for (const time::Stretch& stretch : warp.stretches) {
      EXPECT_GE(stretch.from, before - 1e-6);
      EXPECT_LE(stretch.to, schedule.to);
      before = stretch.to;
      if (stretch.what == time::Stall::selected && stretch.from > schedule.from)
        issues[warp.part].push_back(stretch.from);
    }
  }
  EXPECT_FALSE(issues.empty());
  for (auto& [part, cycles] : issues) {
    std::ranges::sort(cycles);
    for (std::size_t i = 1; i < cycles.size(); ++i) EXPECT_GE(cycles[i] - cycles[i - 1], 1 - 1e-6) << part;
  }
}

TEST(TimeFigure, SaysWhatLimits) {
  time::Prediction p;
  p.units.shared = 0.97, p.units.issue = 0.6, p.waves = 4;
  EXPECT_EQ(headline(p), "Shared memory limits this step: busy 97 % of the time");
  p.units.shared = 0, p.units.fp64 = 0.9;
  EXPECT_EQ(headline(p), "The double-precision units limit this step: busy 90 % of the time");
  p.units.fp64 = 0.3;
  p.stalls[static_cast<std::size_t>(time::Stall::long_scoreboard)] = 0.7;
  EXPECT_EQ(headline(p), "Warps wait for global memory: no unit is busy more than 60 %");
  p.tail = 0.88;
  EXPECT_EQ(headline(p), "Too few blocks: 88 % of the SMs' time is idle");
}

// A wait of one warp is hit by the pointer: which warp, cycles, line.
TEST(TimeFigure, TellsWarpCycleAndLine) {
  const auto run = record_kept("shared_tile", "128");
  const Subject subject{.run = run, .schedule = schedule_of(*run)};
  const auto scene = draw_time(subject, {1280, 720}, scene::FixedMeasure{});
  ASSERT_TRUE(scene);
  bool found = false;
  for (double y = 100; y < 600; y += 3)
    if (const auto hit = scene::hit_test(*scene, {400, y}, scene::FixedMeasure{}))
      found |=
          hit->title.find("cycles") != std::string::npos && hit->title.find("line ") != std::string::npos;
  EXPECT_TRUE(found);
}

TEST(TimeFigure, WritesItsNumbers) {
  const auto run = record_kept("naive", "128");
  const Subject subject{.run = run, .schedule = schedule_of(*run)};
  const auto csv = time_table(subject);
  ASSERT_TRUE(csv);
  EXPECT_TRUE(csv->starts_with("warp,part,block,from_cycle,to_cycle,what,line\n"));
  EXPECT_NE(csv->find("selected"), std::string::npos);
}

TEST(TimeFigure, NeedsADeviceThatIsAProduct) {
  auto run = std::make_shared<run::Run>(*record_kept("naive", "128"));
  auto job = std::make_shared<run::Job>(*run->job);
  job->plan.device = device_named("cc8.0");
  run->job = job;
  const Subject subject{.run = run};
  const auto scene = draw_time(subject, {1280, 720}, scene::FixedMeasure{});
  ASSERT_FALSE(scene);
  EXPECT_NE(scene.error().message.find("no product"), std::string::npos);
}

// More warps hide a chain of dependent operations, until a unit is busy; then waves of blocks that do not
// come out even may cost some of it.
TEST(LatencyFigure, GrowsWithTheWarps) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  const auto run = record("latency/01_one_chain", "1048576", {{"BLOCK", 64}, {"PER_SM", 0}});
  ASSERT_TRUE(run);
  const auto over = time::over_warps(*run);
  ASSERT_TRUE(over) << to_line(over.error());
  ASSERT_GE(over->points.size(), 4u);
  EXPECT_EQ(over->points.front().blocks, 1);
  EXPECT_GT(over->points.front().seconds, 3 * over->points[over->now].seconds);
  for (std::size_t i = 1; i < over->points.size(); ++i)
    EXPECT_LE(over->points[i].seconds, 1.15 * over->points[i - 1].seconds);
  const TimeSaid said = latency_words(*run, *over);
  EXPECT_FALSE(said.explanation.what.empty());
}

// Every block once, no more on an SM than it holds, and the end is the predicted one.
TEST(TimelineFigure, PlacesEveryBlock) {
  const auto run = record("matmul/03_shared_tile", "1024", {{"TILE", 16}});
  const SharedGridTimes made = grid_times_of(*run);
  ASSERT_TRUE(*made) << to_line(made->error());
  const time::GridTimeline& model = (*made)->model;
  EXPECT_EQ(model.grid, 64u * 64u);
  ASSERT_EQ(model.blocks.size(), model.grid);
  EXPECT_EQ(model.full_waves, model.grid / static_cast<std::uint64_t>(model.sms * model.held));
  EXPECT_LE((*made)->timeline.slots(), static_cast<std::uint32_t>(model.held));
  double end = 0;
  for (const time::BlockSpan& span : model.blocks) end = std::max(end, span.end);
  EXPECT_NEAR(end, model.prediction.cycles / 1.98e9, 1e-9);
  EXPECT_GT(model.last_share, 0);
  const Subject subject{.run = run, .timeline = made};
  const auto scene = draw_timeline(subject, {900, 600}, scene::FixedMeasure{});
  ASSERT_TRUE(scene) << to_line(scene.error());
}

TEST(TimelineFigure, SaysWhatTheLastWaveCosts) {
  time::GridTimeline t;
  t.sms = 132, t.held = 2, t.full_waves = 4;
  t.grid = 4 * 264 + 48, t.last_blocks = 48, t.last_sms = 24, t.last_share = 0.18;
  const auto said = timeline_words(t).explanation;
  EXPECT_EQ(said.what, "the last wave fills 24 of 132 SMs: 18 % of the time for 4 % of the work");
  EXPECT_EQ(said.verdict, explain::Verdict::costly);
  t.grid = 4 * 264, t.last_blocks = 0, t.last_share = 0;
  EXPECT_EQ(timeline_words(t).explanation.what, "4 full waves, and no other: all SMs end together");
  t.grid = 100, t.full_waves = 0, t.last_blocks = 100, t.last_sms = 100;
  EXPECT_EQ(timeline_words(t).explanation.what, "the grid fills 100 of 132 SMs");
  EXPECT_FALSE(timeline_words(t).explanation.fix.empty());
}

}  // namespace
}  // namespace warplens::figures
