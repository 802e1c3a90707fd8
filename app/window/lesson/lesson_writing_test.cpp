// A stop at which code is written, driven as a student would drive it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/window/actions/pages.hpp"
#include "app/window/lesson/lesson_stage.hpp"
#include "app/window/model/lesson/lesson_player.hpp"
#include "app/window/pages/edit/edit_page.hpp"
#include "app/window/testing/stage_test.hpp"
#include "engine/base/testing/test_folder.hpp"

namespace warplens::app {
namespace {

using compat::Key;
using ::testing::HasSubstr;

constexpr const char* kLesson = R"md(+++
title = "A line to write"
summary = "A test"
minutes = 5
+++

## The line

```state
kernel = "first/02_increment"
```

One line.

```write
exercise = "add"
```

## Behind it

More.
)md";

constexpr const char* kExercise = R"toml(
title = "Add"
task  = "Add b."
hints = ["Think.", "Think again.", "Write it."]
sizes = [70, 33]
code  = '''
/*---
title   = "Add"
[problem]
sizes   = { N = 100 }
buffers = [{ name = "a", type = "float", count = "N" }, { name = "out", type = "float", count = "N" }]
check   = "out[i] == a[i] + 1"
[launch]
block   = ["32"]
grid    = ["ceil_div(N, 32)"]
---*/
extern "C" __global__ void kernel(const float* a, float* out, int N) {
  const int i = blockIdx.x * 32 + threadIdx.x;
@@@
}
'''
empty    = "  if (i < N) out[i] = a[i];"
solution = "  if (i < N) out[i] = a[i] + 1;"
)toml";

class WritingTest : public StageTest {
 protected:
  void open_lesson(int width, int height) {
    folder_.write("exercises/add.toml", kExercise);
    State start;
    start.lesson = {folder_.write("mine.md", kLesson).string(), 0, false};
    start.view.width = width, start.view.height = height;
    open_with(start);
  }
  // As the program starts: what is kept is known before anything is shown.
  void open_with(const State& start) {
    State plain = start;
    plain.lesson = {};
    stage_.reset();
    open(plain);
    if (stage_ == nullptr) return;
    session().keep_in(folder_.path());
    ASSERT_TRUE(player().keep_progress(folder_.path() / "lessons.toml"));
    state().lesson = start.lesson;
    ASSERT_TRUE(stage_->settle());
  }
  void TearDown() override { stage_.reset(); }  // before its folder

  EditSession& session() { return stage_->interface().pages().get<EditPage>().session(); }
  LessonPlayer& player() { return stage_->interface().lessons(); }
  bool has(std::string_view mark) { return stage_->find(mark).has_value(); }
  bool press(Key key, bool control = false) {
    return stage_->press(key, control).has_value() && stage_->settle().has_value();
  }

  TestFolder folder_;
};

TEST_F(WritingTest, TheEditorStandsBesideTheTaskAndTheVerdictIsThereLineByLine) {
  open_lesson(1280, 720);
  if (IsSkipped() || HasFatalFailure()) return;
  EXPECT_EQ(state().view.page, Page::edit);
  EXPECT_THAT(session().editor().text(), HasSubstr("out[i] = a[i];"));
  EXPECT_FALSE(has("lesson/come back"));
  EXPECT_EQ(state().size.at("N"), 70);  // at which it is judged, not the problem's own
  const auto writing = stage_->find("lesson/writing"), check = stage_->find("writing/check");
  ASSERT_TRUE(writing && check);
  EXPECT_LT(writing->bottom(), 720);

  ASSERT_TRUE(click("writing/check"));
  ASSERT_TRUE(player().writing().verdict && *player().writing().verdict);
  EXPECT_FALSE(player().writing().is_done());
  const exercise::Verdict& verdict = **player().writing().verdict;
  EXPECT_EQ(verdict.lines[0].mark, exercise::Mark::passed);
  EXPECT_EQ(verdict.lines[1].mark, exercise::Mark::failed);
  EXPECT_TRUE(player().progress().done.empty());
}

// In front of a class, too, what is written has to be seen, and where.
TEST_F(WritingTest, TheStageHasTheCodeAndTheTask) {
  open_lesson(1280, 720);
  if (IsSkipped() || HasFatalFailure()) return;
  EXPECT_FALSE(has("stage/text"));
  ASSERT_TRUE(click("lesson/stage"));
  const auto text = stage_->find("stage/text"), picture = stage_->find("stage/picture");
  ASSERT_TRUE(text && picture);
  EXPECT_GT(text->height, 4 * 20);  // the kernel, in a type that a class reads
  EXPECT_LE(text->bottom(), picture->bottom());
  EXPECT_EQ(lesson_stage(player()).sentence, "Add b.");
}

