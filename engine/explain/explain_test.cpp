// The sentences of every kernel of the repository, as a file to be proofread, and what makes them change.
#include "engine/explain/explain.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <set>

#include "engine/base/whole_file.hpp"
#include "engine/explain/instruction_cost.hpp"
#include "engine/explain/line_lanes.hpp"
#include "engine/explain/opening.hpp"
#include "engine/explain/reuse.hpp"
#include "engine/run/testing/run_support.hpp"
#include "engine/time/predict_run.hpp"

namespace warplens::explain {
namespace {

run::SharedRun record(const catalog::KernelSpec& spec, const catalog::Values& chosen = {},
                      const catalog::Values& sizes = {}) {
  const auto job = run::job_of(spec, chosen, sizes);
  if (!job) return nullptr;
  const auto execution = run::execute(*job, {.record = 0, .counts_only = true});
  return execution ? *run::tabulate(*job, *execution) : nullptr;
}
// Products and sums of a size at which they take a moment: what is tested here is the same at any.
catalog::Values small_sizes(const catalog::KernelSpec& spec) {
  catalog::Values sizes = (*problem::find_problem(spec))->default_sizes();
  const bool is_product = sizes.contains("M");
  for (auto& [name, size] : sizes) size = std::min<std::int64_t>(size, is_product ? 512 : 1 << 20);
  return sizes;
}
run::SharedRun record(std::string_view id, const catalog::Values& chosen = {},
                      const catalog::Values& sizes = {}) {
  const catalog::KernelSpec spec = *run::kernels().find(id);
  return record(spec, chosen, sizes.empty() ? small_sizes(spec) : sizes);
}

Explanation opening(const run::Run& run) {
  return explain(*facts_at(run, {0, 0, opening_access(run, 0, 0)}));
}

// Of the first access of warp 0 that it is said of.
Explanation of_rule(const run::Run& run, RuleId rule) {
  for (std::uint32_t access = 0;; ++access) {
    const auto facts = facts_at(run, {0, 0, access});
    if (!facts) return {};
    if (Explanation said = explain(*facts); said.rule == rule) return said;
  }
}

std::string words(const Explanation& said) {
  const char* verdict = said.verdict == Verdict::good     ? "good"
                        : said.verdict == Verdict::costly ? "costly"
                                                          : "neutral";
  return fmt::format("[{}, {}]\n    what  {}\n    why   {}\n    fix   {}\n", name(said.rule), verdict,
                     said.what, said.why, said.fix);
}

// What it costs, and what it is for where that is something else.
std::string words(const Facts& facts) {
  const Explanation cost = explain(facts), use = explain_use(facts);
  return words(cost) + (use.rule == cost.rule ? "" : "    for   " + words(use));
}

// What is said of a kernel: as it opens, of each other instruction whose first access is told otherwise, and
// as a whole.
std::string sentences(const run::Run& run) {
  const std::uint32_t warp = opening_warp(run, 0);
  const Opening opens = opening_of(run, 0, warp);
  std::string text = run.plan().spec.id + "\n";
  const auto opened = facts_at(run, {0, warp, opens.access});
  if (!opened) return text + "  no access\n  the step " + words(explain(run)) + "\n";
  const Facts& first = *opened;
  if (opens.line > 0)
    text += fmt::format("  opens on line {} {}", opens.line,
                        words(explain_line(run, lanes_at_line(run, 0, warp, opens.line))));
  text += fmt::format("  {}{}, line {} {}", opens.line > 0 ? "" : "opens on ", first.array,
                      run.kernel_lines[first.access.pc], words(first));
  std::set<std::string> said = {words(first)};
  const auto events = run.stories[0]->accesses().of_warp(warp);
  std::set<std::uint32_t> pcs;
  for (std::uint32_t access = 0; access < events.size() && access < 2048; ++access) {
    const auto facts = facts_at(run, {0, warp, access});
    if (!facts || !pcs.insert(facts->access.pc).second) continue;
    const std::string here = words(*facts);
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
  return record(spec, {}, small_sizes(spec));
}

// right_cluster_neighbours: clusters of 4 blocks; block 0 reads the shared memory of block 1, and writes it.
TEST(Explain, NamesTheBlockWhoseSharedMemoryIsRead) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  const auto spec =
      run::kernels().find(run::kRoot + "/engine/check/testdata/newer/right_cluster_neighbours.cu");
  ASSERT_TRUE(spec) << spec.error().message;
  const auto run = record(*spec);
  ASSERT_NE(run, nullptr);
  std::vector<std::string> said;
  for (std::uint32_t a = 0; a < run->stories[0]->accesses().of_warp(0).size(); ++a) {
    const auto facts = facts_at(*run, {0, 0, a});
    if (!facts || facts->pieces.elsewhere == 0) continue;
    EXPECT_EQ(facts->pieces.elsewhere, ~0u);
    EXPECT_EQ(facts->pieces.units, 0);
    EXPECT_TRUE(facts->pieces.shared.wavefronts.empty());
    ASSERT_NE(facts->face, nullptr);
    const Explanation words = explain(*facts);
    said.push_back(facts->array + ": " + words.what + "; " + words.why);
  }
  const std::string block = "block 1 of the cluster, (1, 0, 0) of the grid";
  EXPECT_EQ(
      said,
      (std::vector<std::string>{
          "own: 32 lanes read shared memory of other blocks: no wavefronts; they use own of " + block,
          "given: 32 lanes write shared memory of other blocks: no wavefronts; they use given of " + block}));
}

TEST(Explain, AChangedKernelChangesTheSentence) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  EXPECT_EQ(opening(*record("matmul/01_naive")).rule, RuleId::sector_a_lane);
  // Which index walks along the row.
  EXPECT_EQ(opening(*record("matmul/01_naive", {{"BLOCK_X", 1}, {"BLOCK_Y", 128}})).verdict, Verdict::good);
  const auto turned = record_changed("matmul/02_coalesced", "A[row * K + k] * B[k * N + column]",
                                     "A[row * K + k] * B[column * N + k]");
  EXPECT_EQ(opening(*turned).why, "threadIdx.x walks down the rows of B: the next lane is 2,048 bytes away");
  // Padding.
  EXPECT_EQ(opening(*record("transpose/02_tiled", {{"PAD", 0}})).rule, RuleId::column_in_one_bank);
  EXPECT_EQ(opening(*record("transpose/02_tiled", {{"PAD", 1}})).verdict, Verdict::good);
  EXPECT_EQ(opening(*record("transpose/02_tiled", {{"PAD", 2}})).fix,
            "one word of padding a row, or a swizzle");
  // Lanes that meet within one row are moved by no padding of rows, but by words that are skipped within it.
  EXPECT_EQ(of_rule(*record("matmul/05_register_2d"), RuleId::bank_stride).fix,
            "give neighbouring lanes neighbouring words, or skip some words after a row of banks");
  // The stride, by its numbers.
  EXPECT_EQ(opening(*record("memory/03_strided", {{"STRIDE", 2}})).what, "8 sectors: half of each is used");
  EXPECT_EQ(opening(*record("memory/03_strided", {{"STRIDE", 4}})).what,
            "16 sectors: a quarter of each is used");
}

TEST(Explain, StagingIsWhatWouldAskGlobalMemoryForMore) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  const std::string parts = "arrived[3 * thread + c]";
  EXPECT_EQ(opening(*record("memory/07_float3_staged")).rule, RuleId::staged);
  EXPECT_NE(opening(*record_changed("memory/07_float3_staged", parts, "arrived[thread + c]")).rule,
            RuleId::staged);
  // Global memory that is not read in order is not what shared memory is for.
  const auto scattered =
      record_changed("memory/07_float3_staged", "const int i = first + c * BLOCK + thread;\n    arrived",
                     "const int i = first + 3 * thread + c;\n    arrived");
  EXPECT_NE(opening(*scattered).rule, RuleId::staged);
}

