#include "viz/plot/ticks.hpp"

#include <gmock/gmock.h>

namespace warplens::plot {
namespace {

using testing::ElementsAre;

std::vector<std::string> labels(Range range, Scale scale, double count, Notation notation = Notation::plain) {
  std::vector<std::string> found;
  for (const Tick& t : ticks(range, scale, count, notation))
    if (t.major) found.push_back(t.label);
  return found;
}

int minors(Range range, Scale scale, double count) {
  int n = 0;
  for (const Tick& t : ticks(range, scale, count, Notation::plain)) n += t.major ? 0 : 1;
  return n;
}

TEST(NiceNumbers, AreRound) {
  EXPECT_THAT(nice_numbers({0, 100}, 5), ElementsAre(0, 25, 50, 75, 100));
  EXPECT_THAT(nice_numbers({0, 1}, 6), ElementsAre(0, 0.2, 0.4, 0.6, 0.8, 1));
  EXPECT_THAT(nice_numbers({-1, 1}, 5), ElementsAre(-1, -0.5, 0, 0.5, 1));
  EXPECT_THAT(nice_numbers({8.1, 14.1}, 4),
              ElementsAre(8, 10, 12, 14));  // the example of R's package labeling
}

TEST(NiceNumbers, HoldAtAnyMagnitude) {
  for (const double unit : {1e-12, 1e-3, 1.0, 1e9, 1e200}) {
    const auto numbers = nice_numbers({0, 10 * unit}, 6);
    ASSERT_GE(numbers.size(), 3u) << unit;
    ASSERT_LE(numbers.size(), 12u) << unit;
    for (std::size_t i = 1; i < numbers.size(); ++i) EXPECT_GT(numbers[i], numbers[i - 1]);
  }
}

TEST(NiceNumbers, OfNothingAreFew) {
  EXPECT_THAT(nice_numbers({5, 5}, 6), ElementsAre(5));
  EXPECT_TRUE(nice_numbers({0, 1.0 / 0.0}, 6).empty());
}

TEST(Ticks, LinearLabelsDoNotDrift) {
  EXPECT_THAT(labels({0, 0.5}, Scale::linear, 6), ElementsAre("0", "0.1", "0.2", "0.3", "0.4", "0.5"));
  EXPECT_THAT(labels({0, 6e13}, Scale::linear, 4, Notation::si), ElementsAre("0", "20T", "40T", "60T"));
  EXPECT_THAT(labels({0, 1}, Scale::linear, 6, Notation::percent),
              ElementsAre("0 %", "20 %", "40 %", "60 %", "80 %", "100 %"));
}

TEST(Ticks, NeighboursHaveDifferentLabels) {
  const auto found = labels({100000, 100010}, Scale::linear, 6, Notation::si);
  ASSERT_GE(found.size(), 3u);
  for (std::size_t i = 1; i < found.size(); ++i) EXPECT_NE(found[i], found[i - 1]);
}

TEST(Ticks, DecadesWithTwosAndFivesWhereThereIsRoom) {
  EXPECT_THAT(labels({1, 1000}, Scale::log10, 4), ElementsAre("1", "10", "100", "1,000"));
  EXPECT_THAT(labels({1, 100}, Scale::log10, 8), ElementsAre("1", "2", "5", "10", "20", "50", "100"));
  EXPECT_THAT(labels({1e3, 1e9}, Scale::log10, 4, Notation::si), ElementsAre("10k", "1M", "100M"));
  EXPECT_EQ(minors({1, 1000}, Scale::log10, 4), 24);
}

TEST(Ticks, OfPartOfADecadeAreRoundNumbers) {
  EXPECT_THAT(labels({20, 40}, Scale::log10, 5), ElementsAre("20", "25", "30", "35", "40"));
}

TEST(Ticks, PowersOfTwo) {
  EXPECT_THAT(labels({128, 16384}, Scale::log2, 8),
              ElementsAre("128", "256", "512", "1,024", "2,048", "4,096", "8,192", "16,384"));
  EXPECT_THAT(labels({128, 16384}, Scale::log2, 4), ElementsAre("256", "1,024", "4,096", "16,384"));
}

TEST(Ticks, StayInTheRange) {
  for (const Range range : {Range{0.13, 7.77}, Range{-3.3, 1e4}, Range{1e-7, 2e-7}})
    for (const Tick& t : ticks(range, Scale::linear, 6, Notation::plain)) {
      EXPECT_GE(t.value, range.low - 1e-9 * (range.high - range.low));
      EXPECT_LE(t.value, range.high + 1e-9 * (range.high - range.low));
    }
  EXPECT_TRUE(ticks({3, 3}, Scale::linear, 5, Notation::plain).empty());
}

TEST(Ticks, BinaryOnesAreMultiplesOfAPowerOfTwo) {
  for (const auto& [range, step] : {std::pair{Range{0, 1055}, 256.0}, {{0, 69}, 16}, {{-3, 17}, 4}}) {
    double last = std::nan("");
    int majors = 0;
    for (const Tick& t : binary_ticks(range, 6, Notation::plain)) {
      EXPECT_GE(t.value, range.low);
      EXPECT_LE(t.value, range.high);
      EXPECT_EQ(std::fmod(t.value, step / 4), 0);
      EXPECT_EQ(t.major, std::fmod(t.value, step) == 0) << t.value;
      EXPECT_EQ(t.label.empty(), !t.major);
      if (!t.major) continue;
      if (majors > 0) {
        EXPECT_EQ(t.value - last, step);
      }
      ++majors;
      last = t.value;
    }
    EXPECT_GE(majors, 4);
  }
  EXPECT_TRUE(binary_ticks({3, 3}, 5, Notation::plain).empty());
}

TEST(Format, Si) {
  EXPECT_EQ(si(1000), "1k");
  EXPECT_EQ(si(1e7), "10M");
  EXPECT_EQ(si(0), "0");
  EXPECT_EQ(si(999.6), "1k");
  EXPECT_EQ(si(999999), "1M");
  EXPECT_EQ(si(1.25e-6, 3, " ", "s"), "1.25 µs");
  EXPECT_EQ(si(498e9, 3, " ", "FLOP/s"), "498 GFLOP/s");
  EXPECT_EQ(si(-1500), "−1.5k");
  EXPECT_EQ(si(32, 3, " ", "B"), "32 B");
}

TEST(Format, PlainAndPercent) {
  EXPECT_EQ(plain(1024), "1,024");
  EXPECT_EQ(plain(1234567, 7), "1,234,567");
  EXPECT_EQ(plain(-1234.5), "−1,234.5");
  EXPECT_EQ(plain(0.05), "0.05");
  EXPECT_EQ(plain(-0.0), "0");
  EXPECT_EQ(plain(0.0 / 0.0), "–");
  EXPECT_EQ(percent(0.121), "12.1 %");
  EXPECT_EQ(percent(1), "100 %");
}

}  // namespace
}  // namespace warplens::plot
