// A kernel that nobody has seen before is called right nowhere until the checkers are done with it, and what
// they find stands on every page that shows it.
#include <gmock/gmock.h>

#include <algorithm>

#include "app/window/actions/pages.hpp"
#include "app/window/pages/compare/compare_page.hpp"
#include "app/window/pages/edit/edit_page.hpp"
#include "app/window/pages/ladder/ladder_page.hpp"
#include "app/window/testing/stage_test.hpp"
#include "engine/base/testing/test_folder.hpp"
#include "engine/explain/doubt.hpp"

namespace warplens::app {
namespace {

// Right by chance: each warp reads what another one writes.
std::string race_of(const std::string& size) {
  return "  __shared__ float s[" + size + "];\n  int t = threadIdx.x;\n  s[t] = in[blockIdx.x * " + size +
         " + t];\n  out[blockIdx.x * " + size + " + t] = s[t] + s[t ^ 64];\n}\n";
}
constexpr int kLine = 4;  // of the file below

bool says(const scene::Group& group, std::string_view words) {
  return std::ranges::any_of(group.items, [&](const scene::Item& item) {
    if (const auto* inner = std::get_if<scene::Group>(&item.shape)) return says(*inner, words);
    const auto* one = std::get_if<scene::TextShape>(&item.shape);
    return one != nullptr && one->text.find(words) != std::string::npos;
  });
}

class CheckedTest : public StageTest {
 protected:
  State racing() {
    folder_.write("race.cu", "__global__ void k(const float* in, float* out) {\n" + race_of("256"));
    State start;
    start.kernel = (folder_ / "race.cu").string();
    start.view.width = 1600, start.view.height = 900;
    return start;
  }
  // The first frame with a run, long before the window has come to rest.
  void open_at_once(const State& state) {
    if (const std::string why = why_no_stage(); !why.empty()) GTEST_SKIP() << why;
    auto stage = Stage::open<DrivenStage>(CommonOptions{.home = source_path()}, state);
    ASSERT_TRUE(stage) << to_line(stage.error());
    stage_ = *std::move(stage);
    while (model().run() == nullptr && !model().error()) ASSERT_TRUE(stage_->frame());
  }
  bool has(const std::string& mark) { return stage_->find(mark).has_value(); }
  bool picture_says(std::string_view words) {
    const auto scene = stage_->interface().pages().get<LadderPage>().scene();
    return scene && says(scene->root, words);
  }

