// What is known against a run stands above each of its pictures, and none of them praises it.
#include "viz/figures/parts/notice.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/run/checked/checked_run.hpp"
#include "viz/figures/figure.hpp"
#include "viz/figures/testing/recorded_run.hpp"
#include "viz/figures/time/grid_timeline.hpp"
#include "viz/figures/time/latency.hpp"
#include "viz/figures/time/time.hpp"
#include "viz/figures/warp/bank_map.hpp"
#include "viz/scene/hit_test.hpp"
#include "viz/scene/testing/fixed_measure.hpp"

namespace warplens::figures {
namespace {

constexpr scene::Size kRoom{900, 640};

template <class Holds>
bool any_text(const scene::Group& group, const Holds& holds) {
  return std::ranges::any_of(group.items, [&](const scene::Item& item) {
    if (const auto* inner = std::get_if<scene::Group>(&item.shape)) return any_text(*inner, holds);
    const auto* one = std::get_if<scene::TextShape>(&item.shape);
    return one != nullptr && holds(*one);
  });
}
bool says(const scene::Scene& scene, std::string_view words) {
  return any_text(scene.root,
                  [&](const scene::TextShape& text) { return text.text.find(words) != std::string::npos; });
}
bool praises(const scene::Scene& scene) {
  return says(scene, "Nothing to fix") || any_text(scene.root, [](const scene::TextShape& text) {
           return text.style.color == scene::Color{theme::Token::good};
         });
}

Subject subject_of(const run::SharedRun& run) {
  Subject subject{.run = run};
  subject.known.banks = std::make_shared<const BankMap>(bank_map_of(*run, 0));
  subject.known.schedule = schedule_of(*run);
  subject.known.over_warps = over_warps_of(*run);
  subject.known.timeline = timeline_of(*run);
  return subject;
}

run::SharedRun with_race(const run::Run& run) {
  run::Report report = run.report;
  check::Finding race;
  race.kind = check::Kind::race_shared, race.line = 26;
  race.message = "thread (0, 0) reads what thread (0, 1) writes";
  race.fix = "put __syncthreads() between";
  report.findings.push_back(race);
  return run::with_findings(run, report);
}

class Notices : public testing::Test {
 protected:
  void SetUp() override {
    if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
    right_ = record("matmul/03_shared_tile", "64");
  }
  scene::Scene picture(const Figure& figure, const Subject& subject) const {
    return draw_or_say(figure, subject, kRoom, measure_);
  }
  const scene::FixedMeasure measure_;
  run::SharedRun right_;
};

TEST_F(Notices, StandAboveEachPictureOfARunWithARace) {
  const Subject right = subject_of(right_), wrong = subject_of(with_race(*right_));
  for (const Figure& figure : figures_of_a_run()) {
    const scene::Scene before = picture(figure, right), now = picture(figure, wrong);
    EXPECT_FALSE(notice_box(before, measure_)) << figure.id;
    ASSERT_TRUE(notice_box(now, measure_)) << figure.id;
    EXPECT_TRUE(says(now, "It has a race, line 26")) << figure.id;
    EXPECT_FALSE(praises(now)) << figure.id;
    const auto hit = scene::hit_test(now, notice_box(now, measure_)->center(), measure_);
    ASSERT_TRUE(hit) << figure.id;
    EXPECT_EQ(hit->id, "line:26") << figure.id;
  }
  EXPECT_TRUE(praises(picture(*find_figure("access"), right)));
}

TEST_F(Notices, AreLeftToWhoSaysThemBesideThePicture) {
  Subject wrong = subject_of(with_race(*right_));
  wrong.says_notice = false;
  const scene::Scene now = picture(*find_figure("access"), wrong);
  EXPECT_FALSE(notice_box(now, measure_));
  EXPECT_FALSE(praises(now));
}

TEST_F(Notices, NothingIsPraisedUntilTheCheckersAreDone) {
  const Subject waits = subject_of(run::being_checked(*right_));
  for (const Figure& figure : figures_of_a_run()) {
    const scene::Scene now = picture(figure, waits);
    EXPECT_FALSE(praises(now)) << figure.id;
    EXPECT_FALSE(notice_box(now, measure_)) << figure.id;
  }
  EXPECT_TRUE(says(picture(*find_figure("access"), waits), "Checking for races"));
}

TEST_F(Notices, NothingIsPraisedThatWasNotChecked) {
  const Subject failed = subject_of(run::unchecked(*right_, Error{"no memory", ""}));
  const scene::Scene now = picture(*find_figure("access"), failed);
  EXPECT_FALSE(praises(now));
  EXPECT_TRUE(says(now, "It was not checked"));
  EXPECT_TRUE(says(now, "No memory"));
}

}  // namespace
}  // namespace warplens::figures
