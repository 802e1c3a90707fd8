#include "engine/time/apart.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/run/testing/run_support.hpp"
#include "engine/time/predict_run.hpp"
#include "engine/time/why/without.hpp"

namespace warplens::time {
namespace {

// A straight line of loads and multiply-adds, for a chip like an H100.
Modelled line_of(int loads, double sectors, int products) {
  Model model;
  model.parameters = parameters_of(run::h100());
  model.clock_hz = 1e9, model.sms = 100, model.held = 4, model.blocks = 4000;
  const auto add = [&](Unit unit, Access access, const AccessCost& cost) {
    Step step;
    step.unit = unit, step.access = access, step.cost = cost, step.stall = 2;
    model.work.code.push_back(step);
  };
  for (int i = 0; i < loads; ++i)
    add(Unit::memory, Access::global_load,
        {.turns = sectors / 4,
         .l2_sectors = sectors,
         .l2_packets = 1,
         .l1_miss = 1,
         .dram_sectors = sectors});
  for (int i = 0; i < products; ++i) add(Unit::fma, Access::none, {});
  const auto end = static_cast<std::uint32_t>(model.work.code.size());
  model.work.blocks = {{.first = 0, .end = end, .executed = 1, .edges = {{kLeave, 1}}}};
  model.work.warps_per_block = 8, model.work.resident = 4;
  model.work.intervals.fill(1);
  model.work.l2_sectors_per_cycle = 0.5, model.work.l2_packets_per_cycle = 0.5;
  model.work.dram_sectors_per_cycle = 0.2;
  model.executed.assign(end, 1), model.instructions = end;
  const Prediction prediction = predict(model);
  return {std::move(model), prediction};
}

double sum_of(const Apart& apart) {
  double sum = apart.rest;
  for (const Part& part : apart.parts) sum += part.change;
  return sum;
}
double share_of(const Apart& apart, Asked asked) {
  for (const Part& part : apart.parts)
    if (part.asked == asked) return part.change / apart.change;
  return 0;
}

// What was not asked yet when it was cancelled is not predicted: nothing is taken from the change.
TEST(Apart, EndsWhereItIsCancelled) {
  const std::atomic<bool> cancelled = true;
  const Apart apart = take_apart(line_of(8, 4, 40), line_of(8, 32, 400), 1, cancelled);
  EXPECT_EQ(apart.rest, apart.change);
}

TEST(Apart, SharesSumToTheWholeChange) {
  const Modelled one = line_of(8, 4, 40), other = line_of(8, 32, 400);
  const Apart apart = take_apart(one, other);
  EXPECT_GT(apart.change, 0.5);
  EXPECT_NEAR(sum_of(apart), apart.change, 1e-9);
  // The other way round the same parts have the opposite sign.
  const Apart back = take_apart(other, one);
  EXPECT_NEAR(back.change, -apart.change, 1e-9);
  EXPECT_NEAR(share_of(back, Asked::traffic), share_of(apart, Asked::traffic), 1e-6);
}

TEST(Apart, NamesWhatFillsTheTimeAndNothingBesideIt) {
  // Memory holds both: fewer sectors make the difference, fewer products none.
  const Apart sectors = take_apart(line_of(8, 4, 10), line_of(8, 16, 20));
  EXPECT_GT(share_of(sectors, Asked::traffic), 0.9);
  EXPECT_EQ(causes_of(sectors).front().asked, Asked::traffic);
  const Apart products = take_apart(line_of(1, 1, 500), line_of(1, 2, 1500));
  EXPECT_EQ(causes_of(products).front().asked, Asked::instructions);
}

TEST(Apart, AtomicsAtOneAddressAreExchanged) {
  Modelled one = line_of(4, 4, 10), other = one;
  for (auto [each, meetings] : {std::pair(&one, 1e6), std::pair(&other, 4e6)})
    each->model.traffic.meetings = meetings, each->prediction = predict(each->model);
  const Apart apart = take_apart(one, other);
  EXPECT_NEAR(apart.change, std::log(4), 0.05);
  EXPECT_NEAR(share_of(apart, Asked::atomics), 1, 0.02);
  // Had the chip more than enough time for them, they would be no reason.
  for (Modelled* each : {&one, &other})
    each->model.parameters.atomic_cycles = 0, each->prediction = predict(each->model);
  EXPECT_TRUE(causes_of(take_apart(one, other)).empty());
}

TEST(Apart, ForTheSameWorkTwiceTheLaunchIsNoReason) {
  const Modelled one = line_of(8, 16, 10);
  Modelled twice = one;
  twice.model.blocks *= 2, twice.prediction = predict(twice.model);
  EXPECT_TRUE(causes_of(take_apart(one, twice, 2)).empty());
  EXPECT_FALSE(causes_of(take_apart(one, twice)).empty());
}

// Three of 132 SMs or four: nearly all are idle in both, and what their blocks wait for is the reason.
TEST(Apart, AFewMoreIdleSmsAreNoReason) {
  Totals one, other;
  one.used_sms = 3. / 132, other.used_sms = 4. / 132;
  EXPECT_TRUE(differences(one, other, 1).empty());
  other.used_sms = 0.9;
  EXPECT_EQ(differences(one, other, 1), std::vector{Asked::idle_sms});
  one.used_sms = 0.88;
  EXPECT_TRUE(differences(one, other, 1).empty());
}

Apart parted(double change, std::vector<Part> parts, double rest) {
  Apart apart;
  apart.change = change, apart.parts = std::move(parts), apart.rest = rest;
  return apart;
}

TEST(Causes, CarryHalfOfTheChange) {
  const auto one = causes_of(parted(1, {{Asked::barriers, 0.6}, {Asked::starts, 0.3}}, 0.1));
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(one[0].asked, Asked::barriers);
  EXPECT_DOUBLE_EQ(one[0].share, 0.6);
  const auto two = causes_of(parted(1, {{Asked::barriers, 0.35}, {Asked::starts, 0.3}}, 0.35));
  ASSERT_EQ(two.size(), 2u);
  EXPECT_TRUE(causes_of(parted(1, {{Asked::barriers, 0.3}, {Asked::starts, 0.1}}, 0.6)).empty());
  EXPECT_TRUE(causes_of(parted(0.01, {{Asked::barriers, 0.01}}, 0)).empty());  // next to no change
  // What goes the other way is no cause.
  EXPECT_TRUE(causes_of(parted(-1, {{Asked::barriers, 0.6}}, -1.6)).empty());
  EXPECT_EQ(against_it(parted(-1, {{Asked::barriers, 0.6}}, -1.6))->asked, Asked::barriers);
}

TEST(Causes, OfNearlyOneSizeAreNamedTogether) {
  EXPECT_EQ(causes_of(parted(1, {{Asked::starts, 0.52}, {Asked::wavefronts, 0.43}}, 0.05)).size(), 2u);
  EXPECT_EQ(causes_of(parted(1, {{Asked::starts, 0.72}, {Asked::wavefronts, 0.2}}, 0.08)).size(), 1u);
}

// Two parts of a third each beside a rest of two thirds that another part takes back; one part of twice the
// change, which the rest takes back.
TEST(Causes, AreNotNamedWhereAsMuchGoesTheOtherWay) {
  const Apart mixed =
      parted(1, {{Asked::traffic, 0.33}, {Asked::barriers, 0.32}, {Asked::occupancy, -0.56}}, 0.64);
  EXPECT_TRUE(causes_of(mixed).empty());
  EXPECT_TRUE(causes_of(parted(1, {{Asked::starts, 2.38}, {Asked::atomics, 0.37}}, -1.75)).empty());
  EXPECT_EQ(causes_of(parted(1, {{Asked::starts, 1.3}}, -0.3)).size(), 1u);
  EXPECT_EQ(causes_of(parted(1, {{Asked::starts, 1.55}, {Asked::atomics, -0.55}}, 0)).size(), 1u);
}

TEST(Causes, OfTheRestAreWhatWarpsWaitFor) {
  Apart apart = parted(1, {{Asked::barriers, 0.2}}, 0.8);
  apart.waits[static_cast<std::size_t>(Stall::long_scoreboard)] = 0.7;
  ASSERT_EQ(causes_of(apart).size(), 1u);
  EXPECT_EQ(causes_of(apart)[0].wait, Stall::long_scoreboard);
  apart.waits[static_cast<std::size_t>(Stall::long_scoreboard)] = 0.4;
  EXPECT_TRUE(causes_of(apart).empty());
}

TEST(Without, TakesAwayWhatIsThereAndSaysWhatIsNot) {
  const Modelled of = line_of(8, 32, 10);
  const double now = of.prediction.seconds;
  EXPECT_LT(*seconds_without_traffic(of), 0.5 * now);
  EXPECT_FALSE(seconds_without_wavefronts(of));
  EXPECT_FALSE(seconds_without_spills(of));
  const Left quarter{{0, Anchor::global_load}, 0.25, 1}, elsewhere{{7, Anchor::global_load}, 0.25, 1};
  EXPECT_LT(*seconds_with(of, std::vector{quarter}), 0.5 * now);
  EXPECT_FALSE(seconds_with(of, std::vector{elsewhere}));
}

// Shares that were added up in different orders are the same.
TEST(Without, DoesNotFollowTheRoundingOfAShare) {
  const Modelled of = line_of(8, 32, 10);
  const Left one{{0, Anchor::global_load}, 1 - 0.7, 1}, other{{0, Anchor::global_load}, 0.3, 1};
  ASSERT_NE(one.cost, other.cost);
  EXPECT_EQ(*seconds_with(of, std::vector{one}), *seconds_with(of, std::vector{other}));
}

// Blocks for SMs that had none take hardly longer; a grid of as many as there are now is the same one.
TEST(Without, MoreBlocksRunBesideTheOthers) {
  Modelled few = line_of(1, 1, 20'000);
  few.model.blocks = 25, few.model.work.resident = 1, few.prediction = predict(few.model);
  EXPECT_DOUBLE_EQ(predict(with_grid_of(few.model, 25)).seconds, few.prediction.seconds);
  const double all = predict(with_grid_of(few.model, few.model.sms)).seconds;
  EXPECT_GE(all, few.prediction.seconds);
  EXPECT_LT(all, 1.5 * few.prediction.seconds) << "four times the work";
}

}  // namespace
}  // namespace warplens::time
