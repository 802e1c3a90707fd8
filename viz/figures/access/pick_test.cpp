// Names of what is under the pointer, and the declarations that give shared arrays their rows.
#include "viz/figures/access/pick.hpp"

#include <set>

#include "engine/analysis/index_expression.hpp"
#include "viz/figures/code/code.hpp"
#include "viz/figures/performance/occupancy.hpp"
#include "viz/figures/performance/performance.hpp"
#include "viz/figures/testing/figure_support.hpp"
#include "viz/figures/testing/recorded_run.hpp"
#include "viz/figures/warp/banks.hpp"
#include "viz/figures/warp/coalescing.hpp"
#include "viz/plot/plot_layout.hpp"
#include "viz/scene/hit_test.hpp"
#include "viz/scene/testing/fixed_measure.hpp"

namespace warplens::figures {
namespace {

constexpr scene::Size kPickSize{1280, 720};

void add_ids(const scene::Group& group, std::set<std::string>& ids) {
  for (const auto& item : group.items) {
    if (!item.id.empty()) ids.insert(item.id);
    if (const auto* inner = std::get_if<scene::Group>(&item.shape)) add_ids(*inner, ids);
  }
}
std::set<std::string> ids_of(const scene::Scene& scene) {
  std::set<std::string> ids;
  add_ids(scene.root, ids);
  return ids;
}

TEST(CellIds, AreWrittenAndRead) {
  EXPECT_EQ(cell_id({"A", 12, 40}), "cell:A:12,40");
  EXPECT_EQ(parse_cell("cell:A_tile:0,33"), (CellId{"A_tile", 0, 33}));
  for (const char* wrong :
       {"", "cell:", "cell:A", "cell:A:1", "cell:A:1,", "cell:A:x,1", "lane:3", "cell:A:1,2,"})
    EXPECT_FALSE(parse_cell(wrong)) << wrong;
}

// Every pixel of a grid names the cell that is drawn there, and the cell's bounds hold the pixel.
TEST(Pick, NamesCellsOfMatricesAndTiles) {
  const auto run = record_kept("shared_tile", "32");
  const scene::FixedMeasure measure;
  Place selection;
  selection.access = 7;
  const auto scene = access_scene(*run, selection, {}, kPickSize, measure);
  for (const std::string name : {"A", "B", "C", "A_tile", "B_tile"}) {
    const auto grid = scene::find_bounds(scene, "grid:" + name, measure);
    ASSERT_TRUE(grid) << name;
    const Point inside{grid->x + grid->width * 0.4, grid->y + grid->height * 0.7};
    const auto pick = pick_access(*run, selection, {}, kPickSize, measure, inside);
    ASSERT_TRUE(pick) << name;
    EXPECT_TRUE(pick->bounds.contains(inside)) << name;
    const auto cell = parse_cell(pick->id);
    ASSERT_TRUE(cell) << pick->id;
    EXPECT_EQ(cell->name, name);
    const auto first = pick_access(*run, selection, {}, kPickSize, measure, {grid->x + 1, grid->y + 1});
    EXPECT_EQ(first->id, "cell:" + name + ":0,0");
  }
  EXPECT_FALSE(pick_access(*run, selection, {}, kPickSize, measure, {1, 1}));
}

TEST(Pick, LeadsFromACellToTheAccess) {
  const auto run = record_kept("naive", "64");
  const AccessStory& story = *run->stories[0];
  // 01_naive: lane l of warp w reads row l of A; A[5][3] is read by lane 5 of each warp at k = 3.
  const auto found = touching(*run, {}, {"A", 5, 3});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->warp, 0u);
  EXPECT_EQ(found->lane, 5);
  const auto access = story.accesses().at(found->warp, found->access);
  const auto element = report::elements_of(run->buffers, *access)[5];
  ASSERT_TRUE(element);
  EXPECT_EQ(element->row, 5);
  EXPECT_EQ(element->column, 3);
  EXPECT_FALSE(touching(*run, {}, {"A", 40, 3}));  // another block's
  EXPECT_FALSE(touching(*run, {}, {"X", 0, 0}));
}

TEST(Ids, AreOfOneGrammar) {
  const scene::FixedMeasure measure;
  const auto run = record_kept("shared_tile", "32");
  const auto access_ids = ids_of(access_scene(*run, {}, {}, kPickSize, measure));
  EXPECT_TRUE(access_ids.contains("lane:7"));
  EXPECT_TRUE(access_ids.contains("bank:3"));
  const auto code_ids = ids_of(code_scene(*run, {.line = 26}, kPickSize, measure));
  EXPECT_TRUE(code_ids.contains("line:26"));
  EXPECT_TRUE(
      std::any_of(code_ids.begin(), code_ids.end(), [](const auto& id) { return id.starts_with("pc:"); }));
  const auto global = figures::view_of(*analysis::access_at_index("lane", analysis::AccessOp::load, 4), false,
                                       device_named("h100"), "");
  EXPECT_TRUE(ids_of(coalescing_scene(global, kPickSize, measure)).contains("lane:31"));
  const auto shared = figures::view_of(*analysis::access_at_index("lane", analysis::AccessOp::load, 4), true,
                                       device_named("h100"), "");
  EXPECT_TRUE(ids_of(banks_scene(shared, kPickSize, measure)).contains("bank:31"));
  const auto occupancy = occupancy_scene({device_named("h100"), {256, 32, 0}, ""}, kPickSize, measure);
  EXPECT_TRUE(ids_of(*occupancy).contains("threads:256"));
  const PerformanceInput ladder{
      "", "", {{.step = "Naive", .id = "matmul/01_naive", .recorded = MeasuredSpeed{5.0, ""}}}, std::nullopt};
  EXPECT_TRUE(
      ids_of(plot::plot_scene(ladder_plot(ladder), kPickSize, measure)).contains("step:matmul/01_naive"));
}

}  // namespace
}  // namespace warplens::figures
