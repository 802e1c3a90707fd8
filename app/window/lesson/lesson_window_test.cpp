// A lesson in the window: its text beside the page, its questions, and the stage for a class.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "app/window/lesson/lesson_stage.hpp"
#include "app/window/model/lesson/lesson_player.hpp"
#include "app/window/testing/stage_test.hpp"
#include "engine/base/testing/test_folder.hpp"

namespace warplens::app {
namespace {

using compat::Key;

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
```

Thirty-two.

## Its remedy

```state
kernel = "matmul/02_coalesced"
```

Better.

```try
task = "Narrow the block."
goal = "BLOCK_X == 16"
hint = "A slider."
```

## Its lines

```state
figure = "code"
code = "both"
line = 22
reveal = false
```

```ask
question = "Which line is executed most?"
choices = [20, 22]
answer = "22"
```
)md";

class LessonWindowTest : public StageTest {
 protected:
  void open_lesson(int width, int height, bool presenter = false) {
    State start;
    start.lesson = {folder_.write("two_names.md", kLesson).string(), 0, false};
    start.view.width = width;
    start.view.height = height;
    start.view.details = true;
    start.view.presenter = presenter;
    open(start);
  }
  LessonPlayer& player() { return stage_->interface().lessons(); }
  bool has(std::string_view mark) { return stage_->find(mark).has_value(); }

  TestFolder folder_;
};

#define OPEN_LESSON(...)    \
  open_lesson(__VA_ARGS__); \
  if (IsSkipped() || HasFatalFailure()) return

TEST_F(LessonWindowTest, TheTextStandsBesideThePageAndThePictureWaits) {
  OPEN_LESSON(1600, 900);
  EXPECT_TRUE(has("lesson/heading"));
  EXPECT_TRUE(has("lesson/prose 1"));
  EXPECT_FALSE(has("lesson/prose 3"));  // behind the question
  EXPECT_TRUE(has("cover"));
  EXPECT_FALSE(has("watch"));
  EXPECT_FALSE(has("figure"));
  EXPECT_FALSE(has("scrubber"));  // "Block 0 of 4" is an answer too
  ASSERT_TRUE(click("choice/2"));
  EXPECT_FALSE(has("cover"));
  EXPECT_TRUE(has("figure"));
  EXPECT_FALSE(has("watch"));  // which would tell what the next stops ask
  EXPECT_TRUE(has("lesson/prose 3"));
  EXPECT_TRUE(player().progress().right.contains(0));
  const auto panel = stage_->find("lesson/next"), figure = stage_->find("figure");
  ASSERT_TRUE(panel && figure);
  EXPECT_LT(panel->right(), figure->x);
}

TEST_F(LessonWindowTest, TheWindowStaysUsableAndTheLessonIsFoundAgain) {
  OPEN_LESSON(1280, 720);
  ASSERT_TRUE(click("lesson/next"));
  EXPECT_EQ(state().kernel, "matmul/02_coalesced");
  EXPECT_FALSE(has("lesson/come back"));
  ASSERT_TRUE(click("step/matmul/03_shared_tile"));
  EXPECT_EQ(state().kernel, "matmul/03_shared_tile");
  ASSERT_TRUE(click("lesson/come back"));
  EXPECT_EQ(state().kernel, "matmul/02_coalesced");
  ASSERT_TRUE(click("lesson/hint"));
  EXPECT_FALSE(has("lesson/hint"));
  ASSERT_TRUE(stage_->press(Key::page_up));
  ASSERT_TRUE(stage_->settle());
  EXPECT_EQ(player().stop(), 0u);
  ASSERT_TRUE(click("lesson/stop 2"));
  EXPECT_EQ(player().stop(), 1u);
}

// Of the program's longest stops, in a projector's size and with large type.
TEST_F(LessonWindowTest, AnAnswerIsScrolledTo) {
  State start;
  start.lesson = {"09_latency", 0, false};
  start.view.width = 1280, start.view.height = 720;
  open(start);
  if (IsSkipped() || HasFatalFailure()) return;
  const auto mark_of = [&](std::string_view beginning) {
    const auto& marks = stage_->interface().marks();
    const auto found = marks.lower_bound(beginning);
    return found != marks.end() && found->first.starts_with(beginning) ? found->second : Rect{};
  };
  int asked = 0;
  for (std::size_t stop = 0; stop < 6; ++stop) {
    player().go_to(stop);
    state().view.text_scale = stop % 2 == 0 ? 1.0 : 1.5;
    ASSERT_TRUE(stage_->settle());
    if (player().guess().ask == nullptr) continue;
    ++asked;
    player().show_answer();
    ASSERT_TRUE(stage_->settle());
    const Rect verdict = mark_of("lesson/verdict"), foot = *stage_->find("lesson/next");
    ASSERT_GT(verdict.height, 0) << stop;
    EXPECT_LE(verdict.bottom(), foot.y) << stop;
    EXPECT_GE(verdict.y, stage_->find("lesson/overview")->bottom()) << stop;
  }
  EXPECT_GE(asked, 3);
}

// Of all lessons, in a projector's size: nobody scrolls to find what can be answered.
TEST_F(LessonWindowTest, WhatCanBeAnsweredIsInSight) {
  State start;
  start.lesson = {"01_first_kernels", 0, false};
  start.view.width = 1280, start.view.height = 720;
  open(start);
  if (IsSkipped() || HasFatalFailure()) return;
  std::size_t asked = 0;
  for (const LessonEntry& entry : std::vector(player().all())) {
    ASSERT_TRUE(player().open(entry.name));
    for (std::size_t stop = 0; stop < entry.stops; ++stop) {
      player().go_to(stop);
      for (int frame = 0; frame < 2; ++frame) ASSERT_TRUE(stage_->frame());
      const Guess& guess = player().guess();
      if (guess.ask == nullptr || guess.is_answered) continue;
      ++asked;
      SCOPED_TRACE(entry.name + ", stop " + std::to_string(stop + 1));
      const std::size_t choices = guess.ask->choices.size();
      const std::string last = choices == 0 ? "lesson/check" : "choice/" + std::to_string(choices - 1);
      const auto place = stage_->find(last), heading = stage_->find("lesson/heading");
      ASSERT_TRUE(place && heading);
      EXPECT_LE(place->bottom(), stage_->find("lesson/back")->y);
      EXPECT_GE(heading->y, stage_->find("lesson/overview")->bottom()) << "the text begins at its top";
    }
  }
  EXPECT_GE(asked, 100u);
}

// The number of the access stands beside the buttons, whatever is beside the page.
TEST_F(LessonWindowTest, TheNumberOfAnAccessHidesNoButton) {
  OPEN_LESSON(1280, 720);
  ASSERT_TRUE(click("lesson/next"));
  state().view.page = Page::compare;
  ASSERT_TRUE(stage_->settle());
  const auto number = stage_->find("access number"), last = stage_->find("last");
  ASSERT_TRUE(number && last);
  EXPECT_GE(number->x, last->right());
}

// What is drawn in that frame still has the lesson.
TEST_F(LessonWindowTest, TheOverviewGoesToStopsAndClosesTheLesson) {
  OPEN_LESSON(1280, 720);
  ASSERT_TRUE(click("lesson/overview"));
  ASSERT_TRUE(click("overview/3"));
  EXPECT_EQ(player().stop(), 2u);
  ASSERT_TRUE(click("lesson/overview"));
  ASSERT_TRUE(click("overview/close"));
  EXPECT_FALSE(player().is_open());
  EXPECT_FALSE(has("lesson/heading"));
  EXPECT_TRUE(is_drawn());
}

// The counts beside the code are an answer as a picture is one; behind it PTX is at the line that the stop
// names.
// Nobody typed a 0: the field has what was given, or nothing.
TEST_F(LessonWindowTest, AFieldForANumberHasWhatWasTyped) {
  std::string lesson = kLesson;
  const std::string choices = "choices = [1, 4, 32]";
  lesson.replace(lesson.find(choices), choices.size(), "type = \"number\"");
  State start;
  start.lesson = {folder_.write("number.md", lesson).string(), 0, false};
  start.view.width = 1600, start.view.height = 900;
  open(start);
  if (IsSkipped() || HasFatalFailure()) return;
  EXPECT_TRUE(has("lesson/number "));
  ASSERT_TRUE(click("lesson/check"));
  EXPECT_FALSE(player().guess().is_answered);
  // Digits that are typed beside the field belong into it.
  const std::string figure = state().view.figure;
  ASSERT_TRUE(stage_->press(Key::one));
  EXPECT_EQ(state().view.figure, figure);
  ASSERT_TRUE(stage_->type("17"));
  EXPECT_TRUE(has("lesson/number 17"));
  for (int letter = 0; letter < 2; ++letter) ASSERT_TRUE(stage_->press(Key::backspace));
  EXPECT_TRUE(has("lesson/number "));
  player().show_answer();
  ASSERT_TRUE(stage_->settle(60));
  EXPECT_TRUE(has("lesson/number "));
  player().type(32);
  ASSERT_TRUE(stage_->settle(60));
  EXPECT_TRUE(has("lesson/number 32"));
}

TEST_F(LessonWindowTest, CodeWaitsToo) {
  OPEN_LESSON(1600, 900);
  player().go_to(2);
  ASSERT_TRUE(stage_->settle());
  EXPECT_TRUE(has("cover"));
  EXPECT_FALSE(has("listing/source"));
  ASSERT_TRUE(click("choice/1"));
  EXPECT_FALSE(has("cover"));
  EXPECT_TRUE(has("listing/source"));
  EXPECT_TRUE(has("listing/ptx"));
}

// What is asked beside the page is answered by the keys that stand at its choices, which then open nothing else.
TEST_F(LessonWindowTest, KeysAnswerTheQuestionBesideThePage) {
  OPEN_LESSON(1600, 900);
  const std::string figure = state().view.figure;
  ASSERT_TRUE(stage_->press(Key::three));
  EXPECT_FALSE(player().guess().is_answered) << "no choice reads 3";
  EXPECT_EQ(state().view.figure, figure);
  ASSERT_TRUE(stage_->type("b"));
  ASSERT_TRUE(stage_->settle());
  EXPECT_TRUE(player().guess().is_answered);
  EXPECT_EQ(player().guess().chosen, 1u);
  ASSERT_TRUE(stage_->press(Key::two));
  ASSERT_TRUE(stage_->settle());
  EXPECT_NE(state().view.figure, figure) << "keys open figures again";
}

TEST_F(LessonWindowTest, OnStageSpaceAndKeysLeadThroughTheLesson) {
  OPEN_LESSON(1280, 720, true);
  EXPECT_TRUE(has("stage"));
  EXPECT_TRUE(has("stage/cover"));
  EXPECT_FALSE(has("run"));
  for (const char* letter : {"c", "C", "a"}) ASSERT_TRUE(stage_->type(letter));
  EXPECT_EQ(player().guess().votes, (std::vector<int>{1, 0, 2}));
  // A digit is the answer that reads so; none reads 3.
  ASSERT_TRUE(stage_->press(Key::four));
  ASSERT_TRUE(stage_->press(Key::three));
  EXPECT_EQ(player().guess().votes, (std::vector<int>{1, 1, 2}));
  // While B is an answer, the full stop is what makes the screen black.
  ASSERT_TRUE(stage_->type("b"));
  EXPECT_EQ(player().guess().votes, (std::vector<int>{1, 2, 2}));
  EXPECT_FALSE(has("stage/blank"));
  ASSERT_TRUE(stage_->type("."));
  EXPECT_TRUE(has("stage/blank"));
  ASSERT_TRUE(stage_->type("."));
  EXPECT_FALSE(has("stage/blank"));
  ASSERT_TRUE(stage_->press(Key::space));
  EXPECT_TRUE(has("stage/picture"));
  ASSERT_TRUE(stage_->press(Key::b));
  EXPECT_TRUE(has("stage/blank"));
  ASSERT_TRUE(stage_->press(Key::b));
  EXPECT_FALSE(has("stage/blank"));
  ASSERT_TRUE(stage_->press(Key::space));
  ASSERT_TRUE(stage_->settle());
  EXPECT_EQ(state().kernel, "matmul/02_coalesced");
  ASSERT_TRUE(stage_->press(Key::escape));
  EXPECT_FALSE(has("stage"));
  EXPECT_TRUE(has("lesson/heading"));
}

// The right choice of each stop has a number that the next one does not have, or the next one has no choices.
constexpr const char* kFewerChoices = R"md(+++
title = "Fewer choices"
summary = "A test"
minutes = 5
+++

## Four

```state
kernel = "matmul/01_naive"
size = 64
```

```ask
question = "How many lanes?"
choices = [1, 4, 16, 32]
answer = "lanes(access)"
```

## Two

```ask
question = "How many lanes?"
choices = [2, 32]
answer = "lanes(access)"
```

## A number

```ask
question = "How many lanes?"
type = "number"
answer = "lanes(access)"
```

## None

No question.
)md";

class LessonKeysTest : public LessonWindowTest, public ::testing::WithParamInterface<bool> {};

// By a presenter's remote: no frame in between reads the answer of one stop with the choices of another.
TEST_P(LessonKeysTest, LeadFromAnyAnswerToAnyQuestion) {
  State start;
  start.lesson = {folder_.write("fewer_choices.md", kFewerChoices).string(), 0, false};
  start.view.width = 1280, start.view.height = 720;
  start.view.presenter = GetParam();
  open(start);
  if (IsSkipped() || HasFatalFailure()) return;
  for (std::size_t stop = 0; stop < 3; ++stop) {
    ASSERT_EQ(player().stop(), stop);
    ASSERT_TRUE(stage_->press(Key::space));
    ASSERT_TRUE(stage_->settle());
    ASSERT_TRUE(player().guess().answer) << "stop " << stop;
    ASSERT_TRUE(stage_->press(Key::page_down));
    ASSERT_TRUE(stage_->settle());
    EXPECT_FALSE(player().guess().is_answered);
  }
  EXPECT_EQ(player().stop(), 3u);
}
INSTANTIATE_TEST_SUITE_P(OnStageAndBeside, LessonKeysTest, ::testing::Bool());

TEST_F(LessonWindowTest, AChoiceOnStageIsTakenByAClick) {
  OPEN_LESSON(1280, 720, true);
  const auto cover = stage_->find("stage/cover");
  ASSERT_TRUE(cover);
  ASSERT_TRUE(stage_->click_at({cover->right() + 60, cover->y + 30}));
  EXPECT_EQ(player().guess().chosen, 0u);
  EXPECT_FALSE(has("stage/cover"));
}

// Packets are on their way from the answer on, until the next stop; other pictures come in.
TEST_F(LessonWindowTest, ThePicturePlaysOnceItsQuestionIsAnswered) {
  OPEN_LESSON(1600, 900);
  stage_->interface().allow_motion();
  player().show_answer();
  ASSERT_TRUE(stage_->frame_after(0.01f));
  EXPECT_TRUE(stage_->interface().is_moving());
  ASSERT_TRUE(stage_->settle());
  ASSERT_TRUE(stage_->frame_after(1));
  EXPECT_FALSE(stage_->interface().is_moving());
  std::string flow = kLesson;
  flow.insert(flow.find("reveal"), "figure = \"flow\"\n");
  ASSERT_TRUE(player().open(folder_.write("flow.md", flow).string()));
  ASSERT_TRUE(stage_->settle());
  EXPECT_TRUE(has("cover"));
  player().show_answer();
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(stage_->frame_after(1));
  EXPECT_TRUE(stage_->interface().is_moving());
  player().go_to(1);
  ASSERT_TRUE(stage_->settle());
  ASSERT_TRUE(stage_->frame_after(1));
  EXPECT_FALSE(stage_->interface().is_moving());
}

// A short choice needs no line of its own.
TEST_F(LessonWindowTest, ShortChoicesStandBesideEachOther) {
  OPEN_LESSON(1600, 900);
  const auto first = stage_->find("choice/0"), last = stage_->find("choice/2");
  ASSERT_TRUE(first && last);
  EXPECT_EQ(first->y, last->y);
  EXPECT_GT(last->x, first->right());
}

// Steps, parameters and counts beside it would be of another thing.
TEST_F(LessonWindowTest, AFigureOfNoKernelStandsAlone) {
  const std::string text =
      "+++\ntitle = \"Bus\"\nsummary = \"A test\"\nminutes = 5\n+++\n\n## Copies\n\n```state\n"
      "kernel = \"memory/01_coalesced\"\nsize = 4096\ndevice = \"h200\"\nfigure = \"bus\"\n```\n\nCopies.\n";
  State start;
  start.lesson = {folder_.write("bus.md", text).string(), 0, false};
  start.view.width = 1600;
  start.view.height = 900;
  OPEN_STAGE(start);
  EXPECT_TRUE(has("figure"));
  EXPECT_TRUE(has("lesson/heading"));
  EXPECT_FALSE(has("steps list"));
  EXPECT_FALSE(has("param/BLOCK"));
  ASSERT_TRUE(click("tab/access"));
  EXPECT_TRUE(has("steps list"));
}

// A class without a question sees the text as far as there is room for it; a list stands in the panel alone, with what leads to it.
TEST_F(LessonWindowTest, AStageWithoutAQuestionHasTheWholeText) {
  const std::string text =
      "+++\ntitle = \"Copies\"\nsummary = \"A test\"\nminutes = 5\n+++\n\n## Copy\n\n```state\n"
      "kernel = \"memory/01_coalesced\"\nsize = 4096\n```\n\nEach thread copies one element. It is read "
      "once and written once, at `in[i + 1. ]` or not. 36. That is what a warp has to move.\n\nThe next "
      "paragraph belongs to it as well! Three names tell which one:\n\n- `threadIdx.x`, its number\n\n"
      "Not shown.\n\n## Ask\n\nBefore it.\n\n```ask\nquestion = \"Which?\"\nchoices = [1, 2]\nanswer = "
      "\"2\"\n```\n\nThe first sentence behind it. And the second of them.\n";
  State start;
  start.lesson = {folder_.write("copies.md", text).string(), 0, false};
  OPEN_STAGE(start);
  const lesson_scene::Stage all = lesson_stage(player());
  EXPECT_EQ(all.sentence, "Each thread copies one element.");
  const std::vector<std::string> more = {
      "It is read once and written once, at `in[i\u00a0+\u00a01.\u00a0]` or not.",
      "36. That is what a warp has to move.", "The next paragraph belongs to it as well!"};
  EXPECT_EQ(all.more, more);
  player().go_to(1);
  ASSERT_TRUE(stage_->settle());
  EXPECT_EQ(lesson_stage(player()).sentence, "");
  player().show_answer();
  ASSERT_TRUE(stage_->settle());
  EXPECT_EQ(lesson_stage(player()).sentence, "The first sentence behind it.");
  EXPECT_EQ(lesson_stage(player()).more, std::vector<std::string>{"And the second of them."});
}

// Of the program's own lessons, from a kernel that none of them has: whatever a stop covers or shows as code.
class OwnLessonTest : public LessonWindowTest {
 protected:
  void open_own(const std::string& lesson) {
    State start;
    start.kernel = "reduction/01_interleaved";
    start.view.width = 1600, start.view.height = 900;
    open(start);
    if (IsSkipped() || HasFatalFailure()) return;
    ASSERT_TRUE(player().open(lesson));
    ASSERT_TRUE(stage_->settle());
  }
  std::string said(std::string_view mark) {
    const auto& marks = stage_->interface().marks();
    const auto found = marks.lower_bound(mark);
    return found != marks.end() && found->first.starts_with(mark) ? found->first.substr(mark.size()) : "";
  }
  void expect_the_name_of_the_kernel() {
    if (state().view.page != Page::ladder) return;
    const std::string title = said("title/"), says = said("says/");
    EXPECT_TRUE(title.empty() || title == model().spec().title) << title;
    EXPECT_TRUE(!has("cover") || says.empty()) << says;
  }
};

TEST_F(OwnLessonTest, TheNameAboveIsThatOfTheKernelBelow) {
  // Covered pictures and listed code, each behind a picture of another kernel.
  const std::map<std::string, std::vector<std::size_t>> walks = {
      {"01_first_kernels", {0, 2}}, {"02_sectors_and_banks", {0}}, {"03_matmul_to_tiles", {0, 1, 11}}};
  for (const auto& [lesson, stops] : walks) {
    stage_.reset();
    open_own(lesson);
    if (IsSkipped() || HasFatalFailure()) return;
    for (const std::size_t stop : stops) {
      SCOPED_TRACE(lesson + ", stop " + std::to_string(stop + 1));
      player().go_to(stop);
      ASSERT_TRUE(stage_->settle());
      expect_the_name_of_the_kernel();
      player().show_answer();
      ASSERT_TRUE(stage_->settle());
      expect_the_name_of_the_kernel();
    }
  }
}

// "128 of 132 SMs have no block" answers "how many blocks are started?".
TEST_F(OwnLessonTest, TheSpeedTellsNothingOfALaunchThatAQuestionIsAbout) {
  open_own("01_first_kernels");
  if (IsSkipped() || HasFatalFailure()) return;
  player().go_to(2);
  ASSERT_TRUE(stage_->settle());
  ASSERT_TRUE(player().is_asking());
  EXPECT_TRUE(has("speed panel"));
  EXPECT_FALSE(has("speed/idle"));
  ASSERT_TRUE(click("choice/1"));
  EXPECT_TRUE(has("speed/idle"));
}

// Which of two shapes of a block is the better one can be read off their speeds.
TEST_F(OwnLessonTest, TheSpeedWaitsForTheGuess) {
  open_own("06_transpose");
  if (IsSkipped() || HasFatalFailure()) return;
  player().go_to(2);
  ASSERT_TRUE(stage_->settle());
  ASSERT_TRUE(player().is_asking());
  EXPECT_TRUE(has("speed/none/?"));
  ASSERT_TRUE(click("choice/1"));
  ASSERT_TRUE(stage_->settle());
  EXPECT_FALSE(has("speed/none/?"));
}

// What a lesson chose is its own: the ladder opens as in a new window.
TEST_F(OwnLessonTest, TheLadderOpensAfreshBehindALesson) {
  open_own("03_matmul_to_tiles");
  if (IsSkipped() || HasFatalFailure()) return;
  player().go_to(player().lesson().stops.size() - 1);
  ASSERT_TRUE(stage_->settle());
  state().view.figure = "banks", state().drawing.whole = true;
  model().choose_kernel("matmul/01_naive");
  player().close();
  state().view.page = Page::start;
  ASSERT_TRUE(stage_->settle());
  ASSERT_TRUE(click("start/walk"));
  State fresh;
  EXPECT_EQ(state().kernel, fresh.kernel);
  EXPECT_EQ(state().view.page, Page::ladder);
  EXPECT_EQ(state().view.figure, "access");
  EXPECT_EQ(state().drawing, fresh.drawing);
  EXPECT_FALSE(has("figure/instead"));
}

TEST_F(LessonWindowTest, AFigureWithNothingToShowOffersOneThatHas) {
  State start = small_problem();
  start.view.figure = "banks";
  OPEN_STAGE(start);
  ASSERT_TRUE(has("figure/instead"));
  ASSERT_TRUE(click("figure/instead"));
  EXPECT_EQ(state().view.figure, "access");
  EXPECT_FALSE(has("figure/instead"));
  model().choose_kernel("matmul/03_shared_tile");
  state().view.figure = "banks";
  ASSERT_TRUE(stage_->settle());
  EXPECT_FALSE(has("figure/instead"));
}

// The program's own lessons stand in the menu, and open at their first stop.
TEST_F(LessonWindowTest, TheMenuOpensALesson) {
  OPEN_STAGE(small_problem());
  ASSERT_FALSE(player().is_open());
  const auto& all = player().all();
  ASSERT_FALSE(all.empty());
  ASSERT_TRUE(click("lessons"));
  ASSERT_TRUE(click("item/lesson " + all.front().name));
  ASSERT_TRUE(player().is_open());
  EXPECT_EQ(player().lesson().title, all.front().title);
  EXPECT_EQ(player().stop(), 0u);
}

}  // namespace
}  // namespace warplens::app
