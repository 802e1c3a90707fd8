// The pick of `tune` with a timer that the test writes in place of a GPU.
#include "app/gpu/tuning.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

namespace warplens::app {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Sets TILE=1, 2, ... with these predicted times.
std::vector<TunedSet> sets(const std::vector<double>& predicted) {
  std::vector<TunedSet> all;
  for (const double seconds : predicted)
    all.push_back(
        {.parameters = {{"TILE", static_cast<std::int64_t>(all.size()) + 1}}, .predicted = seconds});
  return all;
}

// Tells these times, of one tile a list of them by round; a negative one is a wrong result.
struct FakeTimer {
  std::map<std::int64_t, std::vector<double>> seconds;
  std::vector<std::int64_t> asked = {};
  std::vector<double> hopeless = {};

  TimeSet function() {
    return [this](const catalog::Values& set, const TuningRound& round) -> Result<double> {
      const std::int64_t tile = set.at("TILE");
      asked.push_back(tile);
      hopeless.push_back(round.hopeless_seconds);
      const auto& times = seconds.at(tile);
      const double time = times[std::min(times.size() - 1, static_cast<std::size_t>(round.round))];
      if (time < 0) return Error{"its result is wrong", ""};
      return time;
    };
  }
};

Tuning measured(const std::vector<double>& predicted, FakeTimer& timer) {
  Tuning tuning{.kernel = "test/01",
                .device = "h100",
                .ranked = sets(predicted),
                .tried = predicted.size(),
                .gpu = "Fake 1"};
  measure_in_turn(tuning.ranked, tuning.tried, timer.function());
  return tuning;
}

TEST(Shortlist, HasTheFirstOfTheRankingOrAllThatAreAsGood) {
  std::vector<double> steep, flat;
  for (int i = 0; i < 90; ++i) steep.push_back(1 + 0.1 * i), flat.push_back(1 + 0.0025 * i);
  EXPECT_EQ(shortlist(sets(steep), {}), 40u);
  EXPECT_EQ(shortlist(sets(flat), {}), 61u);  // 1.00 to 1.15
  EXPECT_EQ(shortlist(sets(steep), {.first = 1}), 2u);
  EXPECT_EQ(shortlist(sets({1, 2, 3}), {}), 3u);
  EXPECT_EQ(shortlist(sets(steep), {.all = true}), 90u);
  EXPECT_EQ(shortlist({}, {}), 0u);
  EXPECT_EQ(shortlist(sets({1, 1.1, 0, 0}), {.first = 1}), 2u);  // two without a prediction
}

TEST(Tuning, TheMeasuredBestIsThePick) {
  FakeTimer timer{{{1, {1.05}}, {2, {1.3}}, {3, {1.0}}}};
  const Tuning tuning = measured({1, 1.1, 1.2}, timer);
  EXPECT_EQ(pick_of(tuning), 2u);
  const Json json = to_json(tuning);
  EXPECT_EQ(json["pick"]["params"]["TILE"], 3);
  EXPECT_EQ(json["pick"]["seconds"], 1.0);
  EXPECT_EQ(json["pick"]["predicted_rank"], 3);
  EXPECT_EQ(json["pick_basis"], "measured");
  EXPECT_EQ(json["measured_sets"], 3);
  EXPECT_EQ(json["gpu"], "Fake 1");
  EXPECT_EQ(json["best"]["params"]["TILE"], 1);  // the model's own
  EXPECT_EQ(json["best"]["measured_rank"], 2);
  EXPECT_EQ(json["ranked"][1]["measured_seconds"], 1.3);
  EXPECT_FALSE(json.contains("not_measured"));
  const std::string text = to_text(tuning);
  EXPECT_THAT(text, HasSubstr("test/01 on h100: TILE = 3, 1.00 s\n"));
  EXPECT_THAT(text, HasSubstr("measured best of the model's first 3 of 3 parameter sets, on Fake 1\n"));
  EXPECT_THAT(text, HasSubstr("the model ranks it 3rd; its first choice, TILE = 1, is the 2nd of those "
                              "measured, 5.0 % slower\n"));
}

TEST(Tuning, SetsNearTheBestAreTimedInTurn) {
  FakeTimer timer{{{1, {1.0}}, {2, {2.0}}, {3, {1.05}}}};
  measured({1, 1.1, 1.2}, timer);
  EXPECT_THAT(timer.asked, ElementsAre(1, 2, 3, 1, 3, 1, 3));
  EXPECT_EQ(timer.hopeless.front(), 0);
  EXPECT_EQ(timer.hopeless[1], 2.0);  // twice the best so far
}

TEST(Tuning, TheMedianOfTheRoundsCounts) {
  FakeTimer timer{{{1, {1.0, 1.2, 1.2}}, {2, {1.09, 1.05, 1.05}}}};
  const Tuning tuning = measured({1, 1.1}, timer);
  EXPECT_EQ(pick_of(tuning), 1u);
  EXPECT_EQ(tuning.ranked[0].measured, 1.2);
}

TEST(Tuning, AWrongResultIsNeverThePick) {
  FakeTimer timer{{{1, {-1}}, {2, {2.0}}}};
  const Tuning tuning = measured({1, 1.1}, timer);
  EXPECT_EQ(pick_of(tuning), 1u);
  EXPECT_EQ(to_json(tuning)["ranked"][0]["failed"], "its result is wrong");
  EXPECT_FALSE(to_json(tuning)["best"].contains("measured_rank"));
  EXPECT_THAT(to_text(tuning),
              HasSubstr("the model's first choice, TILE = 1, failed: its result is wrong\n"));
  FakeTimer wrong{{{1, {-1}}, {2, {-1}}}};
  EXPECT_EQ(pick_of(measured({1, 1.1}, wrong)), std::nullopt);
}

TEST(Tuning, WithoutAGpuTheModelPicksAndSaysSo) {
  const Tuning tuning{.kernel = "test/01",
                      .device = "h100",
                      .ranked = sets({1, 2}),
                      .why_not = "there is no GPU",
                      .size = "N = 64",
                      .now = {{"TILE", 2}}};
  EXPECT_EQ(pick_of(tuning), 0u);
  const Json json = to_json(tuning);
  EXPECT_EQ(json["pick_basis"], "predicted");
  EXPECT_EQ(json["pick"]["seconds"], 1.0);
  EXPECT_EQ(json["not_measured"], "there is no GPU");
  EXPECT_TRUE(json["gpu"].is_null());
  const std::string text = to_text(tuning);
  EXPECT_THAT(text, HasSubstr("test/01 at N = 64 on h100: 2 parameter sets by predicted time\n"));
  EXPECT_THAT(text, HasSubstr("TILE = 2  (now)\n"));
  EXPECT_THAT(text, HasSubstr("predicted, not measured: there is no GPU\n"));
}

}  // namespace
}  // namespace warplens::app
