// What comes after something went wrong: an exception in a frame, and a window that died.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <new>
#include <stdexcept>

#include "app/window/actions/pages.hpp"
#include "app/window/model/lesson/lesson_player.hpp"
#include "app/window/pages/edit/edit_page.hpp"
#include "app/window/pages/live/live_page.hpp"
#include "app/window/platform/last_words.hpp"
#include "app/window/testing/stage_test.hpp"
#include "app/window/window_frame.hpp"
#include "engine/base/process.hpp"
#include "engine/base/testing/test_folder.hpp"

namespace warplens::app {
namespace {

using compat::Key;
using testing::HasSubstr;

// Whose check throws, on a worker.
class ThrowingEngine final : public LiveEngine {
 public:
  Result<LiveGpu> find() override { return LiveGpu{"Stand-in GPU", 90, 8}; }
  Result<LiveChecked> check(const run::Run&) override { throw std::runtime_error("no such lane"); }
};

class RecoveryTest : public StageTest {
 protected:
  const Notice* notice() const { return stage_->interface().notice(); }
  bool has_mark(std::string_view name) { return stage_->find(name).has_value(); }
  void throw_in_a_frame() {
    stage_->interface().show(
        {.headline = "", .sentence = "", .choices = {{"x", "X", {Key::x}, [] { throw std::bad_alloc(); }}}});
    ASSERT_TRUE(stage_->frame());
    ASSERT_TRUE(stage_->press(Key::x));
  }
};

// In the middle of a frame, with windows of ImGui open.
TEST_F(RecoveryTest, AnExceptionInAFrameIsShownAndTheWindowGoesOn) {
  OPEN_STAGE(small_problem());
  throw_in_a_frame();
  ASSERT_NE(notice(), nullptr);
  EXPECT_THAT(notice()->sentence, HasSubstr("not enough memory"));
  EXPECT_THAT(notice()->sentence, HasSubstr("smaller size"));
  ASSERT_TRUE(stage_->frame());
  EXPECT_TRUE(has_mark("notice/again"));
  EXPECT_FALSE(has_mark("scrubber"));
  ASSERT_TRUE(stage_->press(Key::enter));
  EXPECT_EQ(notice(), nullptr);
  ASSERT_TRUE(click("step/matmul/02_coalesced"));
  EXPECT_EQ(state().kernel, "matmul/02_coalesced");
  EXPECT_TRUE(is_drawn());
}

TEST_F(RecoveryTest, EscapeLeadsToTheStartPage) {
  State first = small_problem();
  first.lesson.file = "03_matmul_to_tiles";
  first.view.presenter = true;
  OPEN_STAGE(first);
  throw_in_a_frame();
  ASSERT_TRUE(stage_->press(Key::escape));
  EXPECT_EQ(notice(), nullptr);
  EXPECT_EQ(state().view.page, Page::start);
  EXPECT_FALSE(state().view.presenter);
  EXPECT_FALSE(stage_->interface().lessons().is_open());
}

TEST_F(RecoveryTest, AnExceptionOfAWorkerIsShownToo) {
  OPEN_STAGE(small_problem(), {.home = source_path()}, {}, std::make_shared<ThrowingEngine>());
  ASSERT_TRUE(stage_->click("live"));
  for (int i = 0; i < 2000 && notice() == nullptr; ++i) ASSERT_TRUE(stage_->frame());
  ASSERT_NE(notice(), nullptr);
  EXPECT_THAT(notice()->sentence, HasSubstr("no such lane"));
  ASSERT_TRUE(stage_->press(Key::escape));
  ASSERT_TRUE(stage_->settle());
  EXPECT_TRUE(is_drawn());
}

class OfferTest : public RecoveryTest {
 protected:
  void open(const State& state) {
    StageTest::open(state);
    if (stage_ == nullptr) return;
    session().keep_in(folder_.path());
    frame_.emplace(model(), stage_->interface());
  }
  void TearDown() override { stage_.reset(); }
  EditSession& session() { return stage_->interface().pages().get<EditPage>().session(); }

