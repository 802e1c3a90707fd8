#include "viz/figures/warp/lane_lines.hpp"

#include "engine/analysis/index_expression.hpp"
#include "viz/figures/testing/figure_support.hpp"
#include "viz/figures/warp/coalescing.hpp"
#include "viz/figures/warp/sector_strip.hpp"
#include "viz/scene/hit_test.hpp"
#include "viz/scene/testing/fixed_measure.hpp"

namespace warplens::figures {
namespace {

WarpAccessView view(const char* index, bool shared, const char* device = "h100") {
  return view_of(*analysis::access_at_index(index, analysis::AccessOp::load, 4), shared, device_named(device),
                 "");
}

TEST(LaneLines, SayHowFarApartLanesAre) {
  EXPECT_EQ(lane_lines_caption(view("lane", false)), "Lanes are 4 bytes apart");
  EXPECT_EQ(lane_lines_caption(view("lane * 512", false)),
            "Lanes are 2,048 bytes apart; 8 of 32 lines shown");
  EXPECT_EQ(lane_lines_caption(view("0", true)), "All lanes go to one address");
  EXPECT_EQ(lane_lines_caption(view("lane ^ 1", true)), "");
}

// What is said of the thing under the pointer.
std::string title_at(const scene::Scene& scene, scene::Point at) {
  const auto hit = scene::hit_test(scene, at, scene::FixedMeasure{});
  return hit ? hit->title : "";
}

// An address of a run means nothing to anybody: bytes are counted from the first line shown.
TEST(LaneLines, CountBytesAsTheirLabelsDo) {
  const scene::Point lane_9{380 * 9.4 / 32, 10};
  const WarpAccessView far = view("lane + 1000000", false);
  EXPECT_EQ(title_at(lane_lines_scene(far, {380, 126}), lane_9), "Lane 9: byte +36");
  EXPECT_EQ(title_at(lane_lines_scene(view("lane + 1000", true), {380, 126}), lane_9), "Lane 9: byte 4,036");
  const scene::FixedMeasure measure;
  const scene::Scene coalescing = coalescing_scene(far, {1280, 720}, measure);
  const auto lane = scene::find_bounds(coalescing, "lane:9", measure);
  ASSERT_TRUE(lane);
  EXPECT_EQ(title_at(coalescing, {lane->center().x, lane->y + 2}), "Lane 9: byte +36");
}

// Where a warp begins a word into a sector, that word and seven at the end are moved in vain, and no other.
TEST(SectorStrip, HatchesOnlyWhatNobodyAskedFor) {
  const WarpAccessView access = view("lane + 1", false);
  const SectorStrip strip = sector_strip(access, {0, 0, 1024, 60});
  Group drawn;
  draw_sectors(drawn, access, strip);
  std::vector<Rect> hatched, asked;
  for (const scene::Item& item : drawn.items) {
    if (const auto* rect = std::get_if<scene::RectShape>(&item.shape)) asked.push_back(rect->rect);
    const auto* sector = std::get_if<Group>(&item.shape);
    for (const scene::Item& part : sector != nullptr ? sector->items : std::vector<scene::Item>{})
      if (const auto* rect = std::get_if<scene::RectShape>(&part.shape);
          rect != nullptr && rect->style.stroke && rect->style.stroke->color.token == Token::costly)
        hatched.push_back({sector->origin.x + rect->rect.x, sector->origin.y + rect->rect.y, rect->rect.width,
                           rect->rect.height});
  }
  ASSERT_EQ(asked.size(), 32u);
  double words = 0;
  for (const Rect& vain : hatched) {
    words += vain.width / strip.word();
    for (const Rect& word : asked)
      EXPECT_TRUE(vain.right() <= word.x + 1e-6 || word.right() <= vain.x + 1e-6) << vain.x << ", " << word.x;
  }
  EXPECT_NEAR(words, 8, 1e-6);
}

TEST(LaneLines, LookAsTheyDid) {
  expect_golden(lane_lines_scene(view("lane * 16", false), {380, 126}), "lane_lines_memory");
  // Whole lines of 2.x are moved, whatever of them was asked for.
  expect_golden(lane_lines_scene(view("lane * 16", false, "cc2.0"), {380, 126}), "lane_lines_memory_2_0");
  expect_golden(lane_lines_scene(view("lane * 2", true), {380, 126}), "lane_lines_banks");
}

}  // namespace
}  // namespace warplens::figures