// What a step does well is told by its own numbers too.
TEST(Explain, AChangedKernelChangesWhatItDoesWell) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  EXPECT_EQ(opening(*record("reduction/03_sequential")).what, "4 of 8 warps have nothing to add");
  const Explanation few = opening(*record("reduction/03_sequential", {{"BLOCK", 128}}));
  EXPECT_EQ(few.what, "2 of 4 warps have nothing to add");
  EXPECT_EQ(few.why, "the first 64 threads add the rest, without bank conflicts");
  const catalog::Values blocks{{"BLOCK", 256}, {"BLOCKS", 264}}, size{{"N", 4 * 264 * 256}};
  const auto first = [](const run::SharedRun& run) { return explain(*facts_at(*run, {0, 0, 0})).what; };
  EXPECT_EQ(first(record("reduction/07_grid_stride", blocks, size)),
            "a thread reads 4 elements, one grid apart");
  const auto once =
      record_changed("reduction/07_grid_stride", "i += BLOCKS * BLOCK", "i += 3u * BLOCKS * BLOCK");
  EXPECT_EQ(first(once), "a thread reads 3 elements, 3 grids apart");
  const auto tile = record("minplus/04_v2", {{"TM", 4}});
  EXPECT_EQ(explain(*facts_at(*tile, {0, 0, opening_access(*tile, 0, 0)})).what,
            "12 loads serve 32 elements of r in a thread");
}

