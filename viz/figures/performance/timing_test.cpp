// The picture of a timing's samples: made up here so that it stays as it is kept, and recorded ones.
#include "viz/figures/performance/timing.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "engine/base/testing/places.hpp"
#include "engine/measured/recorded_speeds.hpp"
#include "viz/figures/testing/figure_support.hpp"
#include "viz/figures/testing/made_steps.hpp"
#include "viz/figures/testing/recorded_run.hpp"

namespace warplens::figures {
namespace {

using testing::HasSubstr;

TEST(TimingFigure, IsAsKept) {
  const scene::FixedMeasure measure;
  Subject subject{.run = record_kept("naive", "32"), .timing = made_timing()};
  expect_golden(draw_or_say(*find_figure("timing"), subject, {1000, 640}, measure), "timing");
  subject.look = Look::stage;
  expect_golden(draw_or_say(*find_figure("timing"), subject, {760, 460}, measure), "timing_class");
}

TEST(TimingFigure, SaysHowSureTheTimeIs) {
  const explain::Explanation said = timing_words(*made_timing());
  EXPECT_EQ(said.what, "20 µs in the median, 80 % of the samples within 0.5 % of it");
  EXPECT_EQ(
      said.why,
      "2 of 60 samples are outliers, the longest 10 % above the median; the clock fell from 1,980 to 1,755 "
      "MHz, held back by power cap");
  measured::Timing calm = *made_timing();
  calm.lowest_clock_mhz = calm.clock_mhz, calm.held_back_by.clear();
  std::erase_if(calm.seconds, [](double seconds) { return seconds > 21e-6; });
  EXPECT_EQ(timing_words(calm).why, "none of 58 samples is an outlier; the clock stayed at 1,980 MHz");
}

TEST(TimingFigure, WritesEachSample) {
  const auto csv = timing_table({.run = record_kept("naive", "32"), .timing = made_timing()});
  ASSERT_TRUE(csv);
  EXPECT_EQ(std::ranges::count(*csv, '\n'), 61);
  EXPECT_THAT(*csv, HasSubstr("\n4,1.99e-05,no\n5,2.21e-05,yes\n"));
}

// Recordings of before samples were kept: measured on an H100.
TEST(TimingFigure, OfARecordingWithoutSamplesHasItsQuantiles) {
  const auto recorded = measured::RecordedSpeeds::read(source_path() + "/assets/recorded", "h100");
  ASSERT_TRUE(recorded && !recorded->results.empty());
  for (const measured::RecordedSpeed& speed : recorded->results) {
    ASSERT_NE(speed.timing, nullptr) << speed.kernel;
    EXPECT_LE(speed.timing->least, speed.timing->median) << speed.kernel;
    EXPECT_DOUBLE_EQ(speed.timing->median, speed.seconds) << speed.kernel;
  }
  const Subject subject{.run = record_kept("naive", "32"), .timing = recorded->results.front().timing};
  ASSERT_TRUE(subject.timing->seconds.empty());
  EXPECT_TRUE(draw(*find_figure("timing"), subject, {800, 600}, scene::FixedMeasure{}));
  EXPECT_EQ(timing_words(*subject.timing).why,
            "the recording kept the quantiles of its 12 samples alone; the clock stayed at 1,980 MHz");
  const auto csv = timing_table(subject);
  ASSERT_TRUE(csv);
  EXPECT_THAT(*csv, HasSubstr("\nmedian,0.275592606,\n"));
}

// `warplens run transpose/02_tiled --engine gpu --json` on an H100.
TEST(TimingFigure, OfAMeasurementHasItsSamples) {
  const auto measured =
      measured::RecordedSpeeds::read(source_path() + "/engine/measured/testdata", "h100_timing");
  ASSERT_TRUE(measured && measured->results.size() == 1);
  const measured::Timing& timing = *measured->results[0].timing;
  ASSERT_EQ(timing.seconds.size(), static_cast<std::size_t>(timing.samples));
  EXPECT_EQ(timing.least, *std::ranges::min_element(timing.seconds));
  const explain::Explanation said = timing_words(timing);
  EXPECT_EQ(said.what, "8.94 µs in the median, 80 % of the samples within 2 % of it");
  EXPECT_THAT(said.why, HasSubstr("of 256 samples"));
  const Subject subject{.run = record_kept("naive", "32"), .timing = measured->results[0].timing};
  EXPECT_TRUE(draw(*find_figure("timing"), subject, {800, 600}, scene::FixedMeasure{}));
}

TEST(TimingFigure, SaysWhereNothingWasMeasured) {
  const auto scene =
      draw(*find_figure("timing"), {.run = record_kept("naive", "32")}, {800, 600}, scene::FixedMeasure{});
  ASSERT_FALSE(scene);
  EXPECT_EQ(scene.error().message, "nothing was measured of exactly this launch");
}

TEST(TimingFigure, OfAGpuOfThisComputerIsTakenFromItsRun) {
  run::Run run = *record_kept("naive", "32");
  EXPECT_EQ(timing_of(run.report), nullptr);
  run.report.gpu.emplace();
  run.report.gpu->device = "NVIDIA H100";
  run.report.gpu->timing.kernel = {.samples = 2, .launches_per_sample = 3, .median = 2, .seconds = {1, 3}};
  const auto timing = timing_of(run.report);
  ASSERT_NE(timing, nullptr);
  EXPECT_EQ(timing->seconds, (std::vector<double>{1, 3}));
  EXPECT_TRUE(timing->is_live);
}

}  // namespace
}  // namespace warplens::figures
