// The code beside the picture, by a scripted mouse.
#include <algorithm>
#include <set>

#include "app/window/testing/stage_test.hpp"

namespace warplens::app {
namespace {

using CodePanelTest = StageTest;

// Of lines without an access the lanes are shown; comments, and what lies below the last line, change
// nothing.
TEST_F(CodePanelTest, AClickOnALineGoesToItsAccess) {
  OPEN_STAGE(small_problem());
  const auto panel = stage_->find("listing/source");
  ASSERT_TRUE(panel);
  std::set<int> lines, of_lanes;
  for (double y = panel->y + 8; y < panel->bottom() - 8; y += 16) {
    ASSERT_TRUE(stage_->click_at({panel->x + 100, y}));
    ASSERT_TRUE(stage_->settle());
    const auto access = model().access();
    ASSERT_TRUE(access);
    lines.insert(model().run()->kernel_lines[access->pc]);
    if (const int line = model().state.selection.line; line > 0) of_lanes.insert(line);
  }
  EXPECT_EQ(lines.size(), 2u);     // the loads of A and B, and the store of C
  EXPECT_GE(of_lanes.size(), 2u);  // where threads find their place, and the loop
  EXPECT_TRUE(std::none_of(of_lanes.begin(), of_lanes.end(), [&](int line) { return lines.contains(line); }));
  model().choose_line(*of_lanes.begin());
  EXPECT_EQ(model().state.selection.line, *of_lanes.begin());
  model().move_step(1);
  EXPECT_EQ(model().state.selection.line, 0);
}

TEST_F(CodePanelTest, ShowsPtxBesideTheSource) {
  State start = small_problem();
  start.view.code = CodeView::both;
  OPEN_STAGE(start);
  const auto source = stage_->find("listing/source"), ptx = stage_->find("listing/ptx");
  ASSERT_TRUE(source && ptx);
  EXPECT_LE(source->bottom(), ptx->y);
}

}  // namespace
}  // namespace warplens::app
