// The code beside the picture, by a scripted mouse.
#include <stdlib.h>

#include <algorithm>
#include <set>

#include "app/window/actions/pages.hpp"
#include "app/window/pages/ladder/ladder_page.hpp"
#include "app/window/testing/stage_test.hpp"
#include "engine/base/testing/test_folder.hpp"

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

// A disassembler whose text of the instruction at 0x0010 is "OPERATION 1", and so on.
class MachineCodeTest : public StageTest {
 protected:
  void SetUp() override {
    const auto program = folder_.write_script(
        "nvdisasm",
        "printf '\\t.section\\t.text.kernel,x\\n'; i=0; while [ $i -lt 400 ]; do "
        "printf '/*%04x*/ OPERATION %d ; // |  %d  |\\n' $((16 * i)) $i $((i % 30)); i=$((i + 1)); done");
    setenv("WARPLENS_NVDISASM", program.c_str(), 1);
  }
  void TearDown() override { setenv("WARPLENS_NVDISASM", "none", 1); }
  study::SharedListing made() {
    auto& page = stage_->interface().pages().get<LadderPage>();
    return page.code().machine_code(model().shared_run());
  }
  const sass::Listing& code() { return **made(); }
  // In the middle of a row of the listing that is in sight; rows of one line each.
  scene::Point row_in_sight(int row) {
    const Rect listing = *stage_->find("listing/sass");
    return {listing.x + 100, listing.y + 9 + 18.0 * row};
  }
  TestFolder folder_;
};

TEST_F(MachineCodeTest, StandsInATabOfItsOwn) {
  OPEN_STAGE(small_problem());
  EXPECT_FALSE(stage_->find("listing/sass"));
  ASSERT_TRUE(click("code/SASS"));
  EXPECT_TRUE(stage_->find("listing/sass"));
  EXPECT_FALSE(stage_->find("listing/source"));
  ASSERT_FALSE(code().without_text);
  EXPECT_EQ(code().rows[2].text, "OPERATION 2");
  EXPECT_EQ(code().rows[2].live_registers, 2);
  ASSERT_TRUE(click("code/Both"));
  EXPECT_EQ(state().view.code, CodeView::source_sass);
  EXPECT_TRUE(stage_->find("listing/source") && stage_->find("listing/sass"));
}

// Pointing at an instruction lights its line; a click on an access goes there.
TEST_F(MachineCodeTest, IsLinkedWithTheSource) {
  State start = small_problem();
  start.view.code = CodeView::source_sass;
  OPEN_STAGE(start);
  std::set<int> lines;
  bool is_lit = false;
  for (int row = 0; row < 12; ++row) {
    ASSERT_TRUE(stage_->click_at(row_in_sight(row)));
    ASSERT_TRUE(stage_->settle());
    if (const auto access = model().access()) lines.insert(model().run()->kernel_lines[access->pc]);
    const int line = model().pointing.now().line;
    is_lit |= line > 0 && stage_->find("lit/line:" + std::to_string(line)).has_value();
  }
  EXPECT_FALSE(lines.empty());
  EXPECT_TRUE(is_lit);
  const auto access = std::ranges::find_if(code().rows, [](const sass::Row& row) { return row.is_access; });
  choose_instruction(model(), access->pc);
  EXPECT_EQ(model().access()->pc, static_cast<std::uint32_t>(access->pc));
  EXPECT_EQ(pointed_at(model(), "line:" + std::to_string(access->line)).line, access->line);
}

TEST_F(MachineCodeTest, ShowsWhatIsKnownWithoutNvdisasm) {
  setenv("WARPLENS_NVDISASM", "none", 1);
  State start = small_problem();
  start.view.code = CodeView::sass;
  OPEN_STAGE(start);
  EXPECT_TRUE(stage_->find("listing/sass"));
  ASSERT_TRUE(code().without_text);
  EXPECT_EQ(code().rows.back().text.substr(0, 3), "BRA");
}

TEST_F(MachineCodeTest, SaysThatAnOldDeviceHasNone) {
  State start = small_problem();
  start.view.code = CodeView::sass;
  start.params = {{"BLOCK_X", 16}, {"BLOCK_Y", 16}};
  start.device = "gtx280";
  OPEN_STAGE(start);
  ASSERT_TRUE(made());
  EXPECT_FALSE(*made());
  EXPECT_FALSE(stage_->find("listing/sass"));
}

}  // namespace
}  // namespace warplens::app
