// What a class sees of a product: the factor that is read, whom one word of it serves, and tiles on their
// way.
#include "viz/figures/access/operand.hpp"

#include <algorithm>

#include "engine/explain/opening.hpp"
#include "viz/figures/testing/figure_support.hpp"
#include "viz/figures/testing/recorded_run.hpp"
#include "viz/figures/testing/scene_words.hpp"

namespace warplens::figures {
namespace {

constexpr scene::Size kOperandPicture{1184.0 * 13 / 18, 480.0 * 13 / 18};

// The texts of the opening picture of a step, after another one.
std::vector<std::string> opening_texts(std::string_view id, std::string_view before,
                                       const catalog::Values& chosen = {}) {
  const auto run = record(id, "512", chosen);
  const catalog::KernelSpec other = *run::kernels().find(before);
  const explain::Opening opening = explain::opening_of(*run, 0, 0, other.code);
  const scene::FixedMeasure measure;
  const auto picture =
      draw(*find_figure("access"), {.run = run, .place = {.access = opening.access}, .look = Look::stage},
           kOperandPicture, measure);
  std::vector<std::string> texts;
  if (!picture) return texts;
  for (const PlacedWord& word : words_in(*picture, measure)) texts.push_back(word.text);
  return texts;
}

bool has(const std::vector<std::string>& texts, std::string_view text) {
  return std::ranges::find(texts, text) != texts.end();
}

// A product has two factors.
TEST(Operand, AClassSeesBothFactorsBesideWhatThreadsMake) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  for (const auto& [step, before] : {std::pair("matmul/01_naive", "matmul/02_coalesced"),
                                     std::pair("matmul/02_coalesced", "matmul/01_naive")}) {
    const std::vector<std::string> texts = opening_texts(step, before);
    for (const char* name : {"A", "B", "C"}) EXPECT_TRUE(has(texts, name)) << step << " " << name;
  }
}

TEST(Operand, ServesAsManyAsReadItsWord) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  const char* naive = "matmul/02_coalesced";
  EXPECT_TRUE(has(opening_texts("matmul/03_shared_tile", naive), "× 32"));
  EXPECT_TRUE(has(opening_texts("matmul/03_shared_tile", naive, {{"TILE", 16}}), "× 16"));
  const auto column = opening_texts("matmul/04_register_1d", "matmul/03_shared_tile", {{"TM", 16}});
  EXPECT_TRUE(has(column, "× 16"));
  EXPECT_TRUE(has(column, "17 words, 16 products"));
  EXPECT_TRUE(has(column, "B_tile"));
  EXPECT_FALSE(has(column, "A_tile"));
}

TEST(Operand, LeavesRoomForLanesThatWait) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  const auto texts = opening_texts("filipovic/05_b_turned", "filipovic/04_several_results");
  for (const char* text : {"0", "8", "16", "24", "31", "wavefront (pass)", "words a bank"})
    EXPECT_TRUE(has(texts, text)) << text;
  const auto padded = opening_texts("matmul/07_conflict_free", "matmul/06_vectorized");
  EXPECT_TRUE(has(padded, "conflict-free"));
}

// How lanes are served says nothing about the elements that a thread makes of what it loads.
TEST(Operand, OfATileOfAThreadTheLanesAreBesideThePoint) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  EXPECT_FALSE(has(opening_texts("minplus/04_v2", "minplus/03_v1"), "lane → sector"));
  EXPECT_TRUE(has(opening_texts("matmul/01_naive", "matmul/01_naive"), "lane → sector"));
}

// In cells too narrow for them numbers of lanes stand above, in type that can be read.
TEST(Banks, NumbersOfLanesAreReadInNarrowCells) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  const auto run = record("memory/09_bank_conflicts", "512", {});
  const explain::Opening opening = explain::opening_of(*run, 0, 0, "");
  const scene::FixedMeasure measure;
  const auto picture =
      draw(*find_figure("banks"), {.run = run, .place = {.access = opening.access}}, {640, 620}, measure);
  ASSERT_TRUE(picture);
  int found = 0;
  for (const PlacedWord& word : words_in(*picture, measure)) {
    if (word.text != "28") continue;
    EXPECT_GE(word.size, 11.99);
    ++found;
  }
  EXPECT_EQ(found, 2) << "of a lane and of a bank";
}

TEST(Operand, GivesWayToTilesUnderWay) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  const auto texts = opening_texts("matmul/08_double_buffer", "matmul/07_conflict_free");
  EXPECT_TRUE(has(texts, "travel"));
  EXPECT_FALSE(has(texts, "lane → sector"));
  const auto warp_tiles = opening_texts("matmul/09_warp_tile", "matmul/08_double_buffer");
  EXPECT_FALSE(has(warp_tiles, "travel"));
}

}  // namespace
}  // namespace warplens::figures
