// The code beside the picture, by a scripted mouse.
#include <set>

#include "app/window/testing/stage_test.hpp"

namespace warplens::app {
namespace {

using CodePanelTest = StageTest;

// Lines without an access, and what lies below the last one, change nothing.
TEST_F(CodePanelTest, AClickOnALineGoesToItsAccess) {
  OPEN_STAGE(small_problem());
  const auto panel = stage_->find("listing/source");
  ASSERT_TRUE(panel);
  std::set<int> lines;
  for (double y = panel->y + 8; y < panel->bottom() - 8; y += 16) {
    ASSERT_TRUE(stage_->click_at({panel->x + 100, y}));
    ASSERT_TRUE(stage_->settle());
    const auto access = model().access();
    ASSERT_TRUE(access);
    lines.insert(model().run()->kernel_lines[access->pc]);
  }
  EXPECT_EQ(lines.size(), 2u);  // the loads of A and B, and the store of C
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
