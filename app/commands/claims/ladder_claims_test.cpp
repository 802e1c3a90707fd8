// What the pictures of ladders, of sets of parameters and of the order of blocks say is found again by the
// checker, and with another number it is not.
#include "app/commands/claims/ladder_claims.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include "engine/run/derived/block_order.hpp"
#include "engine/run/testing/run_support.hpp"
#include "viz/figures/access/block_order.hpp"
#include "viz/figures/map/speed_map.hpp"
#include "viz/figures/testing/recorded_run.hpp"

namespace warplens::app {
namespace {

using claims_check::Beside;

struct Words {
  std::string figure;
  explain::Explanation said;
};
std::string wrong_in(const Words& words, const run::Run& run, const Beside& beside) {
  std::vector<std::string> texts;
  for (const std::string& text : {words.said.what, words.said.why, words.said.fix})
    if (!text.empty()) texts.push_back(text);
  std::string wrong;
  for (const auto& failure : claims_check::failures_of(texts, words.said.claims, run, {}, &beside))
    wrong += fmt::format("{}: {}: '{}', found {}\n", words.figure, failure.sentence, failure.claim.shown,
                         failure.found);
  return wrong;
}
// How many claims there are with a number, each of which fails with another one.
int expect_checked(const std::vector<Words>& all, const run::Run& run, const Beside& beside) {
  int changed = 0;
  for (const Words& words : all) {
    EXPECT_EQ(wrong_in(words, run, beside), "");
    for (std::size_t c = 0; c < words.said.claims.size(); ++c) {
      if (words.said.claims[c].kind == explain::ClaimKind::name) continue;
      Words other = words;
      other.said.claims[c].number = 1.25 * other.said.claims[c].number + 0.02;
      EXPECT_NE(wrong_in(other, run, beside), "")
          << words.figure << ": " << words.said.claims[c].shown << " in " << words.said.what;
      ++changed;
    }
  }
  return changed;
}

class LadderClaims : public testing::Test {
 protected:
  void SetUp() override {
    if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  }
  // With recordings of the H100, or with none.
  InLadder ladder_of(const std::string& name, bool is_recorded) {
    InLadder ladder;
    for (const catalog::KernelSpec& spec : run::kernels().kernels())
      if (spec.id.starts_with(name + "/")) ladder.steps.push_back(&spec);
    if (is_recorded) recorded_ = *measured::RecordedSpeeds::read(run::kRoot + "/assets/recorded", "h100");
    ladder.recorded = &recorded_;
    return ladder;
  }
  run::SharedRun run_of(const std::string& kernel, const catalog::Values& sizes,
                        const catalog::Values& values = {}) {
    auto run = run::run_of(*run::kernels().find(kernel), values, sizes);
    EXPECT_TRUE(run) << to_line(run.error());
    return run ? *run : nullptr;
  }
  std::vector<Words> of_ladder(const run::Run& run, const InLadder& ladder, Beside& beside) {
    std::vector<Words> all;
    say_ladder(run, ladder, sides_, beside, [&](std::string_view figure, const explain::Explanation& said) {
      if (!said.what.empty()) all.push_back({std::string(figure), said});
    });
    return all;
  }

  measured::RecordedSpeeds recorded_;
  run::Runner runner_{compile::Compiler({.library = {}, .cache_folder = test_cache_path()})};
  explain::Sides sides_{runner_};
};

TEST_F(LadderClaims, OfWhatWasRecordedAreFoundAgain) {
  const run::SharedRun run = run_of("transpose/02_tiled", {{"M", 4096}, {"N", 4096}});
  ASSERT_NE(run, nullptr);
  Beside beside;
  const auto all = of_ladder(*run, ladder_of("transpose", true), beside);
  ASSERT_EQ(all.size(), 3u) << "ladder, and twice the curve: without operations there is no roofline";
  EXPECT_GE(expect_checked(all, *run, beside), 15);
  for (auto& launch : beside.launches)
    if (launch.kernel == "transpose/02_tiled") launch.speed *= 1.1;
  for (const Words& words : all)
    EXPECT_NE(wrong_in(words, *run, beside), "") << words.figure << " as if the step were quicker";
}

TEST_F(LadderClaims, OfWhatIsPredictedAreFoundAgain) {
  const run::SharedRun run = run_of("transpose/02_tiled", {{"M", 512}, {"N", 512}});
  ASSERT_NE(run, nullptr);
  Beside beside;
  const auto all = of_ladder(*run, ladder_of("transpose", false), beside);
  ASSERT_GE(all.size(), 1u);
  EXPECT_NE(all.front().said.what.find("by the model"), std::string::npos) << all.front().said.what;
  EXPECT_GE(expect_checked(all, *run, beside), 4);
}

TEST_F(LadderClaims, OfOtherSetsOfParametersAreFoundAgain) {
  const run::SharedRun run = run_of("transpose/02_tiled", {{"M", 512}, {"N", 512}}, {{"PAD", 0}});
  ASSERT_NE(run, nullptr);
  Beside beside;
  const InLadder ladder = ladder_of("transpose", true);
  const OtherSets sets{3, [](const compile::Request& request) { return run::compiler().compile(request); }};
  figures::Subject subject{.run = run};
  subject.known.speed_map = map_of_few(*run, ladder, sets, sides_, beside);
  ASSERT_TRUE(subject.known.speed_map && *subject.known.speed_map);
  const Words words{"speed-map", figures::map_words(subject, **subject.known.speed_map).explanation};
  EXPECT_GE(expect_checked({words}, *run, beside), 5) << words.said.what;
  beside.sets.erase(beside.sets.begin());
  EXPECT_NE(wrong_in(words, *run, beside), "");
}

TEST_F(LadderClaims, OfTheOrderOfBlocksAreCountedFromAddresses) {
  const run::SharedRun run = figures::record("transpose/05_diagonal", "512");
  ASSERT_NE(run, nullptr);
  const auto order = run::block_order(*run);
  ASSERT_NE(order, nullptr);
  const Words words{"order", figures::order_words(*run, *order)};
  EXPECT_EQ(expect_checked({words}, *run, {}), 5) << words.said.what;
  const run::SharedRun other = figures::record("transpose/02_tiled", "512");
  EXPECT_NE(wrong_in(words, *other, {}), "") << "its blocks go row by row";
}

}  // namespace
}  // namespace warplens::app
