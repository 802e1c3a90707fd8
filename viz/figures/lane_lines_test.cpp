#include "viz/figures/lane_lines.hpp"

#include "engine/analysis/index_expression.hpp"
#include "viz/figures/figure_support.hpp"

namespace warplens::figures {
namespace {

WarpAccessView view(const char* index, bool shared, const char* device = "h100") {
  return view_of(*analysis::access_at_index(index, analysis::AccessOp::load, 4), shared, chip(device), "");
}

TEST(LaneLines, SayHowFarApartLanesAre) {
  EXPECT_EQ(lane_lines_caption(view("lane", false)), "Lanes are 4 bytes apart");
  EXPECT_EQ(lane_lines_caption(view("lane * 512", false)),
            "Lanes are 2,048 bytes apart; 8 of 32 lines shown");
  EXPECT_EQ(lane_lines_caption(view("0", true)), "All lanes go to one address");
  EXPECT_EQ(lane_lines_caption(view("lane ^ 1", true)), "");
}

TEST(LaneLines, LookAsTheyDid) {
  expect_golden(lane_lines_scene(view("lane * 16", false), {380, 126}), "lane_lines_memory");
  // Whole lines of 2.x are moved, whatever of them was asked for.
  expect_golden(lane_lines_scene(view("lane * 16", false, "cc2.0"), {380, 126}), "lane_lines_memory_2_0");
  expect_golden(lane_lines_scene(view("lane * 2", true), {380, 126}), "lane_lines_banks");
}

}  // namespace
}  // namespace warplens::figures