// A line without accesses is told by the lanes that execute it.
TEST(Explain, SaysWhichLanesOfALineWork) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  const auto run = record("reduction/01_interleaved", {{"BLOCK", 256}}, {{"N", 4096}});
  ASSERT_NE(run, nullptr);
  const auto line_of = [&](std::string_view text) {
    for (std::size_t l = 0; l < run->source_lines.size(); ++l)
      if (run->source_lines[l].find(text) != std::string_view::npos) return static_cast<int>(l) + 1;
    return 0;
  };
  const int test = line_of("if (thread % (2 * distance) == 0)"), loop = line_of("for (int distance");
  EXPECT_EQ(line_of_most_idle(*run), test);
  const LineLanes lanes = lanes_at_line(*run, 0, 0, test);
  ASSERT_EQ(lanes.turns.size(), 8u);
  EXPECT_EQ(lanes.turns[0], 0x55555555u);
  EXPECT_EQ(lanes.turns[1], 0x11111111u);
  EXPECT_EQ(lanes.turns[7], 1u);
  EXPECT_EQ(explain(lanes).why, "threads with thread % (2 * distance) == 0 take part");
  EXPECT_EQ(explain(lanes).verdict, Verdict::costly);
  EXPECT_EQ(explain(lanes_at_line(*run, 0, 0, loop)).what,
            fmt::format("32 of 32 lanes work at line {}", loop));
  EXPECT_TRUE(lanes_at_line(*run, 0, 0, 1).turns.empty());
  // Where all lanes do the same nobody looked at them one by one.
  const auto copy = record("memory/01_coalesced", {}, {{"N", 4096}});
  ASSERT_NE(copy, nullptr);
  EXPECT_EQ(copy->lanes, nullptr);
  EXPECT_EQ(line_of_most_idle(*copy), 0);
}

// The point of a step: not a little waste at an edge, but the whole; and where nothing is wasted, the trick.
TEST(Explain, OpensOnThePointOfAStep) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  EXPECT_EQ(opening(*record("memory/06_structure_of_arrays")).rule, RuleId::coalesced);
  EXPECT_EQ(opening(*record("memory/02_offset")).rule, RuleId::misaligned);
  EXPECT_EQ(opening(*record("transpose/02_tiled")).rule, RuleId::padded_column);
  for (const char* id : {"transpose/03_swizzled", "transpose/05_diagonal"}) {
    const auto run = record(id);
    EXPECT_EQ(facts_at(*run, {0, 0, opening_access(*run, 0, 0)})->array, "tile") << id;
  }
}

