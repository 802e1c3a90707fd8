// Files without a front matter, pasted into the editor.
#include <gmock/gmock.h>

#include <chrono>
#include <string>

#include "app/window/actions/pages.hpp"
#include "app/window/pages/edit/edit_page.hpp"
#include "app/window/testing/stage_test.hpp"
#include "engine/base/testing/test_folder.hpp"

namespace warplens::app {
namespace {

class PastedTest : public StageTest {
 protected:
  // The editor with an empty page, and this put into it.
  void open_with(const std::string& text) {
    State start = small_problem();
    start.view.page = Page::edit;
    StageTest::open(start);
    if (stage_ == nullptr) return;
    session().keep_in(folder_.path());
    session().create("");
    ASSERT_TRUE(stage_->settle());
    session().editor().paste(text);
  }
  void TearDown() override { stage_.reset(); }  // before its folder
  EditSession& session() { return stage_->interface().pages().get<EditPage>().session(); }

  TestFolder folder_;
};

// The kernel that is run is right; another of the same file has a race.
TEST_F(PastedTest, TheOtherKernelsOfAFileAreRunToo) {
  open_with(
      "__global__ void turn(const float* in, float* out) {\n  __shared__ float tile[256];\n"
      "  tile[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];\n"
      "  out[blockIdx.x * 256 + threadIdx.x] = tile[255 - threadIdx.x];\n}\n"
      "__global__ void add(const float* a, const float* b, float* c, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) c[i] = a[i] + b[i];\n}\n");
  if (IsSkipped() || HasFatalFailure()) return;
  ASSERT_TRUE(stage_->settle());
  EXPECT_TRUE(stage_->find("edit/verdict/race"));
  ASSERT_FALSE(session().marks().empty());
  EXPECT_EQ(session().marks()[0].line, 3);
  EXPECT_THAT(session().marks()[0].message, testing::StartsWith("in turn, thread "));
}

// Nothing leaves the loop, and each of its rounds takes long: it is known soon all the same.
TEST_F(PastedTest, ALoopOfAtomicsWithoutAnEndComesToRest) {
  open_with(
      "__global__ void f(const float* in, float* out, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  for (;;) atomicAdd(&out[0], in[i]);\n}\n");
  if (IsSkipped() || HasFatalFailure()) return;
  const auto begin = std::chrono::steady_clock::now();
  ASSERT_TRUE(stage_->settle());
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60));  // of some minutes
  ASSERT_FALSE(session().marks().empty());
  EXPECT_EQ(session().marks()[0].line, 3);
  EXPECT_EQ(session().marks()[0].severity, check::Severity::error);
}

// It stood in the ladder as its eleventh step, at the size of the product, and was compared with itself.
TEST_F(PastedTest, AnotherProblemOverAStepIsNoStepOfItsLadder) {
  State start = small_problem();
  start.view.page = Page::edit;
  OPEN_STAGE(start);
  session().keep_in(folder_.path());
  session().editor().replace(
      "__global__ void twice(const float* in, float* out, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) out[i] = 7 * in[i] + 3;\n}\n");
  ASSERT_TRUE(stage_->settle());
  EXPECT_EQ(model().spec().title, "twice");
  EXPECT_TRUE(model().steps().empty());
  EXPECT_FALSE(state().size.contains("K"));
  ASSERT_TRUE(stage_->click("compare"));
  EXPECT_EQ(state().view.page, Page::edit);  // nothing to compare it with
}

}  // namespace
}  // namespace warplens::app
