// Figures of accesses to the shared memory of another block of the cluster.
#include <gtest/gtest.h>

#include <algorithm>

#include "viz/figures/access/access_marks.hpp"
#include "viz/figures/access/lane_card.hpp"
#include "viz/figures/testing/recorded_run.hpp"
#include "viz/figures/warp/bank_map.hpp"
#include "viz/figures/warp/lane_lines.hpp"

namespace warplens::figures {
namespace {

std::size_t marked(const BufferMarks& marks, std::uint8_t value) {
  std::size_t found = 0;
  marks.for_each([&](const Mark& m) { found += m.value == value ? 1 : 0; });
  return found;
}

// The lanes read and write words of the next block of the cluster.
Result<run::SharedRun> run_neighbours() {
  const auto spec =
      run::kernels().find(run::kRoot + "/engine/check/testdata/newer/right_cluster_neighbours.cu");
  if (!spec) return spec.error();
  const auto job = run::job_of(*spec, {}, {});
  if (!job) return job.error();
  return run::tabulate(*job, *run::execute(*job, {.record = 0}));
}

TEST(ClusterFigures, MarkTheWordsOfAnotherBlockAndNameIt) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  const Result<run::SharedRun> neighbours = run_neighbours();
  ASSERT_TRUE(neighbours) << neighbours.error().message;
  const run::SharedRun& run = *neighbours;
  const AccessStory& story = *run->stories[0];
  int elsewhere = 0;
  for (std::uint32_t a = 0; a < story.accesses().of_warp(0).size(); ++a) {
    const trace::Access access = *story.accesses().at(0, a);
    if (report::lanes_elsewhere(access) == 0) continue;
    ++elsewhere;
    const AccessSummary summary = summarize(*run, access, &story.faces());
    EXPECT_EQ(summary.cost, "no wavefronts");
    EXPECT_EQ(summary.detail, "shared memory of block 1 of the cluster, (1, 0, 0) of the grid");
    const auto face = story.touched_face(story.accesses().of_warp(0)[a]);
    ASSERT_TRUE(face);
    const auto marks = marks_at(story, 0, a, {});
    EXPECT_TRUE(marks[*face].now);
    EXPECT_EQ(marked(marks[*face], mark::kThread), 1u);
    EXPECT_EQ(marked(marks[*face], mark::kWarp), 31u);
  }
  EXPECT_EQ(elsewhere, 2);
}

// Banks are those of the block itself: the map has none for lines that only go elsewhere.
TEST(ClusterFigures, MapsNoBankForAnotherBlocksWords) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  const Result<run::SharedRun> neighbours = run_neighbours();
  ASSERT_TRUE(neighbours) << neighbours.error().message;
  const run::SharedRun& run = *neighbours;
  const BankMap map = bank_map_of(*run, 0);
  const auto read = std::ranges::find_if(map.lines, [](const BankMap::Line& l) { return l.wavefronts == 0; });
  ASSERT_NE(read, map.lines.end());
  EXPECT_EQ(read->array, "own");
  EXPECT_EQ(read->elsewhere, read->requests);
  EXPECT_EQ(std::ranges::count(read->words, 0), static_cast<std::ptrdiff_t>(read->words.size()));
  const std::uint32_t load = 2;  // of the warp's accesses: the first of that line
  const WarpAccessView view = view_of(*run, *run->stories[0]->accesses().at(0, load));
  EXPECT_EQ(lane_lines_caption(view), "Shared memory of block 1 of the cluster, (1, 0, 0) of the grid");
}

}  // namespace
}  // namespace warplens::figures
