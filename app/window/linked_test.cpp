// What the pointer is on is lit everywhere: pictures, code and lanes show the same thing.
#include <gtest/gtest.h>

#include <bit>
#include <span>

#include "app/window/actions/pages.hpp"
#include "app/window/figure/figure_canvas.hpp"
#include "app/window/pages/compare/compare_page.hpp"
#include "app/window/pages/ladder/ladder_page.hpp"
#include "app/window/pages/playground/playground_page.hpp"
#include "app/window/testing/stage_test.hpp"
#include "viz/figures/parts/places.hpp"
#include "viz/paint/files/svg.hpp"
#include "viz/scene/hit_test.hpp"
#include "viz/scene/testing/fixed_measure.hpp"
#include "viz/theme/theme.hpp"

namespace warplens::app {
namespace {

class LinkedTest : public StageTest {
 protected:
  void open_at(const std::string& kernel, const std::string& figure) {
    State start = small_problem();
    start.kernel = kernel;
    start.view.figure = figure;
    start.view.code = CodeView::both;
    start.view.details = true;
    open(start);
  }
  const Pointed& pointed() { return model().pointing.now(); }
  bool is_lit(const std::string& mark) { return stage_->find("lit/" + mark).has_value(); }
  // The middle of a named thing, and the frames that light what goes with it.
  void point_at(scene::Point at) {
    ASSERT_TRUE(stage_->move_to(at));
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(stage_->frame());
  }
  // On screen, in the picture.
  scene::Point place_of_cell(const figures::CellId& cell) {
    const Rect picture = *stage_->find("figure");
    const FigureCanvas& canvas = stage_->interface().pages().get<LadderPage>().canvas();
    const auto places = canvas.places(std::span(&cell, 1));
    EXPECT_EQ(places.size(), 1u);
    const scene::Point middle = places.empty() ? scene::Point{} : places[0].center();
    return {picture.x + middle.x * canvas.scale(), picture.y + middle.y * canvas.scale()};
  }
  std::string lane_sector(int lane) {
    return "sector:" + std::to_string(model().access()->address[static_cast<std::size_t>(lane)] / 32);
  }
  std::string access_line() {
    return "line:" + std::to_string(figures::line_of(*model().run(), model().access()->pc));
  }
};

#define OPEN_AT(...)    \
  open_at(__VA_ARGS__); \
  if (IsSkipped() || HasFatalFailure()) return

TEST_F(LinkedTest, ACellLightsItsSectorItsLaneAndItsLine) {
  OPEN_AT("matmul/01_naive", "access");
  // The cell of A that lane 3 reads: its row, the first column.
  const auto lit_by_lane = pointed_at(model(), "lane:3");
  ASSERT_EQ(lit_by_lane.cells.size(), 1u);
  point_at(place_of_cell(lit_by_lane.cells[0]));
  EXPECT_EQ(pointed().id, figures::cell_id(lit_by_lane.cells[0]));
  EXPECT_TRUE(is_lit("cell"));
  EXPECT_TRUE(is_lit("beside/lane:3"));
  EXPECT_FALSE(is_lit("beside/lane:4"));
  EXPECT_TRUE(is_lit("beside/" + lane_sector(3)));
  EXPECT_FALSE(is_lit("beside/" + lane_sector(4)));
  EXPECT_TRUE(is_lit(access_line()));
  ASSERT_TRUE(pointed().pc);
  EXPECT_EQ(*pointed().pc, model().access()->pc);
}

TEST_F(LinkedTest, ACellOfATileLightsItsBank) {
  OPEN_AT("transpose/02_tiled", "access");
  state().selection.step = 1;
  ASSERT_TRUE(stage_->settle());
  while (model().access()->space != ptx::Space::shared) {
    model().move_step(1);
    ASSERT_TRUE(stage_->settle());
  }
  const Pointed by_lane = pointed_at(model(), "lane:5");
  ASSERT_EQ(by_lane.cells.size(), 1u);
  point_at(place_of_cell(by_lane.cells[0]));
  EXPECT_EQ(pointed().id, figures::cell_id(by_lane.cells[0]));
  EXPECT_EQ(pointed().banks, by_lane.banks);
  ASSERT_NE(by_lane.banks, 0u);
  const int bank = std::countr_zero(by_lane.banks);
  EXPECT_TRUE(is_lit("cell"));
  EXPECT_TRUE(is_lit("beside/bank:" + std::to_string(bank)));
  EXPECT_FALSE(is_lit("beside/bank:" + std::to_string((bank + 1) % 32)));
  EXPECT_TRUE(is_lit("beside/lane:5"));
  EXPECT_TRUE(is_lit(access_line()));
}

// The banks show the next access to shared memory: scrubber, source and what is pointed at are of that one.
TEST_F(LinkedTest, AnotherAccessThanTheChosenOneIsShownEverywhere) {
  OPEN_AT("transpose/02_tiled", "banks");
  state().selection.step = 0;  // reads global memory
  ASSERT_TRUE(stage_->settle());
  EXPECT_EQ(model().access()->space, ptx::Space::shared);
  EXPECT_GT(model().shown_access(), 0u);
  EXPECT_NE(pointed_at(model(), "lane:5").banks, 0u);
  EXPECT_EQ(pointed_at(model(), "lane:5").pc, model().access()->pc);
  state().view.figure = "bank-map";
  ASSERT_TRUE(stage_->settle());
  EXPECT_EQ(model().access()->space, ptx::Space::shared);
}

TEST_F(LinkedTest, ASectorLightsTheLanesThatAskForIt) {
  OPEN_AT("matmul/02_coalesced", "coalescing");
  const Pointed lane = pointed_at(model(), "lane:9");
  ASSERT_EQ(lane.sectors.size(), 1u);
  const Pointed sector = pointed_at(model(), "sector:" + std::to_string(lane.sectors[0]));
  EXPECT_NE(sector.lanes & 1u << 9, 0u);
  EXPECT_EQ(sector.cells.size(), 8u);  // all that it brings
  EXPECT_EQ(sector.line, lane.line);
  const FigureCanvas& canvas = stage_->interface().pages().get<LadderPage>().canvas();
  const auto box =
      scene::find_bounds(*canvas.shown(), "sector:" + std::to_string(lane.sectors[0]), canvas.fonts());
  ASSERT_TRUE(box);
  const Rect picture = *stage_->find("figure");
  constexpr double in_fifth_word = 4.5 / 8;  // between two words it is the sector's alone
  point_at({picture.x + (box->x + box->width * in_fifth_word) * canvas.scale(),
            picture.y + box->center().y * canvas.scale()});
  EXPECT_TRUE(pointed().id.starts_with("lane:"));  // whose word it is
  EXPECT_TRUE(is_lit(pointed().id));
  EXPECT_TRUE(is_lit("sector:" + std::to_string(lane.sectors[0])));
  EXPECT_TRUE(is_lit(access_line()));
}

TEST_F(LinkedTest, ALineOfTheSourceLightsItsInstructionsAndCells) {
  OPEN_AT("matmul/01_naive", "access");
  const int line = figures::line_of(*model().run(), model().access()->pc);
  const Pointed of_line = pointed_at(model(), "line:" + std::to_string(line));
  EXPECT_TRUE(of_line.has_line(line));
  EXPECT_EQ(of_line.lanes, 0xffffffffu);
  EXPECT_FALSE(of_line.cells.empty());
  const Rect listing = *stage_->find("listing/ptx");
  point_at({listing.x + 40, listing.y + 30});
  EXPECT_TRUE(pointed().id.starts_with("ptx:") || pointed().id.empty());
}

TEST_F(LinkedTest, WordsOfThePictureAreExplained) {
  OPEN_AT("matmul/01_naive", "access");
  const auto word = stage_->find("term/Sector");
  ASSERT_TRUE(word);
  point_at(word->center());
  EXPECT_TRUE(pointed().id.empty());
  ASSERT_TRUE(click("help button"));
  EXPECT_TRUE(stage_->find("help"));
  ASSERT_TRUE(click("help/Keys"));
  EXPECT_TRUE(stage_->find("help"));
}

TEST_F(LinkedTest, AStepSaysThatItIsSlowerThanTheOneBefore) {
  State start = small_problem();
  start.kernel = "minplus/02_v0_transposed";
  start.size = {{"N", 64}};
  start.view.steps_by = StepsBy::speed_most, start.view.details = true;
  OPEN_STAGE(start);
  ASSERT_TRUE(stage_->find("slower"));
  EXPECT_TRUE(stage_->find("slower/minplus/02_v0_transposed"));
  EXPECT_FALSE(stage_->find("slower/minplus/03_v1"));
}

// Of two kernels beside each other the same lane is lit in both, with what serves it in each.
TEST_F(LinkedTest, ALaneIsLitInBothOfTwoThatAreCompared) {
  State start = small_problem();
  start.view.page = Page::compare;
  start.compare.left = {"matmul/01_naive", {}}, start.compare.right = {"matmul/02_coalesced", {}};
  start.compare.figure = "coalescing";
  OPEN_STAGE(start);
  const auto both = stage_->interface().pages().get<ComparePage>().scene();
  ASSERT_TRUE(both);
  constexpr double head = 40;  // of the names above them
  const auto lane =
      scene::find_bounds(*both, "lane:9", stage_->interface().pages().get<LadderPage>().canvas().fonts());
  const auto picture = stage_->find("compare/left picture");
  ASSERT_TRUE(lane);
  ASSERT_TRUE(picture);
  point_at({picture->x + lane->center().x, picture->y + lane->center().y - head});
  for (const std::string side : {"compare/left lit/", "compare/right lit/"}) {
    EXPECT_TRUE(stage_->find(side + "lane:9")) << side;
    EXPECT_FALSE(stage_->find(side + "lane:10")) << side;
  }
}

// A small picture has its cost in a sentence above it and not once more in itself.
TEST_F(LinkedTest, ASmallComparisonSaysItsFactOnce) {
  State start = small_problem();
  start.view.width = 1280, start.view.height = 720;
  start.view.page = Page::compare;
  start.compare.left = {"matmul/01_naive", {}}, start.compare.right = {"matmul/02_coalesced", {}};
  start.compare.figure = "access";
  OPEN_STAGE(start);
  const ComparePage& page = stage_->interface().pages().get<ComparePage>();
  const auto both = page.scene();
  ASSERT_TRUE(both);
  const auto picture = paint::to_svg(*both, theme::light(), scene::FixedMeasure{});
  ASSERT_TRUE(picture);
  EXPECT_EQ(picture->find("32 sectors"), std::string::npos);
  EXPECT_TRUE(stage_->find("compare/left says")->height > 0);
}

TEST_F(LinkedTest, ALaneOfATypedIndexLightsItsSectorAndItsBank) {
  State start = small_problem();
  start.view.page = Page::playground;
  start.playground.index = "lane";
  OPEN_STAGE(start);
  const auto picture = stage_->find("playground/picture");
  const auto shown = stage_->interface().pages().get<PlaygroundPage>().scene();
  ASSERT_TRUE(picture);
  ASSERT_TRUE(shown);
  const auto lane =
      scene::find_bounds(*shown, "lane:9", stage_->interface().pages().get<LadderPage>().canvas().fonts());
  ASSERT_TRUE(lane);
  point_at({picture->x + lane->center().x, picture->y + lane->center().y});
  EXPECT_TRUE(stage_->find("playground/lit/lane:9"));
  EXPECT_FALSE(stage_->find("playground/lit/lane:10"));
  EXPECT_TRUE(stage_->find("playground/lit/bank:9"));
  EXPECT_TRUE(stage_->find("playground/lit/sector:1"));
}

TEST_F(LinkedTest, NothingIsLitWhereNothingIsPointedAt) {
  OPEN_AT("matmul/01_naive", "access");
  point_at({2, 2});
  EXPECT_TRUE(pointed().id.empty());
  EXPECT_FALSE(is_lit("cell"));
  EXPECT_FALSE(is_lit(access_line()));
  EXPECT_FALSE(stage_->interface().is_moving());
}

}  // namespace
}  // namespace warplens::app