TEST(Explain, SaysNothingOfAWarpThatMakesNoAccess) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  const auto run = record("matmul/01_naive", {}, {{"M", 32}, {"N", 32}, {"K", 32}});
  EXPECT_EQ(opening_access(*run, 0, 40), 0u);
  EXPECT_FALSE(facts_at(*run, {0, 40, 0}));
  EXPECT_FALSE(facts_at(*run, {0, 0, 1'000'000}));
}

// Where nothing is wasted a step opens on what it has and the one before it has not.
TEST(Explain, OpensOnWhatIsNew) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  struct Step {
    const char *id, *before, *array;
  };
  for (const auto& [id, before, array] :
       {Step{"ncsa/02_k2", "ncsa/01_k1", "cb"},                           // an array in shared memory
        Step{"ncsa/04_k4", "ncsa/03_k3", "b"},                            // global memory, as its idea says
        Step{"reduction/04_first_add", "reduction/03_sequential", "in"},  // the line that is new
        Step{"reduction/06_shuffle", "reduction/05_last_warp", "partial"},
        // What is kept in a register, not what is read as often as it is used.
        Step{"matmul/04_register_1d", "matmul/03_shared_tile", "B_tile"},
        Step{"ncsa/05_k3k4", "ncsa/04_k4", "b"},
        Step{"matmul/08_double_buffer", "matmul/07_conflict_free", "A"},       // global memory again
        Step{"matmul/10_async_pipeline", "matmul/09_warp_tile", "A_tile"}}) {  // cp.async
    const auto run = record(id);
    ASSERT_NE(run, nullptr);
    const std::string code = run::kernels().find(before)->code;
    EXPECT_EQ(facts_at(*run, {0, 0, opening_access(*run, 0, 0, code)})->array, array) << id;
  }
}

// A picture of one memory opens on one of its accesses, and that of the banks on the worst conflict.
TEST(Explain, OpensOnTheWorstConflictWhereBanksAreShown) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  for (const char* id : {"matmul/06_vectorized", "matmul/03_shared_tile", "transpose/02_tiled", "ncsa/02_k2",
                         "reduction/02_strided"}) {
    SCOPED_TRACE(id);
    const auto run = record(id);
    ASSERT_NE(run, nullptr);
    int worst = 0;
    for (std::uint32_t access = 0; access < 256; ++access)
      if (const auto facts = facts_at(*run, {0, 0, access}); facts && facts->pieces.is_shared)
        worst = std::max(worst, facts->pieces.units - facts->pieces.ideal);
    const auto banks = facts_at(*run, {0, 0, opening_of(*run, 0, 0, nullptr, ptx::Space::shared).access});
    ASSERT_TRUE(banks);
    EXPECT_TRUE(banks->pieces.is_shared);
    EXPECT_EQ(banks->pieces.units - banks->pieces.ideal, worst);
    const auto global = facts_at(*run, {0, 0, opening_of(*run, 0, 0, nullptr, ptx::Space::global).access});
    ASSERT_TRUE(global);
    EXPECT_FALSE(global->pieces.is_shared);
  }
}

Explanation use_of(const run::Run& run, std::string_view before = {}) {
  const std::string code = before.empty() ? "" : run::kernels().find(before)->code;
  return explain_use(*facts_at(run, {0, 0, opening_access(run, 0, 0, code)}));
}