TEST_F(WritingTest, KeysGiveHintsAndCheckWhileSomebodyTypes) {
  open_lesson(1600, 900);
  if (IsSkipped() || HasFatalFailure()) return;
  stage_->interface().pages().get<EditPage>().view().focus();
  ASSERT_TRUE(press(Key::h, true));
  EXPECT_EQ(player().writing().hints, 1u);
  ASSERT_TRUE(stage_->click("writing/solution"));  // behind the last hint
  EXPECT_THAT(session().editor().text(), HasSubstr("out[i] = a[i];"));
  ASSERT_TRUE(press(Key::h, true) && press(Key::h, true) && press(Key::h, true));
  EXPECT_EQ(player().writing().hints, 3u);
  ASSERT_TRUE(click("writing/solution"));
  EXPECT_THAT(session().editor().text(), HasSubstr("out[i] = a[i] + 1;"));
  const std::string before = session().editor().text();
  ASSERT_TRUE(press(Key::enter, true));
  EXPECT_EQ(session().editor().text(), before);  // no line was begun
  EXPECT_TRUE(player().writing().is_done());
  EXPECT_TRUE(player().progress().done.contains(0));
}

TEST_F(WritingTest, WhatWasWrittenIsThereAgain) {
  open_lesson(1600, 900);
  if (IsSkipped() || HasFatalFailure()) return;
  session().editor().replace(session().editor().text() + "// mine\n");
  ASSERT_TRUE(stage_->settle());
  ASSERT_TRUE(click("lesson/next"));
  EXPECT_EQ(state().view.page, Page::ladder);
  EXPECT_EQ(state().kernel, "first/02_increment");
  ASSERT_TRUE(click("lesson/back"));
  EXPECT_EQ(state().view.page, Page::edit);
  EXPECT_THAT(session().editor().text(), HasSubstr("// mine\n"));
  EXPECT_TRUE(session().is_modified());
}

TEST_F(WritingTest, WhatPassedHasPassedAfterARestart) {
  open_lesson(1600, 900);
  if (IsSkipped() || HasFatalFailure()) return;
  std::string text = session().editor().text();
  text.replace(text.find("a[i];"), 5, "a[i] + 1;");
  session().editor().replace(text);
  ASSERT_TRUE(stage_->settle());
  EXPECT_TRUE(session().is_modified());
  ASSERT_TRUE(click("writing/check"));
  ASSERT_TRUE(player().writing().is_done());
  EXPECT_FALSE(session().is_modified());
  ASSERT_TRUE(stage_->settle());
  EXPECT_TRUE(has("lesson/writing passed"));

  open_lesson(1600, 900);
  ASSERT_FALSE(HasFatalFailure());
  EXPECT_EQ(session().editor().text(), text);
  EXPECT_TRUE(player().writing().is_done());
  EXPECT_TRUE(has("lesson/writing passed"));
  EXPECT_TRUE(player().writing().may_look());
  EXPECT_FALSE(has("edit/bar/restored"));
  EXPECT_FALSE(has("edit/bar/draft"));

  State start;
  start.view.page = Page::start;
  open_with(start);
  ASSERT_FALSE(HasFatalFailure());
  EXPECT_FALSE(has("start/unsaved"));
}

// It is kept for its lesson; nobody has to decide what becomes of it.
TEST_F(WritingTest, WhatIsHalfWrittenIsNoTextToBeSaved) {
  open_lesson(1600, 900);
  if (IsSkipped() || HasFatalFailure()) return;
  session().editor().replace(session().editor().text() + "// mine\n");
  ASSERT_TRUE(stage_->settle());
  open_lesson(1600, 900);
  ASSERT_FALSE(HasFatalFailure());
  EXPECT_THAT(session().editor().text(), HasSubstr("// mine\n"));
  EXPECT_FALSE(has("edit/bar/restored"));
  State start;
  start.view.page = Page::start;
  open_with(start);
  ASSERT_FALSE(HasFatalFailure());
  EXPECT_FALSE(has("start/unsaved"));
}

TEST_F(WritingTest, AnotherKernelInTheEditorIsNoAnswer) {
  open_lesson(1600, 900);
  if (IsSkipped() || HasFatalFailure()) return;
  session().create("");
  ASSERT_TRUE(stage_->settle());
  EXPECT_TRUE(has("lesson/come back"));
  ASSERT_TRUE(click("lesson/come back"));
  EXPECT_THAT(session().editor().text(), HasSubstr("out[i] = a[i];"));
}

}  // namespace
}  // namespace warplens::app
