// A lesson beside the window, without a window: stops, questions, exercises, progress.
#include "app/window/model/lesson/lesson_player.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "app/window/model/ladder_counts.hpp"
#include "engine/base/testing/places.hpp"
#include "engine/base/testing/test_folder.hpp"
#include "viz/figures/time/modelled_count.hpp"

namespace warplens::app {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kLesson = R"md(+++
title = "Two names"
summary = "A test"
minutes = 5
+++

## The load

```state
kernel = "matmul/01_naive"
size = 64
array = "A"
reveal = false
```

One load.

```ask
question = "How many sectors?"
choices = [1, 4, 32]
answer = "sectors(access)"
wrong = { 4 = "Look where they sit." }
```

Thirty-two.

## Its remedy

```state
kernel = "matmul/02_coalesced"
array = "B"
```

Better.

```try
task = "Narrow the block."
goal = "BLOCK_X == 16"
best = "sectors(access)"
```

## By heart

```ask
question = "How many lanes has a warp?"
type = "number"
answer = "lanes(access)"
```

All of them.
)md";

class LessonPlayerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!compile::Compiler(compile::Compiler::Options{}).available()) GTEST_SKIP() << "no NVRTC";
    file_ = folder_.write("two_names.md", kLesson);
    auto opened = Model::open({.home = source_path()}, {}, {});
    ASSERT_TRUE(opened) << to_line(opened.error());
    model_ = *std::move(opened);
    player_ = std::make_unique<LessonPlayer>(*model_, nullptr);
    ASSERT_TRUE(player_->open(file_.string()));
    settle();
  }
  void settle() {
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(5);
    for (int quiet = 0; quiet < 4;) {
      player().update();
      player().look_ahead(true);
      model_->update();
      model_->note_frame();
      const bool busy = model_->busy_seconds() || player().is_busy();
      quiet = busy ? 0 : quiet + 1;
      ASSERT_LT(std::chrono::steady_clock::now(), end) << "the player did not come to rest";
      if (busy) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  }
  LessonPlayer& player() { return *player_; }
  State& state() { return model_->state; }

  TestFolder folder_;
  std::filesystem::path file_;
  std::unique_ptr<Model> model_;
  std::unique_ptr<LessonPlayer> player_;  // after the model, so that it goes first
};

TEST_F(LessonPlayerTest, AStopShowsWhatItNames) {
  EXPECT_EQ(player().stop(), 0u);
  EXPECT_EQ(state().kernel, "matmul/01_naive");
  EXPECT_EQ(state().size.at("K"), 64);
  EXPECT_EQ(state().selection.step, 1u);  // the first load of A: B comes first
  EXPECT_TRUE(player().mistakes().empty()) << to_line(player().mistakes().front());
  player().go_to(1);
  settle();
  EXPECT_EQ(state().kernel, "matmul/02_coalesced");
  EXPECT_EQ(state().size.at("K"), 64);  // that of the stop before
  EXPECT_EQ(state().selection.step, 0u);
  EXPECT_FALSE(player().is_away());
}

// What the page shows in the frame of the move belongs together, and what is asked of it then is of neither
// stop.
TEST_F(LessonPlayerTest, AStopStaysWithItsGuessUntilTheNextOneIsEntered) {
  player().show_answer();
  player().go_to(2);
  EXPECT_EQ(player().stop(), 0u);
  EXPECT_EQ(player().guess().ask.get(), player().here().find<lesson::Ask>());
  EXPECT_TRUE(player().advance());
  player().vote(0, 1);
  player().choose(7);
  settle();
  EXPECT_EQ(player().stop(), 2u);
  EXPECT_EQ(player().guess().ask.get(), player().here().find<lesson::Ask>());
  EXPECT_FALSE(player().guess().is_answered);
  player().choose(0);  // it asks for a number
  EXPECT_FALSE(player().guess().is_answered);
}

