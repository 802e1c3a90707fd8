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
  EXPECT_EQ(drawn_words(scene), (Drawn{4, false, false}));
  scene.root.text({0, 20}, "lane → wavefront (pass)", {});
  EXPECT_EQ(drawn_words(scene), (Drawn{7, true, true}));
}

TEST(StageWords, LoseTheirLastPartsFirst) {
  const std::string all =
      "139 M sectors pass it, 6.6 times as many as needed; meanwhile arithmetic is busy 3 %";
  EXPECT_EQ(cut_to(all, 30), all);
  EXPECT_EQ(cut_to(all, 10), "139 M sectors pass it, 6.6 times as many as needed");
  EXPECT_EQ(cut_to(all, 4), "139 M sectors pass it");
  EXPECT_EQ(cut_to("Rows of 1,024 words.", 1), "Rows of 1,024 words.") << "its first part stays";
  EXPECT_EQ(cut_to("8 lanes share a bank: lane + 1 is 8 words further on", 4), "8 lanes share a bank");
}

TEST(StageWords, StandAroundAPictureAsLongAsThereIsRoom) {
  const AroundPicture around{
      .ladder = "NCSA",
      .title = "K2: a strip of c in shared memory",
      .unit = "512",
      .said = {.rule = explain::RuleId::none,
               .verdict = explain::Verdict::costly,
               .what = "16 sectors: 8 times too much traffic",
               .why = "threadIdx.x walks down the rows of d: lane + 1 is 2,048 bytes away",
               .fix = ""}};
  const auto words = [](const StageText& text) {
    return word_count(text.place) + word_count(text.headline) + word_count(text.sentence) + 1;
  };
  const StageText whole = stage_text(around, {0});
  EXPECT_EQ(whole.place, "NCSA: K2: a strip of c in shared memory; 512");
  EXPECT_EQ(whole.headline, "16 sectors: 8 times too much traffic");
  EXPECT_EQ(whole.sentence, "threadIdx.x walks down the rows of d: lane + 1 is 2,048 bytes away");
  const StageText named = stage_text(around, {3});  // the sentence is worth more than the ladder's name
  EXPECT_EQ(named.place, "NCSA: K2; 512");
  EXPECT_EQ(named.sentence, whole.sentence);
  const StageText brief = stage_text(around, {6});
  EXPECT_EQ(brief.place, "NCSA: K2; 512");
  EXPECT_EQ(stage_text(around, {8}).place, "K2; 512");
  EXPECT_EQ(brief.sentence, whole.sentence);
  EXPECT_EQ(stage_text(around, {11}).sentence, "threadIdx.x walks down the rows of d");
  EXPECT_EQ(stage_text(around, {14}).headline, "16 sectors");
  for (const int drawn : {0, 3, 7, 11, 14})
    EXPECT_LE(words(stage_text(around, {drawn})) + drawn, kMostStageWords);
}

// A reason that is too long is said in brief; a title that is too long beside it gives way.
TEST(StageWords, TakeTheFirstFormThatHasRoom) {
  AroundPicture around{.ladder = "Transpose", .title = "Four elements at a time"};
  around.said.what = "16 sectors, one instruction instead of four";
  around.said.verdict = explain::Verdict::good;
  around.against = {
      "As fast as step 3: 1.3 × fewer instructions, but memory is busy 91 % of both kernels' time, by "
      "the model of time",
      "As fast as step 3; model: memory 91 % busy in both"};
  around.more = "At this size 16 blocks on 132 SMs: 116 idle.";
  EXPECT_EQ(stage_text(around, {0}).sentence, around.against[1]);
  EXPECT_EQ(stage_text(around, {0}).place, "Transpose: Four elements at a time");
  EXPECT_EQ(stage_text(around, {5}).sentence, around.against[1]);
  EXPECT_EQ(stage_text(around, {5}).place, "Four elements at a time");
  EXPECT_EQ(stage_text(around, {10}).sentence, "As fast as step 3");
  EXPECT_EQ(stage_text(around, {10}).place, "Four elements at a time");
}