// By the parameters: as many reads as the tile is wide, as many multiply-adds as a thread makes of a column.
TEST(Explain, SaysWhatALoadOfAProductIsFor) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  EXPECT_EQ(use_of(*record("matmul/03_shared_tile")).what, "each word of B_tile is read 32 times");
  EXPECT_EQ(use_of(*record("matmul/03_shared_tile", {{"TILE", 16}})).what,
            "each word of B_tile is read 16 times");
  const char* before = "matmul/03_shared_tile";
  EXPECT_EQ(use_of(*record("matmul/04_register_1d"), before).what, "a word of B_tile serves 8 multiply-adds");
  EXPECT_EQ(use_of(*record("matmul/04_register_1d", {{"TM", 16}}), before).what,
            "a word of B_tile serves 16 multiply-adds");
  EXPECT_EQ(
      use_of(*record("ncsa/05_k3k4", {{"XJ", 3}}, {{"M", 256}, {"N", 258}, {"P", 256}}), "ncsa/04_k4").what,
      "5 words serve 6 multiply-adds of a thread");
  EXPECT_EQ(use_of(*record("matmul/05_register_2d"), "matmul/04_register_1d").what,
            "16 words serve 64 multiply-adds of a thread");
  EXPECT_EQ(use_of(*record("matmul/05_register_2d", {{"TN", 4}}), "matmul/04_register_1d").what,
            "12 words serve 32 multiply-adds of a thread");
  EXPECT_EQ(use_of(*record("matmul/09_warp_tile"), "matmul/08_double_buffer").what,
            "a warp's 128 words serve 4,096 multiply-adds");
  // In shared memory without a product: words that several threads read, and some that pass through.
  EXPECT_EQ(use_of(*record("minplus/05_v3"), "minplus/04_v2").what, "each word of d_tile is read 8 times");
  EXPECT_EQ(use_of(*record("minplus/05_v3", {{"BLOCK_Y", 4}}), "minplus/04_v2").what,
            "each word of d_tile is read 4 times");
  EXPECT_EQ(use_of(*record("copies/03_within_tiles"), "copies/02_coalesced").rule, RuleId::passed_through);
  EXPECT_EQ(use_of(*record("memory/10_broadcast"), "memory/01_coalesced").rule, RuleId::shared_broadcast);
  EXPECT_EQ(use_of(*record("matmul/08_double_buffer"), "matmul/07_conflict_free").what,
            "the next tile travels while this one is multiplied");
  for (const int stages : {3, 4})
    EXPECT_EQ(use_of(*record("matmul/10_async_pipeline", {{"STAGES", stages}}), "matmul/09_warp_tile").what,
              fmt::format("{} tiles travel while one is multiplied", stages - 1));
  // One multiply-add for each element, no tile, and what wastes its wavefronts has that to say.
  EXPECT_EQ(use_of(*record("matmul/02_coalesced")).rule, RuleId::coalesced);
  EXPECT_EQ(use_of(*record("reduction/02_strided")).rule, RuleId::bank_stride);
  EXPECT_EQ(use_of(*record("transpose/02_tiled")).rule, RuleId::padded_column);
  EXPECT_EQ(use_of(*record("reduction/03_sequential")).rule, RuleId::lanes_at_the_front);
}

// What a lane brings for others of its block stays in none of its registers.
TEST(Explain, PraisesNoRegisterForWhatGoesToSharedMemory) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  const auto run = record("matmul/04_register_1d");
  const auto events = run->stories[0]->accesses().of_warp(0);
  int loads = 0;
  for (std::uint32_t access = 0; access < events.size() && access < 256; ++access) {
    const auto facts = facts_at(*run, {0, 0, access});
    if (!facts || facts->pieces.is_shared) continue;
    ++loads;
    EXPECT_NE(explain_use(*facts).rule, RuleId::register_reuse) << facts->array;
  }
  EXPECT_GT(loads, 0);
}

// Where instructions are what a step costs they are its point: how many, of what, in which line.
TEST(Explain, SaysWhatInstructionsCost) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  const auto division = record("arithmetic/03_division");
  EXPECT_EQ(explain(*division).rule, RuleId::division);
  const Opening opening = opening_of(*division, 0, 0);
  ASSERT_GT(opening.line, 0);
  EXPECT_NE(division->source_lines[static_cast<std::size_t>(opening.line - 1)].find("value / divisor"),
            std::string_view::npos);
  for (const auto& changed :
       {record_changed("arithmetic/03_division", "value / divisor", "value * divisor"),
        record_changed("arithmetic/06_accidental_double", "value * 0.984375 +", "value * 0.984375f +")})
    EXPECT_NE(explain(*changed).verdict, Verdict::costly) << name(explain(*changed).rule);
  // A copy has instructions as well, and what it costs is its accesses.
  EXPECT_EQ(opening_of(*record("memory/01_coalesced"), 0, 0).line, 0);
  EXPECT_EQ(opening_of(*record("matmul/01_naive"), 0, 0).line, 0);
}