  TestFolder folder_;
};

#define OPEN_AT_ONCE(...)    \
  open_at_once(__VA_ARGS__); \
  if (IsSkipped() || HasFatalFailure()) return

TEST_F(CheckedTest, ARaceIsGreenInNoFrame) {
  OPEN_AT_ONCE(racing());
  bool waits = false;
  while (explain::doubt(*model().run()).empty()) {
    ASSERT_TRUE(stage_->frame());
    EXPECT_FALSE(explain::reserve(*model().run()).empty());
    ASSERT_FALSE(picture_says("Nothing to fix"));
    waits |= picture_says("Checking for races");
  }
  EXPECT_TRUE(waits);
  ASSERT_TRUE(stage_->settle());
  EXPECT_TRUE(picture_says("It has a race, line " + std::to_string(kLine)));
  EXPECT_FALSE(picture_says("Nothing to fix"));
  model().move_step(-9);
  ASSERT_TRUE(click("notice"));
  const auto access = model().access();
  ASSERT_TRUE(access);
  EXPECT_EQ(model().run()->kernel_lines[access->pc], kLine);
}

TEST_F(CheckedTest, WhatWasFoundStandsOnEveryTab) {
  OPEN_STAGE(racing());
  for (const std::string_view figure : figures::figure_names([](const auto&) { return true; })) {
    if (figure == "live") continue;  // of a GPU
    state().view.figure = std::string(figure);
    ASSERT_TRUE(stage_->settle());
    EXPECT_TRUE(has("notice")) << figure;
  }
}

TEST_F(CheckedTest, AClassSeesItToo) {
  State start = racing();
  start.view.presenter = true;
  OPEN_STAGE(start);
  EXPECT_TRUE(has("stage/picture"));
  EXPECT_TRUE(has("stage/says It has a race, line " + std::to_string(kLine)));
  EXPECT_TRUE(has("notice"));
  EXPECT_TRUE(picture_says("It has a race, line " + std::to_string(kLine)));
}

// Of a loop without an end no guess is the reason: the editor, its picture and a comparison say the same.
TEST_F(CheckedTest, AStopHasOneVerdictEverywhere) {
  State start = racing();
  folder_.write("race.cu",
                "__global__ void k(const float* in, float* out, int n) {\n  int i = threadIdx.x;\n"
                "  while (true) out[i] += in[i];\n}\n");
  start.view.page = Page::edit;
  OPEN_STAGE(start);
  ASSERT_FALSE(model().run()->report.findings.empty());
  const check::Finding found = model().run()->report.findings.front();
  EXPECT_EQ(found.kind, check::Kind::endless_loop);
  EXPECT_EQ(found.severity, check::Severity::error);
  const EditSession& session = stage_->interface().pages().get<EditPage>().session();
  ASSERT_EQ(session.marks().size(), 1u);
  EXPECT_EQ(session.marks().front().message, found.message);
  EXPECT_TRUE(has("edit/verdict/stopped"));
  ASSERT_TRUE(model().error());
  EXPECT_EQ(model().error()->message, found.message);
  EXPECT_EQ(model().error()->next_step, found.fix);
  state().view.page = Page::compare;
  ASSERT_TRUE(stage_->settle());
  const auto error = stage_->interface().pages().get<ComparePage>().comparison().error(Side::right);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->message, found.message);
}

// From the editor a class sees the picture and what is said of it, as from the ladder.
TEST_F(CheckedTest, TheEditorsStageHasTheKernelsWords) {
  State start = racing();
  start.view.page = Page::edit;
  start.view.presenter = true;
  OPEN_STAGE(start);
  EXPECT_TRUE(has("stage/says It has a race, line " + std::to_string(kLine)));
  EXPECT_TRUE(has("picture"));
  EXPECT_FALSE(has("edit/verdict"));
}

TEST_F(CheckedTest, BothSidesOfAComparisonSayIt) {
  State start = racing();
  start.view.page = Page::compare;
  OPEN_STAGE(start);
  for (const char* mark : {"compare/left notice", "compare/right notice", "compare/unfair"})
    EXPECT_TRUE(has(mark)) << mark;
  ASSERT_TRUE(click("compare/left notice"));
  EXPECT_EQ(state().view.page, Page::compare);
  for (const ComparePart part : {ComparePart::counters, ComparePart::source}) {
    state().compare.part = part;
    ASSERT_TRUE(stage_->settle());
    EXPECT_TRUE(has("compare/right notice"));
  }
}

// Each choice is looked at anew.
TEST_F(CheckedTest, AMovedSliderIsCheckedAgain) {
  State start = racing();
  folder_.write(
      "race.cu",
      "/*---\ntitle = \"A race\"\nproblem = \"copy\"\n[params]\nBLOCK = { default = 256, values = [32, "
      "256], meaning = \"threads\" }\n[launch]\nblock = [\"BLOCK\"]\ngrid = [\"ceil_div(N, BLOCK)\"]\n"
      "---*/\n__global__ void k(const float* in, float* out, int N) {\n  __shared__ float s[BLOCK];\n"
      "  int t = threadIdx.x, i = blockIdx.x * BLOCK + t;\n  s[t] = i < N ? in[i] : 0;\n"
      "  float beside = s[(t + 32) % BLOCK];\n  if (i < N) out[i] = beside > 99 ? beside : in[i];\n}\n");
  OPEN_STAGE(start);
  EXPECT_EQ(explain::doubt(*model().run()), "it has a race");
  model().set_parameter("BLOCK", 32);  // a thread reads what it wrote itself
  ASSERT_TRUE(stage_->settle());
  EXPECT_EQ(model().run()->report.check, run::CheckState::done);
  EXPECT_EQ(explain::doubt(*model().run()), "");
  EXPECT_FALSE(has("notice"));
  model().set_parameter("BLOCK", 256);
  ASSERT_TRUE(stage_->settle());
  EXPECT_EQ(explain::doubt(*model().run()), "it has a race");
}

TEST_F(CheckedTest, WhatTestsHaveSeenIsNotCheckedAgain) {
  OPEN_STAGE(small_problem());
  EXPECT_EQ(model().run()->report.check, run::CheckState::not_asked);
  EXPECT_EQ(model().shared_run(), model().counted_run());
  model().set_parameter("BLOCK_X", 16);
  ASSERT_TRUE(stage_->settle());
  EXPECT_EQ(model().run()->report.check, run::CheckState::not_asked);
  model().set_parameter("BLOCK_Y", 16);  // two sliders away
  ASSERT_TRUE(stage_->settle());
  EXPECT_EQ(model().run()->report.check, run::CheckState::done);
  EXPECT_EQ(explain::reserve(*model().run()), "");
}

}  // namespace
}  // namespace warplens::app
