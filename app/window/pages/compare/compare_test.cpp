// Comparing two kernels: the counters as values, and the page driven as a user would drive it.
#include <gmock/gmock.h>

#include "app/window/actions/pages.hpp"
#include "app/window/model/run_quantities.hpp"
#include "app/window/pages/compare/compare_page.hpp"
#include "app/window/testing/stage_test.hpp"
#include "engine/base/testing/test_folder.hpp"

namespace warplens::app {
namespace {

using ::testing::HasSubstr;

Verdict verdict(double left, double right, run::Better better = run::Better::fewer,
                run::Form form = run::Form::count) {
  run::Quantity row;
  row.form = form, row.better = better;
  return compare({&row, left}, {&row, right});
}

TEST(CompareCounters, SaysWhichSideIsBetter) {
  EXPECT_EQ(verdict(400, 100).kind, Verdict::Kind::better);
  EXPECT_EQ(verdict(400, 100).text, "4× fewer");
  EXPECT_FALSE(verdict(400, 100).up);
  EXPECT_EQ(verdict(100, 250).kind, Verdict::Kind::worse);
  EXPECT_EQ(verdict(100, 250).text, "2.5× more");
  EXPECT_TRUE(verdict(100, 250).up);
  EXPECT_EQ(verdict(0.5, 1, run::Better::more).kind, Verdict::Kind::better);
  EXPECT_EQ(verdict(1, 0.25, run::Better::more, run::Form::share).text, "4× lower");
  EXPECT_EQ(verdict(100, 104).text, "4.0 % more");
  EXPECT_EQ(verdict(7, 7).kind, Verdict::Kind::same);
  EXPECT_EQ(verdict(32768, 32769).kind, Verdict::Kind::same);  // not "0.0 % more"
  EXPECT_EQ(verdict(32768, 32769).text, "almost the same");
  EXPECT_EQ(verdict(0, 7).text, "from none");
  EXPECT_EQ(verdict(7, 0).text, "to none");
  EXPECT_EQ(verdict(16, 32, run::Better::neither).kind, Verdict::Kind::other);
}

class CompareTest : public StageTest {
 protected:
  Comparison& comparison() { return stage_->interface().pages().get<ComparePage>().comparison(); }
  State compared() {
    State start = small_problem();
    start.view.page = Page::compare;
    start.compare.left = {"matmul/01_naive", {}};
    start.compare.right = {"matmul/03_shared_tile", {{"TILE", 16}}};
    return start;
  }
};

// Beside a lesson there is least room: names of counters are whole, and a sentence takes a second line before it is cut.
TEST_F(CompareTest, BesideALessonNoNameAndNoSentenceIsCut) {
  const TestFolder folder;
  const std::string state =
      "```state\nkernel = \"matmul/03_shared_tile\"\nsize = 512\ncompare = { left = "
      "\"matmul/01_naive\", right = \"matmul/03_shared_tile\", figure = \"timeline\", part = "
      "\"all\" }\n```\n";
  const auto lesson = folder.write(
      "beside.md",
      "+++\ntitle = \"Beside\"\nsummary = \"A test\"\nminutes = 5\n+++\n\n## Two\n\n" + state + "\nText.\n");
  for (const auto& [width, height] : {std::pair(1600, 900), std::pair(1280, 720)}) {
    State start;
    start.lesson.file = lesson.string();
    start.view.width = width, start.view.height = height;
    stage_.reset();
    OPEN_STAGE(start);
    const auto& marks = stage_->interface().marks();
    EXPECT_TRUE(
        std::ranges::none_of(marks, [](const auto& mark) { return mark.first.starts_with("compare/cut"); }));
    const auto one = stage_->find("compare/left says"), other = stage_->find("compare/right says");
    ASSERT_TRUE(one && other);
    EXPECT_EQ(one->height, other->height);
    EXPECT_FALSE(stage_->find("compare/left says/cut") || stage_->find("compare/right says/cut"));
  }
}

// In the smallest window the titles of steps are whole, and of sliders so many as have room.
TEST_F(CompareTest, NoTitleOfAStepIsCut) {
  for (const auto& [left, right] :
       {std::pair("matmul/01_naive", "matmul/05_register_2d"),
        std::pair("matmul/09_warp_tile", "matmul/10_async_pipeline"), std::pair("ncsa/02_k2", "ncsa/05_k3k4"),
        std::pair("memory/10_broadcast", "memory/07_float3_staged")}) {
    State start = compared();
    start.kernel = left;
    if (!start.kernel.starts_with("matmul/")) start.size = {};
    start.view.width = 1280, start.view.height = 720;
    start.compare.left = {left, {}}, start.compare.right = {right, {}};
    OPEN_STAGE(start);
    for (const char* name : {"left", "right", "left/parameters", "right/parameters"}) {
      EXPECT_TRUE(stage_->find(std::string("compare/") + name)) << name;
      EXPECT_FALSE(stage_->find(std::string("compare/") + name + "/cut")) << name << " of " << left;
    }
    stage_.reset();
  }
}

// Whoever leaves a lesson's stop for the comparison does not find there what the lesson asks for later.
TEST_F(CompareTest, HidesTheSpeedThatALessonAsksFor) {
  State start;
  start.lesson = {"03_matmul_to_tiles", 0, false};
  OPEN_STAGE(start);
  state().kernel = "matmul/01_naive", state().size = {{"M", 512}, {"N", 512}, {"K", 512}};
  state().view.page = Page::compare;
  state().compare.left = {"matmul/01_naive", {}}, state().compare.right = {"matmul/10_async_pipeline", {}};
  ASSERT_TRUE(stage_->settle());
  ASSERT_TRUE(stage_->find("compare/recorded"));
  EXPECT_TRUE(stage_->find("compare/recorded/left/?"));
  EXPECT_FALSE(stage_->find("compare/recorded/right/?"));
  stage_->interface().lessons().close();
  ASSERT_TRUE(stage_->settle());
  ASSERT_TRUE(stage_->find("compare/recorded"));
  EXPECT_FALSE(stage_->find("compare/recorded/left/?"));
}

TEST_F(CompareTest, RunsBothSidesAndCountsThem) {
  OPEN_STAGE(compared());
  ASSERT_NE(comparison().run(Side::left), nullptr);
  ASSERT_NE(comparison().run(Side::right), nullptr);
  EXPECT_EQ(comparison().run(Side::right)->plan().parameters.at("TILE"), 16);
  const auto left = numbers_of(*comparison().run(Side::left));
  const auto right = numbers_of(*comparison().run(Side::right));
  ASSERT_EQ(left.size(), right.size());
  EXPECT_EQ(left[1].row->title, "Global load sectors");
  EXPECT_EQ(left[1].value,
            static_cast<double>(comparison().run(Side::left)->report.counts.global_load.sectors));
  EXPECT_EQ(compare(left[1], right[1]).kind, Verdict::Kind::better);
  EXPECT_EQ(compare(left[5], right[5]).text, "from none");  // the naive kernel uses no shared memory
}

TEST_F(CompareTest, TheButtonOpensItWithTheStepBefore) {
  State start = small_problem();
  start.kernel = "matmul/03_shared_tile";
  OPEN_STAGE(start);
  ASSERT_TRUE(click("compare"));
  EXPECT_EQ(state().view.page, Page::compare);
  EXPECT_EQ(state().compare.left.kernel, "matmul/02_coalesced");
  EXPECT_EQ(state().compare.right.kernel, "matmul/03_shared_tile");
  EXPECT_NE(comparison().run(Side::left), nullptr);
  ASSERT_TRUE(click("compare/close"));
  EXPECT_EQ(state().view.page, Page::ladder);
}

TEST_F(CompareTest, SidesAreChangedByMenuSliderAndSwap) {
  OPEN_STAGE(compared());
  ASSERT_TRUE(click("compare/left"));
  ASSERT_TRUE(click("compare/left/matmul/02_coalesced"));
  EXPECT_EQ(state().compare.left.kernel, "matmul/02_coalesced");
  EXPECT_EQ(comparison().run(Side::left)->plan().spec.id, "matmul/02_coalesced");
  ASSERT_TRUE(stage_->drag("compare/right/TILE", 0.4, 0));
  ASSERT_TRUE(stage_->settle());
  EXPECT_EQ(state().compare.right.params.at("TILE"), 4);
  EXPECT_EQ(comparison().run(Side::right)->plan().parameters.at("TILE"), 4);
  EXPECT_EQ(state().kernel, "matmul/01_naive");  // the ladder stays where it was
  ASSERT_TRUE(click("compare/swap"));
  EXPECT_EQ(state().compare.left.kernel, "matmul/03_shared_tile");
  EXPECT_EQ(comparison().run(Side::left)->plan().parameters.at("TILE"), 4);
}

TEST_F(CompareTest, TwoParameterSetsOfOneKernel) {
  State start = compared();
  start.compare.left = {"matmul/03_shared_tile", {{"TILE", 8}}};
  OPEN_STAGE(start);
  const auto left = comparison().run(Side::left)->report.counts.global_load.sectors;
  const auto right = comparison().run(Side::right)->report.counts.global_load.sectors;
  EXPECT_EQ(left, 2 * right);  // every element is loaded once for each tile edge
  for (const DiffRow& row : comparison().sources().rows) EXPECT_EQ(row.kind, DiffRow::Kind::same);
}

TEST_F(CompareTest, PlayMovesBothSides) {
  State start = compared();
  start.view.speed = 60;  // a frame is 1/60 s
  OPEN_STAGE(start);
  ASSERT_NE(comparison().steps(Side::left), comparison().steps(Side::right));
  const std::uint32_t before = state().selection.step;
  ASSERT_TRUE(stage_->press(compat::Key::space));
  for (int i = 0; i < 30; ++i) ASSERT_TRUE(stage_->frame());
  ASSERT_TRUE(stage_->press(compat::Key::space));
  EXPECT_GE(state().compare.step, 25u);
  EXPECT_EQ(state().selection.step, before);
  // The same share of the way, to the nearest access.
  for (const Side side : kBothSides) {
    const double share =
        static_cast<double>(state().compare.step) / static_cast<double>(comparison().steps() - 1);
    EXPECT_NEAR(comparison().selection(side).step, share * static_cast<double>(comparison().steps(side) - 1),
                0.5);
  }
  ASSERT_TRUE(click("compare/pace"));
  EXPECT_EQ(comparison().selection(Side::left).step, state().compare.step);
  EXPECT_EQ(comparison().selection(Side::right).step, state().compare.step);
  ASSERT_TRUE(click("last"));
  for (const Side side : kBothSides)
    EXPECT_EQ(comparison().selection(side).step + 1, comparison().steps(side));
}

TEST_F(CompareTest, AnIllegalValueIsSaidAndTheOtherSideRuns) {
  State start = compared();
  start.compare.left.params = {{"BLOCK_X", 64}, {"BLOCK_Y", 64}};
  OPEN_STAGE(start);
  EXPECT_NE(comparison().run(Side::right), nullptr);
  // Values that the file cannot have fall back to the kernel's own.
  EXPECT_FALSE(comparison().error(Side::left));
  state().compare.left.params["BLOCK_X"] = 64;
  ASSERT_TRUE(stage_->settle());
  ASSERT_TRUE(comparison().error(Side::left));
  EXPECT_THAT(comparison().error(Side::left)->message, HasSubstr("1024"));
}

// Cards stood flush with each other, and the lowest one was cut.
TEST_F(CompareTest, PicturesKeepAwayFromEachOtherAndFromTheEdges) {
  State start = compared();
  start.view.width = 1280, start.view.height = 720;
  start.lesson.file = "03_matmul_to_tiles";
  OPEN_STAGE(start);
  state().view.page = Page::compare;
  for (const char* figure : {"occupancy", "access"}) {
    state().compare.figure = figure;
    ASSERT_TRUE(stage_->settle());
    const auto all = stage_->find("compare/pictures"), left = stage_->find("compare/left picture"),
               right = stage_->find("compare/right picture");
    ASSERT_TRUE(all && left && right) << figure;
    EXPECT_GT(left->x, all->x + 8) << figure;
    EXPECT_GT(right->x, left->right() + 16) << figure;
    EXPECT_LT(right->right(), all->right() - 8) << figure;
    EXPECT_LT(left->bottom(), all->bottom()) << figure;
    // Of accesses alone one is chosen.
    EXPECT_EQ(stage_->find("scrubber").has_value(), figure == std::string_view("access")) << figure;
  }
}

// As behind a lesson's exercise: the editor would show another kernel.
TEST_F(CompareTest, LeadsBackToTheEditorOnlyWithWhatIsEdited) {
  State start = compared();
  start.view.page = Page::edit;
  OPEN_STAGE(start);
  for (const auto& [kernel, behind] :
       {std::pair(start.kernel, Page::edit), std::pair(std::string("matmul/02_coalesced"), Page::ladder)}) {
    state().view.page = Page::edit;
    ASSERT_TRUE(stage_->settle());
    if (state().kernel != kernel) model().choose_kernel(kernel);
    state().view.page = Page::compare;
    ASSERT_TRUE(stage_->settle());
    ASSERT_TRUE(stage_->press(compat::Key::escape));
    ASSERT_TRUE(stage_->settle());
    EXPECT_EQ(state().view.page, behind) << kernel;
  }
}

TEST_F(CompareTest, IsExportedAsOnePicture) {
  OPEN_STAGE(compared());
  const std::string svg = saved_svg();
  EXPECT_THAT(svg, HasSubstr("Shared-memory tiling"));
  EXPECT_THAT(svg, HasSubstr("BLOCK_X = 32"));
}

TEST_F(CompareTest, TheTableIsCopiedInFull) {
  OPEN_STAGE(compared());
  const std::string text = tsv_of(*comparison().run(Side::left), *comparison().run(Side::right), {});
  EXPECT_THAT(text,
              HasSubstr("quantity\tmatmul/01_naive BLOCK_X=32 BLOCK_Y=32\tmatmul/03_shared_tile TILE=16"));
  EXPECT_THAT(text, HasSubstr("\nShared load wavefronts\t0\t"));
}

}  // namespace
}  // namespace warplens::app
