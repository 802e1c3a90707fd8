// The speed map: every set of a kernel's parameters with its predicted speed, or why it cannot run.
#include "viz/figures/map/speed_map.hpp"

#include <gtest/gtest.h>

#include "viz/figures/figure.hpp"
#include "viz/figures/testing/figure_support.hpp"
#include "viz/figures/testing/recorded_run.hpp"
#include "viz/scene/hit_test.hpp"

namespace warplens::figures {
namespace {

// A kernel with these two parameters, each of 1, 2, 4; seconds: of each set by TM, then TN, 0: it waits,
// less: the device refuses it.
time::SpeedMap map_of(const run::Run& run, const std::vector<double>& seconds) {
  time::SpeedMap map{run.plan(), {}};
  map.plan.spec.params = {{"TM", 1, {1, 2, 4}, ""}, {"TN", 1, {1, 2, 4}, ""}};
  map.plan.parameters = {{"TM", 1}, {"TN", 1}};
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    time::MapSet set{.values = {{"TM", std::int64_t{1} << i / 3}, {"TN", std::int64_t{1} << i % 3}}};
    if (seconds[i] > 0) set.seconds = seconds[i], set.limiter = "fma";
    if (seconds[i] < 0) set.why_not = "its registers do not fit";
    map.sets.push_back(std::move(set));
  }
  map.by_influence = {"TM", "TN"};
  return map;
}

const catalog::Values kNow{{"TM", 1}, {"TN", 1}};

TEST(SpeedSlice, HasACellForEachPairOfValues) {
  const auto run = record_kept("naive", "32");
  const auto map = map_of(*run, {9e-6, 8e-6, 7e-6, 6e-6, 5e-6, 4e-6, 3e-6, 0, -1});
  const auto slice = slice_of(map, kNow, {}, {});
  ASSERT_TRUE(slice);
  EXPECT_EQ(slice->x, "TM");
  EXPECT_EQ(slice->y, "TN");
  ASSERT_EQ(slice->cells.size(), 9u);
  EXPECT_TRUE(slice->at(0, 0).is_now);
  EXPECT_TRUE(slice->at(2, 0).is_best);
  EXPECT_EQ(slice->at(2, 0).set->seconds, 3e-6);
  EXPECT_EQ(slice->at(2, 1).set, nullptr);
  EXPECT_EQ(slice->at(2, 1).why_not, "");
  EXPECT_EQ(slice->at(2, 2).why_not, "its registers do not fit");
  EXPECT_EQ(slice->slowest, 9e-6);
}

TEST(SpeedSlice, OverOneParameterTakesTheBestOrTheChosenValuesOfTheOther) {
  const auto run = record_kept("naive", "32");
  const auto map = map_of(*run, {9e-6, 8e-6, 7e-6, 6e-6, 5e-6, 4e-6, 3e-6, 2e-6, 1e-6});
  const auto best = slice_of(map, kNow, {.over = {"TN"}}, {});
  ASSERT_TRUE(best && best->y.empty());
  EXPECT_EQ(best->at(0, 0).set->seconds, 3e-6);
  const auto now = slice_of(map, kNow, {.over = {"TN"}, .others_as_now = true}, {});
  EXPECT_EQ(now->at(0, 0).set->seconds, 9e-6);
  EXPECT_EQ(now->at(2, 0).set->seconds, 7e-6);
}

TEST(SpeedMap, SaysTheBestAndNamesItsCells) {
  run::Run run = *record_kept("naive", "32");
  run::Job job = *run.job;
  job.plan.parameters = kNow;
  run.job = std::make_shared<const run::Job>(std::move(job));
  Subject subject{.run = std::make_shared<const run::Run>(run)};
  const auto map = map_of(run, {9e-6, 8e-6, 7e-6, 6e-6, 5e-6, 4e-6, 3e-6, 2e-6, -1});
  subject.known.speed_map = std::make_shared<const Result<time::SpeedMap>>(map);
  const MeasuredSets measured{{{{"TM", 4}, {"TN", 2}}, 2.5e-6}};
  subject.measured = std::make_shared<const MeasuredSets>(measured);
  const TimeSaid said = map_words(subject, map);
  EXPECT_NE(said.explanation.what.find("TM = 4, TN = 2, 4.5 times"), std::string::npos)
      << said.explanation.what;
  EXPECT_NE(said.explanation.why.find("20 % less than predicted"), std::string::npos) << said.explanation.why;
  const auto scene = draw(*find_figure("speed-map"), subject, {900, 700}, scene::FixedMeasure{});
  ASSERT_TRUE(scene) << to_line(scene.error());
  EXPECT_TRUE(scene::find_bounds(*scene, "set:TM=4,TN=2", scene::FixedMeasure{}));
  const auto table = csv(*find_figure("speed-map"), subject);
  ASSERT_TRUE(table);
  EXPECT_NE(table->find("4,2,2.000,"), std::string::npos) << *table;
  EXPECT_NE(table->find("its registers do not fit"), std::string::npos);
}

TEST(SpeedMap, OfAKernelPredictsEverySetOnce) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  const auto run = run::run_of(*run::kernels().find("transpose/02_tiled"), {}, {{"M", 512}, {"N", 512}});
  ASSERT_TRUE(run) << to_line(run.error());
  const auto map =
      speed_map_of(**run, [](const compile::Request& request) { return run::compiler().compile(request); });
  ASSERT_TRUE(*map);
  EXPECT_TRUE((*map)->is_complete());
  EXPECT_EQ((*map)->sets.front().values, (*run)->plan().parameters);
  EXPECT_EQ((*map)->by_influence.size(), time::varied_parameters(**map).size());
  ASSERT_NE((*map)->best(), nullptr);
  EXPECT_NEAR((*map)->sets.front().seconds, time::predict(**run)->seconds,
              0.02 * (*map)->sets.front().seconds);
}

}  // namespace
}  // namespace warplens::figures