  TestFolder folder_;
  std::optional<WindowFrame> frame_;
};

TEST_F(OfferTest, OneKeyGoesOnAtTheStopAndTheKernelOfIt) {
  OPEN_STAGE(small_problem());
  State left = small_problem();
  left.lesson = {.file = "03_matmul_to_tiles", .stop = 3, .answered = true};
  left.kernel = "matmul/05_register_2d";
  left.view.presenter = true;
  frame_->offer(left);
  EXPECT_THAT(notice()->sentence, HasSubstr("stop 4"));
  EXPECT_EQ(frame_->state_to_keep(), left);  // as long as nobody chose
  ASSERT_TRUE(stage_->frame());
  ASSERT_TRUE(stage_->press(Key::enter));
  ASSERT_TRUE(stage_->settle());
  EXPECT_EQ(state().lesson, left.lesson);
  EXPECT_EQ(state().kernel, left.kernel);
  EXPECT_TRUE(state().view.presenter);
  EXPECT_EQ(notice(), nullptr);
}

TEST_F(OfferTest, EscapeBeginsAsEver) {
  OPEN_STAGE(small_problem());
  State left = small_problem();
  left.kernel = "matmul/05_register_2d";
  frame_->offer(left);
  ASSERT_TRUE(stage_->frame());
  ASSERT_TRUE(stage_->press(Key::escape));
  EXPECT_EQ(notice(), nullptr);
  EXPECT_EQ(state().kernel, "matmul/01_naive");
  EXPECT_EQ(frame_->state_to_keep(), state());
}

// A text that is no kernel, so that the state shows the kernel that it is a copy of.
TEST_F(OfferTest, TheTextGoesOnToo) {
  State editing = small_problem();
  editing.view.page = Page::edit;
  OPEN_STAGE(editing);
  ASSERT_TRUE(stage_->frame());
  session().editor().replace("this is no kernel\n" + session().editor().text());
  ASSERT_TRUE(stage_->settle());
  const std::string text = session().editor().text();
  const State left = frame_->state_to_keep();
  EXPECT_EQ(left.edit.file, session().file().string());
  stage_.reset();

  OPEN_STAGE(small_problem());
  frame_->offer(left);
  EXPECT_THAT(notice()->sentence, HasSubstr("unsaved changes"));
  ASSERT_TRUE(stage_->frame());
  ASSERT_TRUE(stage_->press(Key::space));
  ASSERT_TRUE(stage_->settle());
  EXPECT_EQ(state().view.page, Page::edit);
  EXPECT_EQ(session().editor().text(), text);
  EXPECT_EQ(session().file().string(), left.edit.file);
}

// What a child says that does this with the last words set.
std::string said_by(int& status, void (*death)()) {
  const Descriptor said = memory_file();
  const pid_t child = fork();
  if (child == 0) {
    dup2(said.number(), STDERR_FILENO);
    for (const int number : {SIGSEGV, SIGABRT}) signal(number, SIG_DFL);  // sanitizers have their own
    leave_last_words("its state is in /tmp/x.toml");
    death();
    _exit(0);
  }
  waitpid(child, &status, 0);
  return said.text();
}

TEST(LastWords, ASignalLeavesOneLineAndEndsTheProcessAllTheSame) {
  int status = 0;
  EXPECT_EQ(said_by(status, [] { raise(SIGSEGV); }),
            "warplens: ended by SIGSEGV; its state is in /tmp/x.toml\n");
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGSEGV);
  EXPECT_THAT(said_by(status, [] { std::abort(); }), HasSubstr("ended by SIGABRT; "));
  EXPECT_EQ(WTERMSIG(status), SIGABRT);
}

#if !defined(__SANITIZE_ADDRESS__)
int deeper(int depth) {
  std::array<volatile int, 4096> room{};
  room[static_cast<std::size_t>(depth) % room.size()] = depth;
  return depth < 0 ? 0 : deeper(depth + 1) + room[17];
}

TEST(LastWords, AStackThatRanOverHasLastWords) {
  int status = 0;
  EXPECT_THAT(said_by(status, [] { _exit(deeper(1)); }), HasSubstr("ended by SIGSEGV; "));
  EXPECT_EQ(WTERMSIG(status), SIGSEGV);
}
#endif

TEST(LastWords, TheFirstEndSignalAsksAndTheSecondEnds) {
  int status = 0;
  said_by(status, [] {
    hear_end_signals();
    if (is_end_asked()) _exit(1);
    raise(SIGTERM);
    if (!is_end_asked()) _exit(2);
    raise(SIGTERM);
  });
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGTERM);
}

}  // namespace
}  // namespace warplens::app
