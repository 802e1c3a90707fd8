// That the monkey finds a death, and what is left of a list that has one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "app/window/testing/monkey/hunt.hpp"
#include "app/window/testing/monkey/shrink.hpp"
#include "app/window/testing/stage_test.hpp"
#include "engine/base/testing/places.hpp"

namespace warplens::app::monkey {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Actions actions(std::string_view text) {
  const auto parsed = parse_actions(text);
  if (!parsed) ADD_FAILURE() << to_line(parsed.error());
  return parsed ? *parsed : Actions{};
}

TEST(MonkeyTest, ASeedGivesOneListWhichCanBeWrittenAndRead) {
  const Actions list = actions_of(7, 200);
  EXPECT_EQ(list, actions_of(7, 200));
  EXPECT_NE(list, actions_of(8, 200));
  EXPECT_EQ(actions(to_text(list)), list);
  EXPECT_TRUE(std::ranges::none_of(list, [](const Action& action) { return action.kind->weight == 0; }));
  const Actions lessons = actions_of(9, 200);
  EXPECT_GT(std::ranges::count(lessons, "space", [](const Action& action) { return action.kind->name; }), 20);
}

TEST(MonkeyTest, AListThatNamesNoActionSaysItsLine) {
  const auto parsed = parse_actions("press 1\nfly 2\n");
  ASSERT_FALSE(parsed);
  EXPECT_THAT(parsed.error().message, HasSubstr("line 2"));
  EXPECT_FALSE(parse_actions("press"));
}

TEST(MonkeyTest, ShortensAListToWhatIsNeeded) {
  std::vector<int> list(100);
  std::iota(list.begin(), list.end(), 0);
  int asked = 0;
  const auto does = [&](const std::vector<int>& some) {
    ++asked;
    const auto has = [&](int n) { return std::ranges::find(some, n) != some.end(); };
    return has(3) && has(41) && has(97);
  };
  EXPECT_THAT(shortest<int>(list, does, [] { return true; }), ElementsAre(3, 41, 97));
  EXPECT_LT(asked, 100);
  EXPECT_EQ(shortest<int>(list, does, [] { return false; }), list);
}

class PlantedDeathTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = why_no_stage(); !why.empty()) GTEST_SKIP() << why;
  }
  Outcome play(std::string_view text, double hang = 120) {
    return monkey::play(hunt_.program, actions(text), {.hang = hang});
  }
  const Hunt hunt_{.program = program_path("monkey"), .shorten = 120, .limits = {.hang = 120}, .folder = {}};
};

TEST_F(PlantedDeathTest, ALivingWindowSaysNothing) {
  const Outcome outcome = play("theme 0\npage down 0\n");
  EXPECT_EQ(outcome.death, "") << outcome.said;
  EXPECT_EQ(outcome.begun, 2u);
}

TEST_F(PlantedDeathTest, ASignalIsADeath) {
  const Outcome outcome = play("theme 0\nplant signal 0\ntheme 0\n");
  EXPECT_NE(outcome.death, "");
  EXPECT_EQ(outcome.begun, 2u);
}

TEST_F(PlantedDeathTest, AnExceptionThatNobodyCaughtIsADeath) {
  const Outcome outcome = play("plant exception 0\n");
  EXPECT_NE(outcome.death, "");
  EXPECT_THAT(outcome.said, HasSubstr("planted"));
}

TEST_F(PlantedDeathTest, NoFrameForLongIsADeath) {
  EXPECT_EQ(play("plant hang 0\n", 4).death, "no frame in 4 s");
}

#if defined(__SANITIZE_ADDRESS__)
TEST_F(PlantedDeathTest, AReportOfASanitizerIsADeath) {
  const Outcome outcome = play("plant overrun 0\n");
  EXPECT_NE(outcome.death, "");
  EXPECT_THAT(outcome.said, HasSubstr("heap-buffer-overflow"));
}
#endif

// Dies only where the text was made larger before.
TEST_F(PlantedDeathTest, TheListIsShortenedToWhatDies) {
  const Actions list = actions("theme 0\nlarger 0\ntheme 1\nplant where larger 0\n");
  EXPECT_EQ(to_text(shorten(hunt_, list)), "larger 0\nplant where larger 0\n");
}

}  // namespace
}  // namespace warplens::app::monkey
