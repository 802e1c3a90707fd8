// Golden SVGs of the figures that show a run, and of the performance plots: kernels with PTX of their own
// (recorded_run.hpp), made-up measurements.
#include "viz/figures/access/access.hpp"
#include "viz/figures/access/line_lanes.hpp"
#include "viz/figures/code/code.hpp"
#include "viz/figures/performance/occupancy.hpp"
#include "viz/figures/performance/performance.hpp"
#include "viz/figures/testing/figure_support.hpp"
#include "viz/figures/testing/recorded_run.hpp"
#include "viz/figures/warp/bank_map.hpp"
#include "viz/figures/warp/warp_access_view.hpp"
#include "viz/plot/plot_layout.hpp"
#include "viz/scene/testing/fixed_measure.hpp"

namespace warplens::figures {
namespace {

constexpr scene::Size kGoldenSize{1280, 720};
using Colors = AccessOptions::Colors;

struct AccessPicture {
  std::string name, kernel, size;
  std::uint32_t warp, step;
  AccessOptions options;
  scene::Size scene = kGoldenSize;
};
void PrintTo(const AccessPicture& picture, std::ostream* out) { *out << picture.name; }

class AccessGolden : public testing::TestWithParam<AccessPicture> {};

TEST_P(AccessGolden, IsAsKept) {
  const AccessPicture& picture = GetParam();
  const auto run = record_kept(picture.kernel, picture.size);
  const AccessStory& story = *run->stories[0];
  Place selection;
  selection.warp = picture.warp, selection.access = picture.step;
  ASSERT_TRUE(story.accesses().at(picture.warp, picture.step));
  expect_golden(access_scene(*run, selection, picture.options, picture.scene, scene::FixedMeasure{}),
                picture.name);
}

INSTANTIATE_TEST_SUITE_P(
    Pictures, AccessGolden,
    testing::Values(
        AccessPicture{"access_naive", "naive", "64", 0, 2, {}},
        AccessPicture{"access_lanes", "naive", "64", 1, 3, {.colors = Colors::lanes}},
        AccessPicture{"access_shared_tile", "shared_tile", "32", 0, 7, {}},
        AccessPicture{"access_tail_whole", "shared_tile", "35,79,19", 0, 2, {.whole = true}},
        AccessPicture{
            "access_transpose_colour_blind", "tiled_transpose", "96", 1, 9, {.colors = Colors::colour_blind}},
        AccessPicture{"access_ribbon", "structure_of_arrays", "3000", 0, 2, {}, {900, 560}},
        AccessPicture{"access_tree", "interleaved", "1024", 1, 7, {}, {900, 560}},
        AccessPicture{"access_tree_shuffle", "shuffle", "4096", 0, 0, {.look = Look::stage}, {900, 560}},
        AccessPicture{"access_register_tile", "register_2d", "64", 1, 30, {}, {900, 560}},
        AccessPicture{"access_small_figure", "shared_tile", "32", 0, 7, {}, {720, 460}}),
    [](const auto& tested) { return tested.param.name; });

// The loop's own line makes no access; of the addition every second lane takes part, then every fourth.
TEST(LineGolden, IsAsKept) {
  const auto run = record_kept("interleaved", "1024");
  const auto line = [&](std::string_view text) {
    for (std::size_t l = 0; l < run->source_lines.size(); ++l)
      if (run->source_lines[l].find(text) != std::string_view::npos) return static_cast<int>(l) + 1;
    return 0;
  };
  const scene::FixedMeasure measure;
  const Place addition{.line = line("if (thread % (2 * distance) == 0)")};
  expect_golden(line_scene(*run, addition, {}, {900, 560}, measure), "access_line");
  EXPECT_EQ(line_words(*run, addition).verdict, explain::Verdict::costly);
  const Place loop{.line = line("for (int distance")};
  EXPECT_EQ(line_words(*run, loop).verdict, explain::Verdict::good);
  // Code with lanes that wait has a column of them.
  expect_golden(code_scene(*run, {.line = addition.line}, kGoldenSize, measure), "code_lanes");
}

TEST(CodeGolden, ShowsPtxOfTheMarkedLineAndTheLineOfMarkedPtx) {
  const auto run = record_kept("shared_tile", "32");
  const AccessStory& story = *run->stories[0];
  const auto access = story.accesses().at(0, 7);
  ASSERT_TRUE(access);
  const int line = line_of(*run, access->pc);
  const scene::FixedMeasure measure;
  const auto by_pc = code_scene(*run, {.pc = access->pc}, kGoldenSize, measure);
  expect_golden(by_pc, "code");
  expect_golden(code_scene(*run, {.line = line}, {720, 1000}, measure), "code_tall");
  expect_golden(code_scene(*run, {}, {720, 460}, measure), "code_small");
}

TEST(BankMapGolden, IsAsKept) {
  const auto run = record_kept("tiled_transpose", "64");
  const BlockAccesses& accesses = run->stories[0]->accesses();
  const BankMap map = bank_map_of(*run, 0);
  ASSERT_EQ(map.arrays.size(), 1u);
  EXPECT_EQ(map.arrays[0].name, "tile");
  EXPECT_EQ(map.arrays[0].row_words, 33);
  EXPECT_EQ(map.arrays[0].rows, SharedArray::Rows::declared);
  expect_golden(bank_map_scene(*run, map, kGoldenSize, scene::FixedMeasure{}), "bank_map");
  const auto step = nearest_access(accesses, 0, 0, ptx::Space::shared);
  ASSERT_TRUE(step);
  expect_golden(bank_map_scene(*run, map, kGoldenSize, scene::FixedMeasure{}, accesses.at(0, *step)),
                "bank_map_access");
}

TEST(BankMapGolden, SaysWhereThereIsNoSharedMemory) {
  const auto run = record_kept("naive", "32");
  const BankMap map = bank_map_of(*run, 0);
  expect_golden(bank_map_scene(*run, map, {720, 460}, scene::FixedMeasure{}), "bank_map_none");
}

PerformanceInput performance() {
  PerformanceInput input{
      .title = "matmul",
      .device = "a device of the test",
      .roofline = device::Roofline{
          .peak_gflops = 60'000, .memory_gb_per_s = 3'000, .l1_gb_per_s = 30'000, .shared_giga_per_s = 240}};
  const std::tuple<std::string, std::string, double, double, double> steps[] = {
      {"matmul/01_naive", "Naive", 600, 1.2e9, 0},
      {"matmul/02_coalesced", "Coalesced", 4'200, 2e8, 0},
      {"matmul/03_shared_tile", "Shared-memory tiling", 6'100, 1.3e7, 7e6}};
  for (const double size : {512.0, 1024.0, 2048.0})
    for (const auto& [id, title, speed, bytes, wavefronts] : steps)
      input.points.push_back({.step = title,
                              .id = id,
                              .size = size,
                              .recorded = MeasuredSpeed{speed * (1 - 100 / size), "measured in a test"},
                              .work = 2 * 512.0 * 512 * 512,
                              .bytes = bytes,
                              .wavefronts = wavefronts,
                              .least_bytes = 3 * 4 * 512.0 * 512});
  return input;
}
PerformanceInput one_size(PerformanceInput input) {
  input.points.resize(3);
  return input;
}

TEST(PerformanceGolden, Ladder) {
  PerformanceInput input = one_size(performance());
  input.chosen = "matmul/02_coalesced";
  expect_golden(plot::plot_scene(ladder_plot(input), kGoldenSize, scene::FixedMeasure{}), "ladder");
  for (auto& point : input.points) point.recorded.reset();
  expect_golden(plot::plot_scene(ladder_plot(input), kGoldenSize, scene::FixedMeasure{}), "ladder_modelled");
}

TEST(PerformanceGolden, SizeCurve) {
  expect_golden(plot::plot_scene(size_plot(performance()), kGoldenSize, scene::FixedMeasure{}), "size_curve");
}

TEST(PerformanceGolden, Roofline) {
  PerformanceInput input = one_size(performance());
  input.chosen = "matmul/02_coalesced";
  const auto plot = roofline_plot(input);
  expect_golden(plot::plot_scene(plot, kGoldenSize, scene::FixedMeasure{}), "roofline");
}

TEST(OccupancyGolden, OfANewChip) {
  const OccupancyInput input{run::h100(), {256, 96, 33 * 1024}, "A register tile per thread"};
  const auto scene = occupancy_scene(input, kGoldenSize, scene::FixedMeasure{});
  ASSERT_TRUE(scene);
  expect_golden(*scene, "occupancy_9_0");
}

}  // namespace
}  // namespace warplens::figures