// Nothing is green where the next step of a ladder executes much less.
TEST(Explain, NothingToFixIsSaidOfNoStepThatTheNextOneShortens) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  constexpr double much = 0.6;
  double instructions = 0;
  Verdict said = Verdict::neutral;
  for (const catalog::KernelSpec& step : run::kernels().kernels()) {
    if (!step.id.starts_with("arithmetic/")) continue;
    const auto run = record(step);
    ASSERT_NE(run, nullptr) << step.id;
    const InstructionCost cost = instruction_cost(*run);
    const double now = cost.a_thread(cost.total.all.instructions);
    EXPECT_TRUE(now >= much * instructions || said != Verdict::good) << "before " << step.id;
    instructions = now, said = explain(*run).verdict;
    EXPECT_GT(opening_of(*run, 0, 0).line, 0) << step.id;
  }
}

// What TMA and wgmma do is the point of these steps, and no access of a lane shows it.
TEST(Explain, OpensOnTheRolesOfWarpGroups) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  const auto opens = [](const char* id) {
    const auto run = record(id, {}, {{"M", 512}, {"N", 512}, {"K", 512}});
    EXPECT_NE(run, nullptr) << id;
    const std::uint32_t warp = opening_warp(*run, 0);
    const Opening opening = opening_of(*run, 0, warp);
    EXPECT_GT(opening.line, 0) << id;
    const Explanation said = explain_line(*run, lanes_at_line(*run, 0, warp, opening.line));
    return fmt::format("{}; {}", said.what, said.why);
  };
  EXPECT_EQ(
      opens("tensor/09_wgmma_tma"),
      "1 thread has tiles copied, 128 multiply them; 16 boxes by TMA, which wgmma reads in shared memory: no "
      "lane loads them");
  EXPECT_EQ(opens("tensor/10_larger_tile"),
            "a number that is copied serves 64 multiply-adds; 64 products of the warp group with 16 boxes");
  EXPECT_EQ(opens("tensor/11_producer_consumer"),
            "1 thread copies, 128 others multiply; 16 boxes and 64 products of a warp group, which meet at "
            "barriers "
            "in shared memory");
  EXPECT_EQ(opens("tensor/12_two_consumers"),
            "1 thread copies, 256 multiply; setmaxnreg: 240 registers for who multiplies, 24 for who copies");
  EXPECT_EQ(opens("tensor/13_persistent"),
            "a block takes 1 tile of C at this size; with more tiles than 8 blocks it would go on with the "
            "next one");
  EXPECT_EQ(
      opens("tensor/14_bare_barriers"),
      "3 arrivals for a stage that is filled; a thread arrives for its role, and phases are waited for by "
      "their parity");
  EXPECT_EQ(
      opens("tensor/15_cluster_multicast"),
      "a tile that is copied once arrives in 2 blocks; a number that is copied serves 85.3 multiply-adds");
  EXPECT_EQ(opens("tensor/16_tma_store"),
            "no thread stores to global memory: 2 boxes by TMA; 2 threads have them taken out of shared "
            "memory, and "
            "stores are waited for before their tile is written again");
}