// What the step before says too is no headline where the reason of the gain is known, nor is what gains
// nothing. A comparison that names no reason says less than the picture.
TEST(StageWords, SayHowAStepDiffersFirstWhereItsReasonIsKnown) {
  AroundPicture around{.ladder = "Memory", .title = "Broadcast"};
  around.said = {.rule = explain::RuleId::none,
                 .verdict = explain::Verdict::good,
                 .what = "1 sector serves all",
                 .why = "",
                 .fix = ""};
  around.against = {"2.8 × slower than step 1; by the model, 17 × as many instructions as step 1",
                    "2.8 × slower than step 1: 17 × as many instructions, by the model"};
  around.than_other = explain::Verdict::good, around.is_of_access = true;
  EXPECT_EQ(stage_text(around, {0}).headline, "1 sector serves all");
  around.names_cause = true;
  EXPECT_EQ(stage_text(around, {0}).headline, "1 sector serves all");
  around.than_other = explain::Verdict::costly;
  EXPECT_EQ(stage_text(around, {0}).headline, "1 sector serves all");
  EXPECT_EQ(stage_text(around, {0}).sentence, around.against.front());
  around.than_other = explain::Verdict::neutral;
  around.said.verdict = explain::Verdict::costly;
  EXPECT_EQ(stage_text(around, {0}).headline, "1 sector serves all");
  around.than_other = explain::Verdict::good;
  around.said = {.rule = explain::RuleId::none,
                 .verdict = explain::Verdict::neutral,
                 .what = "3 warps are done",
                 .why = "",
                 .fix = ""};
  EXPECT_EQ(stage_text(around, {0}).headline, around.against.back());
  around.said.verdict = explain::Verdict::good, around.other_says = {"1 sector", "2 warps are done"};
  EXPECT_EQ(stage_text(around, {0}).headline, around.against.back());
  around.names_cause = false;
  EXPECT_EQ(stage_text(around, {0}).headline, "3 warps are done");
  around.said.what = "1 sector serves all", around.said.verdict = explain::Verdict::costly;
  around.other_says = {around.said.what};
  EXPECT_EQ(stage_text(around, {0}).headline, "Still 1 sector serves all");
  EXPECT_EQ(stage_text(around, {0}).sentence, around.against.front());
  around.names_cause = true;
  EXPECT_EQ(stage_text(around, {0}).headline, around.against.back());
  EXPECT_EQ(stage_text(around, {0}).sentence, "Still 1 sector serves all");
  around.is_of_access = false;  // of a whole step the picture says more than the comparison
  EXPECT_EQ(stage_text(around, {0}).headline, "1 sector serves all");
}

// A step that is quicker is no praise for a cost that it still has.
TEST(StageWords, AHeadlineOfWhatIsStillSoIsOfThePicture) {
  AroundPicture around{.ladder = "Matmul", .title = "Vectorized", .against = {"1.05 × step 5’s speed"}};
  around.said.what = "8 wavefronts where 4 would do", around.said.verdict = explain::Verdict::costly;
  around.than_other = explain::Verdict::good, around.is_of_access = true;
  around.other_says = {around.said.what};
  EXPECT_EQ(page_text(around).headline, "Still 8 wavefronts where 4 would do");
  EXPECT_TRUE(around.is_of_picture());
  around.names_cause = true;
  EXPECT_EQ(page_text(around).headline, "1.05 × step 5’s speed");
  EXPECT_FALSE(around.is_of_picture());
}

