// The sentences of every kernel of the repository, as a file to be proofread, and what makes them change.
#include "engine/explain/explain.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <set>

#include "engine/base/whole_file.hpp"
#include "engine/run/testing/run_support.hpp"

namespace warplens::explain {
namespace {

run::SharedRun record(const catalog::KernelSpec& spec, const catalog::Values& chosen = {},
                      const catalog::Values& sizes = {}) {
  const auto job = run::job_of(spec, chosen, sizes);
  if (!job) return nullptr;
  const auto execution = run::execute(*job, {.record = 0});
  return execution ? *run::tabulate(*job, *execution) : nullptr;
}
run::SharedRun record(std::string_view id, const catalog::Values& chosen = {},
                      const catalog::Values& sizes = {}) {
  return record(*run::kernels().find(id), chosen, sizes);
}

Explanation opening(const run::Run& run) {
  return explain(*facts_at(run, {0, 0, opening_access(run, 0, 0)}));
}

std::string words(const Explanation& said) {
  const char* verdict = said.verdict == Verdict::good     ? "good"
                        : said.verdict == Verdict::costly ? "costly"
                                                          : "neutral";
  return fmt::format("[{}, {}]\n    what  {}\n    why   {}\n    fix   {}\n", said.rule, verdict, said.what,
                     said.why, said.fix);
}

// What is said of a kernel: as it opens, of each other instruction whose first access is told otherwise, and
// as a whole.
std::string sentences(const run::Run& run) {
  const Facts first = *facts_at(run, {0, 0, opening_access(run, 0, 0)});
  std::string text = fmt::format("{}\n  opens on {}, line {} {}", run.plan().spec.id, first.array,
                                 run.kernel_lines[first.access.pc], words(explain(first)));
  std::set<std::string> said = {words(explain(first))};
  const auto events = run.stories[0]->accesses().of_warp(0);
  std::set<std::uint32_t> pcs;
  for (std::uint32_t access = 0; access < events.size() && access < 2048; ++access) {
    const auto facts = facts_at(run, {0, 0, access});
    if (!facts || !pcs.insert(facts->access.pc).second) continue;
    const std::string here = words(explain(*facts));
    if (said.insert(here).second)
      text += fmt::format("  {}, line {} {}", facts->array, run.kernel_lines[facts->access.pc], here);
  }
  return text + "  the step " + words(explain(run)) + "\n";
}

TEST(Explain, SaysTheseSentencesOfEveryKernel) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  const std::string path = run::kRoot + "/engine/explain/testdata/sentences.txt";
  std::string now;
  for (const catalog::KernelSpec& spec : run::kernels().kernels()) {
    const auto run = record(spec);
    ASSERT_NE(run, nullptr) << spec.id;
    now += sentences(*run);
  }
  if (std::getenv("WARPLENS_WRITE_GOLDEN") != nullptr) std::ofstream(path) << now;
  EXPECT_EQ(now, *read_whole_file(path)) << "WARPLENS_WRITE_GOLDEN=1 writes it again; proofread it";
}

// A kernel of the repository with some of its text changed.
run::SharedRun record_changed(std::string_view id, const std::string& text, const std::string& with) {
  catalog::KernelSpec spec = *run::kernels().find(id);
  const std::size_t at = spec.code.find(text);
  EXPECT_NE(at, std::string::npos) << text;
  spec.code.replace(at, text.size(), with);
  return record(spec);
}

TEST(Explain, AChangedKernelChangesTheSentence) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  EXPECT_EQ(opening(*record("matmul/01_naive")).rule, "sector a lane");
  // Which index walks along the row.
  EXPECT_EQ(opening(*record("matmul/01_naive", {{"BLOCK_X", 1}, {"BLOCK_Y", 128}})).verdict, Verdict::good);
  const auto turned = record_changed("matmul/02_coalesced", "A[row * K + k] * B[k * N + column]",
                                     "A[row * K + k] * B[column * N + k]");
  EXPECT_EQ(opening(*turned).why, "threadIdx.x walks down the rows of B: lane + 1 is 2,048 bytes away");
  // Padding.
  EXPECT_EQ(opening(*record("transpose/02_tiled", {{"PAD", 0}})).rule, "column in one bank");
  EXPECT_EQ(opening(*record("transpose/02_tiled", {{"PAD", 1}})).verdict, Verdict::good);
  EXPECT_EQ(opening(*record("transpose/02_tiled", {{"PAD", 2}})).fix,
            "one word of padding a row, or a swizzle");
  // The stride, by its numbers.
  EXPECT_EQ(opening(*record("memory/03_strided", {{"STRIDE", 2}})).what, "8 sectors: half of each is used");
  EXPECT_EQ(opening(*record("memory/03_strided", {{"STRIDE", 4}})).what,
            "16 sectors: a quarter of each is used");
}

TEST(Explain, SaysNothingOfAWarpThatMakesNoAccess) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  const auto run = record("matmul/01_naive", {}, {{"M", 32}, {"N", 32}, {"K", 32}});
  EXPECT_EQ(opening_access(*run, 0, 40), 0u);
  EXPECT_FALSE(facts_at(*run, {0, 40, 0}));
  EXPECT_FALSE(facts_at(*run, {0, 0, 1'000'000}));
}

}  // namespace
}  // namespace warplens::explain