// Tiles that travel while others are multiplied are waited for all the same, by the model: of waiting nothing is said.
TEST(Explain, NothingIsSaidOfWaitingWhereWarpsWaitForATile) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  for (const char* id : {"matmul/08_double_buffer", "matmul/10_async_pipeline"}) {
    const auto run = record(id);
    ASSERT_NE(run, nullptr) << id;
    const auto predicted = time::predict(*run);
    ASSERT_TRUE(predicted) << to_line(predicted.error());
    const auto share = [&](time::Stall stall) { return predicted->stalls[static_cast<std::size_t>(stall)]; };
    EXPECT_GT(share(time::Stall::barrier) + share(time::Stall::long_scoreboard), 0.05) << id;
    bool is_said = false;
    for (std::uint32_t access = 0; const auto facts = facts_at(*run, {0, 0, access}); ++access) {
      const Explanation use = explain_use(*facts);
      is_said |= use.rule == RuleId::tiles_under_way;
      for (const std::string& text : {use.what, use.why, use.fix, explain(*facts).fix})
        for (const char* word : {"nobody", "no one", "waits for a tile", "barrier"})
          EXPECT_EQ(text.find(word), std::string::npos) << id << ": " << text;
    }
    EXPECT_TRUE(is_said) << id;
  }
}

// The step that a cost leads to has clearly less of what is named, by the counts of both.
TEST(Explain, NamesACostThatOtherStepsCanBeAskedFor) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  const auto tile = record("matmul/05_register_2d");
  EXPECT_EQ(opening(*record("reduction/02_strided")).cost, CostKind::wasted_load_wavefronts);
  EXPECT_EQ(explain(*record("matmul/01_naive")).cost, CostKind::wasted_sectors);
  EXPECT_EQ(explain(*record("arithmetic/03_division")).cost, CostKind::instructions);
  EXPECT_EQ(explain(*record("memory/01_coalesced")).cost, CostKind::none);
  const auto count = [](const char* id) { return run::step_count(*record(id)); };
  const auto coalesced = count("memory/01_coalesced"), strided = count("memory/03_strided");
  EXPECT_TRUE(removes(coalesced, strided, CostKind::sectors));
  EXPECT_FALSE(removes(strided, coalesced, CostKind::sectors));
  EXPECT_FALSE(removes(coalesced, coalesced, CostKind::sectors));
  EXPECT_FALSE(removes(coalesced, strided, CostKind::none));
  const auto stores = run::step_count(*tile), vectors = count("matmul/06_vectorized");
  EXPECT_TRUE(removes(vectors, stores, CostKind::wasted_store_sectors));
  EXPECT_FALSE(removes(vectors, stores, CostKind::wasted_load_wavefronts));
  // Another problem has another cost.
  EXPECT_FALSE(removes(coalesced, stores, CostKind::sectors));
}

// Exchanging the indices of a transpose moves the trouble to the other matrix; of a product it mends both.
TEST(Explain, ACureThatHarmsAnotherArrayIsNone) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  EXPECT_EQ(opening(*record("transpose/01_naive")).fix,
            "a tile in shared memory, filled and emptied along rows");
  EXPECT_EQ(opening(*record("matmul/01_naive")).fix, "let threadIdx.x walk along the row");
}

// No element is read 264 times where one matrix is read 16 times and the other one 512.
TEST(Explain, ReadsAreThoseOfEachArray) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  EXPECT_EQ(explain(*record("matmul/02_coalesced", {}, {{"M", 512}, {"N", 512}, {"K", 512}})).what,
            "warps read an element of B 512 times on average, of A 16");
  EXPECT_EQ(explain(*record("matmul/02_coalesced", {}, {{"M", 1024}, {"N", 256}, {"K", 64}})).what,
            "warps read an element of B 1,024 times on average, of A 8");
  EXPECT_EQ(explain(*record("minplus/03_v1", {}, {{"N", 512}})).what,
            "warps read an element of d 288 times on average");
}

