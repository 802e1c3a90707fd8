#include "viz/figures/parts/stage_words.hpp"

#include <gtest/gtest.h>

namespace warplens::figures {
namespace {

TEST(StageWords, AreNoNumbersUnitsAndLetters) {
  EXPECT_EQ(word_count("32 sectors, ideal 4"), 2);
  EXPECT_EQ(word_count("A  512 × 512"), 0);
  EXPECT_EQ(word_count("33.1 B a multiply-add"), 1);
  EXPECT_EQ(word_count("L1 keeps 52.4 MB"), 2);
  EXPECT_EQ(word_count("threadIdx.x walks down the rows of A: lane + 1 is 2,048 bytes away"), 10);
  scene::Scene scene{{100, 100}};
  scene.root.text({0, 10}, "first lane", {});
  scene::Group inside;
  inside.text({0, 10}, "0", {});
  inside.text({0, 10}, "in vain", {});
  scene.root.group(std::move(inside));
  EXPECT_EQ(word_count(scene), 4);
}

TEST(StageWords, LoseTheirLastPartsFirst) {
  const std::string all =
      "139 M sectors pass it, 6.6 times as many as needed; meanwhile arithmetic is busy 3 %";
  EXPECT_EQ(cut_to(all, 30), all);
  EXPECT_EQ(cut_to(all, 10), "139 M sectors pass it, 6.6 times as many as needed");
  EXPECT_EQ(cut_to(all, 4), "139 M sectors pass it");
  EXPECT_EQ(cut_to("Rows of 1,024 words.", 1), "Rows of 1,024 words.") << "its first part stays";
}

}  // namespace
}  // namespace warplens::figures