// A file that is written again with fewer stops and choices.
TEST_F(LessonPlayerTest, AShorterFileTakesThePlaceOfTheOneOnScreen) {
  player().go_to(2);
  settle();
  std::string shorter = kLesson;
  shorter.resize(shorter.find("## Its remedy"));
  std::filesystem::last_write_time(folder_.write("two_names.md", shorter),
                                   std::filesystem::file_time_type::clock::now() + std::chrono::seconds(2));
  player().look_for_changes();
  EXPECT_EQ(player().stop(), 2u);
  EXPECT_EQ(player().here().heading, "By heart");
  settle();
  EXPECT_EQ(player().stop(), 0u);
  EXPECT_EQ(player().lesson().stops.size(), 1u);
}

// As the window does, which asks for the new run only behind the frame in which the stop was entered.
TEST_F(LessonPlayerTest, TheAccessOfAStopIsLookedForInItsOwnRun) {
  std::string lesson = kLesson;
  lesson.replace(lesson.find("matmul/02_coalesced"), 19, "transpose/02_tiled");
  lesson.replace(lesson.find("array = \"B\""), 11, "array = \"out\"");
  ASSERT_TRUE(player().open(folder_.write("own_run.md", lesson).string()));
  settle();
  player().go_to(1);
  settle();
  EXPECT_EQ(model_->take_note(), std::nullopt);
  ASSERT_EQ(state().kernel, "transpose/02_tiled");
  ASSERT_TRUE(model_->access());
  EXPECT_EQ(model_->access()->kind, emulator::AccessKind::store);
}

// What is kept is on screen without a worker. Of another ladder: nothing else in the window would run it.
TEST_F(LessonPlayerTest, TheNextStopIsRunWhileNobodyWaits) {
  std::string lesson = kLesson;
  lesson.replace(lesson.find("matmul/02_coalesced"), 19, "transpose/02_tiled");
  lesson.replace(lesson.find("array = \"B\""), 11, "array = \"in\"");
  ASSERT_TRUE(player().open(folder_.write("ahead.md", lesson).string()));
  State next;
  next.kernel = "transpose/02_tiled";
  next.size = {{"M", 64}, {"N", 64}};
  const auto runs = runs_of(next, model_->catalog(), model_->device_table());
  ASSERT_EQ(runs.size(), 1u);
  run::SharedRun ahead;
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(2);
  while (ahead == nullptr && std::chrono::steady_clock::now() < end) {
    settle();
    ahead = model_->runner()->kept(runs.front());
  }
  ASSERT_NE(ahead, nullptr);
  EXPECT_EQ(player().stop(), 0u);
  player().go_to(1);
  player().update();
  model_->update();
  EXPECT_EQ(model_->shared_run(), ahead);
  EXPECT_TRUE(model_->is_current());
}