// Of what no thread changes volatile keeps nothing but registers; of what one changes it is how others see that.
TEST(Explain, VolatileReadsOfWhatNobodyChangesAreInVain) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  const auto said_of = [](const std::string& in, const std::string& sum) {
    auto spec = *run::kernels().find("memory/01_coalesced");
    const std::size_t at = spec.code.find("extern \"C\"");
    spec.code.replace(at, std::string::npos,
                      "extern \"C\" __global__ void kernel(" + in +
                          " in, float* out, int N) {\n"
                          "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i >= N) return;\n"
                          "  float sum = 0;\n  for (int k = 0; k < 8; ++k) sum += " +
                          sum +
                          ";\n"
                          "  out[i] = sum / 8;\n}\n");
    return explain(*record(spec, {}, {{"N", 1 << 16}}));
  };
  const Explanation in_vain = said_of("volatile const float*", "in[i]");
  EXPECT_EQ(in_vain.what, "warps read an element of in 8 times on average");
  EXPECT_EQ(in_vain.fix, "load it once into a variable: volatile is neither a fence nor an atomic");
  EXPECT_EQ(said_of("const float*", "in[i]").fix.find("volatile"), std::string::npos);
  EXPECT_EQ(said_of("volatile float*", "in[i], in[i] = in[i]").fix.find("volatile"), std::string::npos)
      << "somebody may change it";
}

// What is kept in a register and what comes from shared memory is said of one step without contradiction.
TEST(Explain, LoadsOfSharedMemoryAreThoseOfAWarp) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  const Explanation said =
      explain(*record("filipovic/04_several_results", {}, {{"M", 512}, {"N", 512}, {"K", 512}}));
  EXPECT_EQ(said.what, "a warp needs 1 shared wavefront for a multiply-add");
  EXPECT_EQ(said.why, "a lane loads 1.5 words of shared memory for a product");
}

TEST(Explain, AThreadReadsWhatAllItsLoadsRead) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  EXPECT_EQ(opening(*record("harris/07_many_additions")).what,
            "a thread reads 32 elements in 16 turns, 2 grids apart");
}

// The first row is the only one that starts on a sector: the whole array counts.
TEST(Explain, NothingToFixIsSaidOfAllThatALineDoes) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  const auto rows = record("layout/05_rows_end_to_end");
  EXPECT_EQ(opening(*rows).rule, RuleId::misaligned);
  const Explanation first = explain(*facts_at(*rows, {0, 0, 0}));
  EXPECT_EQ(first.rule, RuleId::coalesced);
  EXPECT_TRUE(first.fix.starts_with("nothing here; line ")) << first.fix;
  EXPECT_EQ(explain(*facts_at(*record("layout/06_pitched_rows"), {0, 0, 0})).fix, "nothing to fix");
}

TEST(Explain, ADescendingIndexReadsTheElementBefore) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  EXPECT_EQ(opening(*record_changed("memory/01_coalesced", "= in[i];", "= in[N - 1 - i];")).why,
            "the next lane reads the previous element of in");
  const auto tile =
      record_changed("copies/03_within_tiles", "tile[ty + r][tx];", "tile[ty + r][TILE - 1 - tx];");
  std::set<std::string> said;
  for (std::uint32_t access = 0; access < tile->stories[0]->accesses().of_warp(0).size(); ++access)
    if (const auto facts = facts_at(*tile, {0, 0, access})) said.insert(explain(*facts).why);
  EXPECT_TRUE(said.contains("the next lane reads the previous word of tile, in the previous bank"));
}

TEST(Explain, TheErrorOfAFunctionIsThatOfNvidiasTable) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  EXPECT_EQ(explain(*record("arithmetic/14_sine")).why,
            "a long sequence of instructions: its error is at most 2 ulp");
}

// Lanes that share words need fewer sectors than 32 lanes with words of their own.
TEST(Explain, TheLeastIsThatForTheBytesAsked) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  EXPECT_EQ(opening(*record("minplus/03_v1")).what, "2 sectors: the least for 64 bytes");
}

// A step that reads shared memory is not told to.
TEST(Explain, AdvisesNothingThatTheStepDoes) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  for (const char* id : {"ncsa/02_k2", "ncsa/03_k3"})
    EXPECT_EQ(explain(*record(id)).fix.find("in shared memory"), std::string::npos) << id;
}

}  // namespace
}  // namespace warplens::explain
