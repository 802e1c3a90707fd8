// What a class sees of reductions, and of the order of blocks.
#include <algorithm>

#include "viz/figures/access/block_order.hpp"
#include "viz/figures/testing/figure_support.hpp"
#include "viz/figures/testing/recorded_run.hpp"
#include "viz/figures/testing/scene_words.hpp"

namespace warplens::figures {
namespace {

const scene::FixedMeasure kTreeMeasure;
constexpr scene::Size kTreeSize{855, 347};  // of a stage at 1280 x 720

std::vector<std::string> texts_of(const Subject& subject) {
  std::vector<std::string> texts;
  for (const PlacedWord& word :
       words_in(draw_or_say(*find_figure("access"), subject, kTreeSize, kTreeMeasure), kTreeMeasure))
    texts.push_back(word.text);
  return texts;
}
bool has(const std::vector<std::string>& texts, const std::string& text) {
  return std::ranges::find(texts, text) != texts.end();
}

class ForAClass : public testing::Test {
 protected:
  void SetUp() override {
    if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  }
  static std::vector<std::string> opening(const std::string& kernel, const catalog::Values& chosen = {}) {
    const auto run = record(kernel, "4096", chosen);
    return texts_of(
        {.run = run, .place = {.access = explain::opening_access(*run, 0, 0)}, .look = Look::stage});
  }
};

TEST_F(ForAClass, ATreeSaysHowManyWordsOfABankItsRoundsAskFor) {
  const auto strided = opening("reduction/02_strided");
  EXPECT_TRUE(has(strided, "8 words a bank"));
  for (const char* distance : {"+ 1", "+ 2", "+ 4", "+ 64", "+ 128"}) EXPECT_TRUE(has(strided, distance));
  EXPECT_TRUE(has(opening("reduction/02_strided", {{"BLOCK", 1024}}), "32 words a bank"));
  const auto sequential = opening("reduction/03_sequential");
  EXPECT_FALSE(std::ranges::any_of(sequential, [](const std::string& t) { return t.ends_with("a bank"); }));
  EXPECT_TRUE(has(sequential, "32/32 work"));
}

TEST_F(ForAClass, BlocksAlongADiagonalAreDrawnAtTheirFirstAccess) {
  const auto run = record("transpose/05_diagonal", "512");
  Subject subject{.run = run, .look = Look::stage};
  subject.known.order = run::block_order(*run);
  ASSERT_NE(subject.known.order, nullptr);
  const Figure& figure = *find_figure("access");
  EXPECT_EQ(what_it_says(figure, subject).explanation.what,
            "the first 16 blocks run down a diagonal: no two share rows or columns");
  EXPECT_EQ(what_it_says(figure, subject).explanation.why,
            "row by row, 16 blocks would share one column of out");
  EXPECT_TRUE(has(texts_of(subject), "block 0"));
  expect_contrast(draw_or_say(figure, subject, kTreeSize, kTreeMeasure), kTreeMeasure);
  subject.place.access = 1;
  EXPECT_NE(what_it_says(figure, subject).explanation.rule, explain::RuleId::of_figure);
}

}  // namespace
}  // namespace warplens::figures