// Nobody can count any more where it is cancelled: what is answered then was kept.
TEST_F(LessonPlayerTest, TheStepsOfALadderAreCountedBeforeItsStop) {
  std::string lesson = kLesson;
  lesson.replace(lesson.find("matmul/02_coalesced"), 19, "transpose/02_tiled");
  lesson.replace(lesson.find("array = \"B\""), 11, "figure = \"roofline\"");
  ASSERT_TRUE(player().open(folder_.write("counted.md", lesson).string()));
  for (int rests = 0; rests < 2;) {
    settle();
    rests = player().is_ahead_busy() || model_->ladder_traffic().is_busy() ? 0 : rests + 1;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_EQ(player().stop(), 0u);
  player().go_to(1);
  player().update();
  const auto speeds = measured::RecordedSpeeds::read(source_path("assets/recorded"), model_->device().id);
  ASSERT_TRUE(speeds);
  const LadderPlace place = ladder_place(*model_);
  const auto wanted =
      wanted_counts(place, *speeds, *figures::find_figure("roofline"), listed_size(place, *speeds));
  ASSERT_GT(wanted.size(), 3u);
  const std::atomic<bool> cancelled = true;
  for (const WantedCount& one : wanted)
    EXPECT_TRUE(figures::modelled_count(model_->library()->sides(), one.request, one.with_time, cancelled))
        << one.key;
}

TEST_F(LessonPlayerTest, TheQuestionWaitsAndItsAnswerIsComputed) {
  EXPECT_TRUE(player().is_asking());
  EXPECT_TRUE(player().is_covering());
  ASSERT_TRUE(player().guess().answer);
  EXPECT_EQ(std::get<double>(*player().guess().answer), 32);
  EXPECT_EQ(player().guess().right, 2u);
  player().choose(1);
  EXPECT_FALSE(player().is_covering());
  EXPECT_THAT(player().progress().wrong, ElementsAre(0));
  player().choose(2);  // after the answer is known it is no guess any more
  EXPECT_TRUE(player().progress().right.empty());
}

TEST_F(LessonPlayerTest, ThePictureFollowsTheAnswerWhereTheKernelDoes) {
  std::ofstream(file_, std::ios::app) << "\n";
  std::string other = kLesson;
  other.replace(other.find("01_naive"), 8, "02_coalesced");  // whose load of A is one sector for all lanes
  folder_.write("two_names.md", other);
  std::filesystem::last_write_time(file_,
                                   std::filesystem::file_time_type::clock::now() + std::chrono::seconds(2));
  player().look_for_changes();
  settle();
  EXPECT_EQ(std::get<double>(*player().guess().answer), 1);
  EXPECT_EQ(player().guess().right, 0u);
}

TEST_F(LessonPlayerTest, SpaceShowsTheAnswerThenGoesOnToTheEnd) {
  ASSERT_TRUE(player().advance());
  EXPECT_EQ(player().stop(), 0u);
  EXPECT_FALSE(player().is_asking());
  EXPECT_TRUE(player().progress().wrong.empty());  // nobody guessed
  ASSERT_TRUE(player().advance());
  settle();
  EXPECT_EQ(player().stop(), 1u);
  ASSERT_TRUE(player().advance());
  settle();
  ASSERT_TRUE(player().advance());  // the answer
  EXPECT_FALSE(player().advance());
  EXPECT_EQ(player().stop(), 2u);
  ASSERT_TRUE(player().go_back());
  settle();
  EXPECT_EQ(player().stop(), 1u);
}

TEST_F(LessonPlayerTest, ATypedNumberIsGraded) {
  player().go_to(2);
  settle();
  player().type(32);
  EXPECT_THAT(player().progress().right, ElementsAre(2));
}

TEST_F(LessonPlayerTest, AnAnswerMayBeARecordedSpeed) {
  std::string recorded = kLesson;
  const std::string answer = "sectors(access)\"\nwrong";
  recorded.replace(recorded.find(answer), 15, "recorded('matmul/02_coalesced', 4096).speed > 4000 ? 4 : 1");
  ASSERT_TRUE(player().open(folder_.write("recorded.md", recorded).string()));
  settle();
  ASSERT_FALSE(player().guess().error) << to_line(*player().guess().error);
  EXPECT_EQ(player().guess().right, 1u);
}

TEST_F(LessonPlayerTest, AClassVotes) {
  player().vote(2, 1), player().vote(2, 1), player().vote(0, 1), player().vote(0, -1), player().vote(0, -1);
  player().vote(17, 1);
  EXPECT_THAT(player().guess().votes, ElementsAre(0, 0, 2));
  EXPECT_TRUE(player().is_covering());
}

TEST_F(LessonPlayerTest, AnExerciseIsDoneWhenItsGoalHolds) {
  player().go_to(1);
  settle();
  ASSERT_TRUE(player().trial());
  EXPECT_FALSE(player().trial()->is_reached);
  model_->set_parameter("BLOCK_X", 16);
  settle();
  EXPECT_TRUE(player().is_away());
  ASSERT_TRUE(player().trial()->is_reached);
  EXPECT_TRUE(player().trial()->best);
  EXPECT_THAT(player().progress().done, ElementsAre(1));
  player().come_back();
  settle();
  EXPECT_FALSE(player().is_away());
  EXPECT_EQ(state().params.at("BLOCK_X"), 32);
  EXPECT_FALSE(player().trial()->is_reached);
  EXPECT_TRUE(player().trial()->best);  // that it was reached before stays
}

TEST_F(LessonPlayerTest, AnExerciseSaysHowGoodItCanBecome) {
  std::string lesson = kLesson;
  lesson.replace(lesson.find("BLOCK_X == 16"), 13, "BLOCK_X <= 16");
  lesson.replace(lesson.rfind("sectors(access)"), 15, "BLOCK_X");
  ASSERT_TRUE(player().open(folder_.write("known.md", lesson).string()));
  player().go_to(1);
  settle();
  EXPECT_FALSE(player().trial()->known);  // nobody has reached it
  model_->set_parameter("BLOCK_X", 8);
  settle();
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  const auto is_there = [&] { return player().trial()->known && player().trial()->known->is_whole(); };
  while (!is_there() && std::chrono::steady_clock::now() < end) settle();
  ASSERT_TRUE(is_there());
  EXPECT_EQ(player().trial()->best, 8);
  EXPECT_EQ(player().trial()->known->best, 16);
  EXPECT_GT(player().trial()->known->sets, 4u);
}

TEST_F(LessonPlayerTest, AnExerciseThatIsDoneOrNotSaysHowManySetsDoIt) {
  std::string lesson = kLesson;
  lesson.replace(lesson.find("best = \"sectors(access)\"\n"), 24, "");
  ASSERT_TRUE(player().open(folder_.write("done.md", lesson).string()));
  player().go_to(1);
  settle();
  model_->set_parameter("BLOCK_X", 16);
  settle();
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  const auto is_there = [&] { return player().trial()->known && player().trial()->known->is_whole(); };
  while (!is_there() && std::chrono::steady_clock::now() < end) settle();
  ASSERT_TRUE(is_there());
  EXPECT_FALSE(player().trial()->value);
  EXPECT_GT(player().trial()->known->reached, 0u);  // one for each BLOCK_Y
  EXPECT_LT(player().trial()->known->reached, player().trial()->known->sets);
}

TEST_F(LessonPlayerTest, WhatAUserSetsForHimselfStays) {
  state().view.dark = false;
  state().view.text_scale = 1.25;
  player().go_to(1);
  settle();
  EXPECT_FALSE(state().view.dark);
  EXPECT_EQ(state().view.text_scale, 1.25);
}

TEST_F(LessonPlayerTest, ProgressIsKeptBetweenStarts) {
  const std::filesystem::path kept = folder_.path() / "config/lessons.toml";
  ASSERT_TRUE(player().keep_progress(kept));
  player().choose(2);
  player().go_to(1);
  settle();
  player().toggle_bookmark();
  LessonPlayer next(*model_, nullptr);
  ASSERT_TRUE(next.keep_progress(kept));
  ASSERT_TRUE(next.open(file_.string()));
  EXPECT_EQ(next.stop(), 1u);
  EXPECT_THAT(next.progress().right, ElementsAre(0));
  EXPECT_THAT(next.progress().bookmarks, ElementsAre(1));
}

TEST_F(LessonPlayerTest, AStateNamesALessonAndAStop) {
  player().close();
  EXPECT_TRUE(state().lesson.file.empty());
  state().lesson = {file_.string(), 1, false};
  settle();
  ASSERT_TRUE(player().is_open());
  EXPECT_EQ(player().stop(), 1u);
  EXPECT_EQ(state().kernel, "matmul/02_coalesced");
  state().lesson = {file_.string(), 0, true};
  settle();
  EXPECT_TRUE(player().guess().is_answered);
  EXPECT_FALSE(player().is_covering());
  player().go_to(2);
  settle();
  EXPECT_TRUE(player().is_asking());
  state().lesson = {"no such lesson", 0, false};
  settle();
  EXPECT_FALSE(player().is_open());
}

TEST_F(LessonPlayerTest, AMistakeWhileWritingLeavesTheLessonOpenAndIsNamed) {
  std::string broken = kLesson;
  broken.replace(broken.find("02_coalesced"), 12, "02_coalessed");
  folder_.write("two_names.md", broken);
  std::filesystem::last_write_time(file_,
                                   std::filesystem::file_time_type::clock::now() + std::chrono::seconds(2));
  player().look_for_changes();
  settle();
  ASSERT_TRUE(player().is_open());
  ASSERT_FALSE(player().mistakes().empty());
  EXPECT_THAT(player().mistakes().front().message, HasSubstr("02_coalessed"));
  EXPECT_GT(player().mistakes().front().place.line, 25);
}

// The list of steps stayed at the size that the lesson compares them at.
TEST_F(LessonPlayerTest, AClosedLessonLeavesNoSizeOfItsOwnBehind) {
  EXPECT_EQ(state().view.steps_by, StepsBy::speed_most);
  player().close();
  settle();
  EXPECT_FALSE(player().is_open());
  EXPECT_EQ(state().view.steps_by, State{}.view.steps_by);
}

// A class in front of a card of 2006 goes on with its own one.
TEST_F(LessonPlayerTest, AClosedLessonGivesTheDeviceBack) {
  player().close();
  settle();
  model_->choose_device("cc8.6");
  ASSERT_TRUE(player().open(file_.string()));
  settle();
  ASSERT_EQ(state().device, State{}.device);  // which its first stop names
  player().close();
  settle();
  EXPECT_EQ(state().device, "cc8.6");
}

// On whatever page or figure somebody looks for it.
TEST_F(LessonPlayerTest, ASpeedIsHiddenUntilItWasGuessed) {
  const std::string asks = std::string(kLesson) + R"md(
## How quick

```ask
question = "How many times as quick?"
type = "number"
answer = "recorded('matmul/02_coalesced', 4096).speed / recorded('matmul/01_naive', 4096).speed"
```

Now you know.
)md";
  ASSERT_TRUE(player().open(folder_.write("quick.md", asks).string()));
  settle();
  ASSERT_TRUE(player().mistakes().empty()) << to_line(player().mistakes().front());
  EXPECT_THAT(player().asked_later(), ElementsAre("matmul/01_naive", "matmul/02_coalesced"));
  state().view.page = Page::compare;
  settle();
  ASSERT_TRUE(player().is_away());
  EXPECT_THAT(player().asked_later(), ElementsAre("matmul/01_naive", "matmul/02_coalesced"));
  player().go_to(3);
  settle();
  EXPECT_THAT(player().asked_later(), ElementsAre("matmul/01_naive", "matmul/02_coalesced"));
  player().show_answer();
  EXPECT_THAT(player().asked_later(), ElementsAre());
  player().go_to(0);
  settle();
  player().close();
  settle();
  EXPECT_THAT(player().asked_later(), ElementsAre());
}

TEST(LessonProgressTest, IsWrittenAndRead) {
  const AllProgress all = {
      {"01_matmul", {.stop = 4, .seen = {0, 1, 4}, .bookmarks = {1}, .right = {0}, .wrong = {}, .done = {4}}},
      {"a \"quoted\" \\ name", {}}};
  const auto read = parse_progress(to_toml(all), "lessons.toml");
  ASSERT_TRUE(read) << to_line(read.error());
  EXPECT_EQ(*read, all);
}

TEST(LessonProgressTest, WhatIsNoProgressIsRefused) {
  for (const char* text : {"[a", "a = 1", "[a]\nstop = 0", "[a]\nseen = [1, \"2\"]", "[a]\ndone = 3"}) {
    const auto read = parse_progress(text, "lessons.toml");
    ASSERT_FALSE(read) << text;
    EXPECT_GE(read.error().place.line, 1) << text;
    EXPECT_FALSE(read.error().next_step.empty());
  }
}

}  // namespace
}  // namespace warplens::app