TEST(StageWords, TheNumberThatAStepIsAboutIsTheHeadline) {
  AroundPicture around{.ladder = "Harris", .title = "Unrolled"};
  around.said.what = "3 of 4 warps have nothing to add", around.said.verdict = explain::Verdict::good;
  around.against = {"Predicted to take as long as step 4", "3 barriers a block where step 4 has 8"};
  around.is_of_access = true;
  EXPECT_EQ(stage_text(around, {0}).headline, "3 of 4 warps have nothing to add");
  around.is_point = true;
  EXPECT_EQ(stage_text(around, {0}).headline, "3 barriers a block where step 4 has 8");
  EXPECT_EQ(stage_text(around, {0}).sentence, "3 of 4 warps have nothing to add");
  EXPECT_EQ(stage_text(around, {10, true}).sentence, "Wavefront: 1 pass through shared memory.")
      << "a word that the picture has";
  around.said.verdict = explain::Verdict::costly;  // what is to be mended comes first
  EXPECT_EQ(stage_text(around, {0}).headline, "3 of 4 warps have nothing to add");
}

TEST(StageWords, SayWhatAWavefrontIsWhereThereIsRoom) {
  AroundPicture around{.ladder = "Memory", .title = "Strided"};
  around.said.what = "32 wavefronts where 1 would do", around.said.why = "lanes share a bank";
  EXPECT_EQ(stage_text(around, {0}).sentence, "Lanes share a bank. Wavefront: 1 pass through shared memory.");
  EXPECT_EQ(stage_text(around, {11}).sentence, "Lanes share a bank. Wavefront: 1 pass.");
  EXPECT_EQ(stage_text(around, {11}).place, "Memory: Strided");
  EXPECT_EQ(stage_text(around, {13}).sentence, "Lanes share a bank. Wavefront: 1 pass.");
  EXPECT_EQ(stage_text(around, {14}).sentence, "Lanes share a bank. Wavefront: 1 pass.");
  EXPECT_EQ(stage_text(around, {14}).place, "Strided") << "the ladder's name goes before the key does";
  EXPECT_EQ(stage_text(around, {15}).sentence, "Wavefront: 1 pass.") << "and then the reason";
  EXPECT_EQ(stage_text(around, {0, true, true}).sentence, "Lanes share a bank") << "the picture says it";
  around.said.what = "32 sectors";
  EXPECT_EQ(stage_text(around, {0}).sentence, "Lanes share a bank");
  EXPECT_EQ(stage_text(around, {0, true}).sentence,
            "Lanes share a bank. Wavefront: 1 pass through shared memory.");
}

// A word behind the other costs less than a sentence.
TEST(StageWords, SayWhatAWavefrontIsInside) {
  AroundPicture around{.ladder = "Matmul", .title = "Columns"};
  around.said = {.rule = explain::RuleId::none,
                 .verdict = explain::Verdict::good,
                 .what = "8 multiply-adds",
                 .why = "",
                 .fix = ""};
  around.against = {"1.91 × step 3’s speed: 2.4 × fewer shared wavefronts"};
  const std::string key = " (passes)";
  EXPECT_EQ(stage_text(around, {14}).sentence, around.against.front() + ". Wavefront: 1 pass.");
  EXPECT_EQ(stage_text(around, {15}).sentence, around.against.front() + key);
  EXPECT_EQ(stage_text(around, {15}).place, "Matmul: Columns");
  EXPECT_EQ(stage_text(around, {16}).sentence, around.against.front() + key);
  EXPECT_EQ(stage_text(around, {16}).place, "Columns");
}

TEST(StageWords, HaveNoFullStopBehindOneSentence) {
  AroundPicture around{.ladder = "Matmul", .title = "Naive"};
  around.said.what = "L1 is the narrowest place known", around.said.why = "139 M sectors pass it";
  around.more = "At this size 16 blocks on 132 SMs: 116 idle.";
  EXPECT_EQ(stage_text(around, {0}).sentence,
            "139 M sectors pass it. At this size 16 blocks on 132 SMs: 116 idle.");
  EXPECT_EQ(stage_text(around, {12}).sentence, "139 M sectors pass it");
}

TEST(StageWords, SayATitleOnce) {
  const StageText text = stage_text({.ladder = "Matmul", .title = "Naive"}, {});
  EXPECT_EQ(text, (StageText{"Matmul", "Naive", ""}));
}

}  // namespace
}  // namespace warplens::figures
