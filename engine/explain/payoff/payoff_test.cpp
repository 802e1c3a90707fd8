#include "engine/explain/payoff/payoff.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/explain/line_lanes.hpp"
#include "engine/explain/opening.hpp"
#include "engine/explain/payoff/other_way.hpp"
#include "engine/run/testing/run_support.hpp"

namespace warplens::explain {
namespace {

class PayoffTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  }
  run::SharedRun run(std::string_view id, std::int64_t size = 0) {
    return run_text(*run::kernels().find(id), size);
  }
  run::SharedRun run_text(const catalog::KernelSpec& spec, std::int64_t size,
                          const catalog::Values& parameters = {}) {
    catalog::Values sizes;
    if (size > 0)
      for (const auto& name : (*problem::find_problem(spec))->size_names()) sizes[name] = size;
    auto run =
        runner_.run({.spec = spec, .parameters = parameters, .sizes = sizes, .device = run::h100()}, go_on_);
    EXPECT_TRUE(run) << to_line(run.error());
    return run ? *run : nullptr;
  }
  // Of the access on which it opens, with the fix only where it pays.
  Explanation opening(std::string_view id, std::int64_t size = 0) { return opening_of_run(run(id, size)); }
  Explanation opening_of_run(const run::SharedRun& one) {
    const auto facts = facts_at(*one, {0, 0, opening_access(*one, 0, 0)});
    const SharedPayoffs payoffs = payoffs_of(*one, &sides_);
    EXPECT_NE(payoffs, nullptr);
    return that_pays(explain(*facts), payoffs.get(), &*facts);
  }

  run::Runner runner_{compile::Compiler({.library = {}, .cache_folder = test_cache_path()})};
  Sides sides_{runner_};
  const std::atomic<bool> go_on_ = false;
};

TEST_F(PayoffTest, WhatIsNotKnownYetIsNotProposed) {
  const run::SharedRun naive = run("matmul/01_naive", 128);
  const auto facts = facts_at(*naive, {0, 0, opening_access(*naive, 0, 0)});
  const Explanation said = explain(*facts);
  ASSERT_FALSE(said.fix.empty());
  EXPECT_EQ(that_pays(said, nullptr, &*facts).fix, "");
  EXPECT_EQ(that_pays(said, nullptr, &*facts).verdict, Verdict::costly);
}

// Points of three floats: their three loads share sectors, which pass once. Without waste these still do.
TEST_F(PayoffTest, NoAccessSavesBytesThatTheProblemNeeds) {
  const run::SharedRun points = run("memory/05_float3", 1 << 24);
  const SharedPayoffs payoffs = payoffs_of(*points);
  const double saved = *payoffs->of_costs[static_cast<std::size_t>(CostKind::wasted_sectors)];
  const double at_least = points->job->instance->least_bytes() / (run::h100().memory_gb_per_s * 1e9);
  EXPECT_GT(saved, 0.05);
  EXPECT_GT((1 - saved) * payoffs->now.seconds, at_least);
}

// One field of eight is read, and nobody reads the others: without waste an eighth of the array passes.
TEST_F(PayoffTest, WhatNobodyReadsNeedNotPass) {
  const auto spec = *catalog::parse_kernel(R"cu(/*---
title   = "One field of eight"
[problem]
sizes   = { N = 1048576 }
buffers = [{ name = "in", type = "float", count = "8 * N" }, { name = "out", type = "float", count = "N" }]
check   = "out[i] == in[8 * i]"
[launch]
block   = ["256"]
grid    = ["ceil_div(N, 256)"]
---*/
extern "C" __global__ void kernel(const float* in, float* out, int N) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) out[i] = in[8 * i];
}
)cu",
                                           "field", "field.cu");
  const run::SharedRun fields = run_text(spec, 1 << 20);
  const SharedPayoffs payoffs = payoffs_of(*fields);
  EXPECT_GT(*payoffs->of_costs[static_cast<std::size_t>(CostKind::wasted_sectors)], 0.3);
}

// Naive product: with the indices exchanged A is a broadcast, and B and C are read along their rows.
TEST_F(PayoffTest, AnIndexWalksAlongTheRowWhereNothingElsePaysForIt) {
  EXPECT_EQ(opening("matmul/01_naive").fix, "let threadIdx.x walk along the row");
}

// Naive transpose: either index walks down rows on one side, so that to exchange them gains nothing.
TEST_F(PayoffTest, ACureThatMovesTheTroubleElsewhereIsNone) {
  const Explanation said = opening("transpose/01_naive");
  EXPECT_TRUE(said.fix.starts_with("a tile in shared memory")) << said.fix;
  EXPECT_FALSE(said.is_free);
}

// Blocks that are one thread wide: their shape is the cure, and that was predicted.
TEST_F(PayoffTest, AnotherShapeOfTheBlockIsTried) {
  EXPECT_TRUE(opening("filipovic/01_naive_1x128").fix.starts_with("blocks of 128 × 1 threads"))
      << opening("filipovic/01_naive_1x128").fix;
}

// Bank conflicts behind the starts of very many blocks.
TEST_F(PayoffTest, WhatCostsNothingIsSaidToCostNothing) {
  const Explanation said =
      opening_of_run(run_text(*run::kernels().find("memory/09_bank_conflicts"), 0, {{"BLOCK", 64}}));
  EXPECT_TRUE(said.fix.starts_with("costs nothing here: handing blocks to the SMs takes ")) << said.fix;
  EXPECT_TRUE(said.is_free);
  EXPECT_NE(said.verdict, Verdict::costly);
  // Where the conflicts are what takes the time, the padding is proposed.
  EXPECT_EQ(opening("memory/09_bank_conflicts").verdict, Verdict::costly);
  EXPECT_EQ(opening("memory/09_bank_conflicts").fix.find("costs nothing"), std::string::npos);
  EXPECT_EQ(opening("filipovic/05_b_turned").fix.find("costs nothing"), std::string::npos);
  EXPECT_FALSE(opening("filipovic/05_b_turned").fix.empty());
}

// Warps that are done take issue slots all the same: what they cost is said by the model.
TEST_F(PayoffTest, IdleWarpsAreNotSaidToBeFreeWithoutAReason) {
  const run::SharedRun one = run("harris/03_sequential");
  Explanation front;
  front.rule = RuleId::lanes_at_the_front, front.verdict = Verdict::good, front.fix = "nothing lost";
  EXPECT_TRUE(
      that_pays(front, payoffs_of(*one).get()).fix.starts_with("costs nothing here: atomics at one address"));
  // Where instructions fill about as much, they are a part of what holds it.
  Payoffs also = *payoffs_of(*one);
  also.now.units.issue = 0.67;
  EXPECT_EQ(that_pays(front, &also).fix, "");
  // Where the atomics leave some of the time, the idle warps may be that.
  Payoffs most = *payoffs_of(*one);
  most.now.same_address = 0.84;
  EXPECT_EQ(that_pays(front, &most).fix, "");
  // Lanes that wait are others than these warps, all of whose lanes go on: what they cost says nothing of them.
  Payoffs slow;
  slow.of_costs[static_cast<std::size_t>(CostKind::idle_lanes)] = 0.4;
  EXPECT_EQ(that_pays(front, &slow).fix, "");
  EXPECT_EQ(that_pays(front, nullptr).fix, "");
}

// Fewer turns of the constant cache are proposed where it holds the kernel.
TEST_F(PayoffTest, ConstantsAreMendedWhereTheyHoldTheKernel) {
  const auto spec = catalog::parse_kernel(
      "/*---\ntitle = \"Own\"\n[problem]\nsizes = { N = 1048576 }\nbuffers = [{ name = \"out\", count = "
      "\"N\", output "
      "= true }]\nnone = \"only looked at\"\n[launch]\nblock = [256]\ngrid = [\"N / 256\"]\n---*/\n"
      "__constant__ float table[1024];\n"
      "extern \"C\" __global__ void kernel(float* out, int N) {\n"
      "  const int i = blockIdx.x * 256 + threadIdx.x;\n  out[i] = table[threadIdx.x * 33 & 1023];\n}\n",
      "own/own", "own.cu");
  ASSERT_TRUE(spec) << to_line(spec.error());
  const auto of = run_text(*spec, 0);
  ASSERT_NE(of, nullptr);
  Payoffs payoffs = *payoffs_of(*of);
  const Explanation said = that_pays(explain(*of), &payoffs);
  EXPECT_EQ(said.rule, RuleId::constant_turns) << said.what;
  EXPECT_NE(said.why.find("the constant cache is busy"), std::string::npos) << said.why;
  EXPECT_TRUE(said.fix.starts_with("let the whole warp ask for the same word")) << said.fix;
  payoffs.now.units.constant = 0.1;
  EXPECT_EQ(that_pays(explain(*of), &payoffs).fix, "");
  EXPECT_EQ(that_pays(explain(*of), nullptr).fix, "");
}

// What the model has a little slower without it is of all the step's waste none the less, and of no access.
TEST_F(PayoffTest, WhatGainsNothingIsOfWhatItWasCountedFor) {
  Explanation said;
  said.rule = RuleId::bank_conflicts, said.verdict = Verdict::costly, said.cost = CostKind::wasted_wavefronts;
  said.fix = "place words so that lanes of a warp use different banks";
  Payoffs payoffs;
  payoffs.of_costs[static_cast<std::size_t>(CostKind::wasted_wavefronts)] = -0.01;
  const Explanation step = that_pays(said, &payoffs);
  const auto none = std::ranges::find(step.claims, Quantity::no_gain, &Claim::quantity);
  ASSERT_NE(none, step.claims.end()) << step.fix;
  EXPECT_EQ(none->of, waste_of(CostKind::wasted_wavefronts));
}

// An SM that holds one block of 1,024 threads has no room for another one.
TEST_F(PayoffTest, ABlockThatHasNoRoomIsNoCure) {
  const auto run = runner_.run({.spec = *run::kernels().find("matmul/02_coalesced"),
                                .parameters = {{"BLOCK_X", 32}, {"BLOCK_Y", 32}},
                                .sizes = {},
                                .device = run::device_named("rtx3090")},
                               go_on_);
  ASSERT_TRUE(run) << to_line(run.error());
  const SharedPayoffs payoffs = payoffs_of(**run);
  ASSERT_NE(payoffs, nullptr);
  EXPECT_FALSE(payoffs->with_more_warps);
  EXPECT_FALSE(payoffs->with_most_warps);
}

// A line has the gain of its own lanes, not of those that wait elsewhere.
TEST_F(PayoffTest, ALineGainsWhatItsOwnLanesCost) {
  const auto of = run("reduction/01_interleaved");
  const SharedPayoffs payoffs = payoffs_of(*of);
  ASSERT_NE(payoffs, nullptr);
  const int line = line_of_most_idle(*of);
  const double own = payoffs->of_idle_lines.at(line),
               all = *payoffs->of_costs[static_cast<std::size_t>(CostKind::idle_lanes)];
  EXPECT_GT(own, kLeastGain);
  EXPECT_LE(own, all);
  Payoffs apart = *payoffs;
  apart.of_idle_lines[line] = 0.25, apart.of_costs[static_cast<std::size_t>(CostKind::idle_lanes)] = 0.75;
  const Explanation said = that_pays(explain(lanes_at_line(*of, 0, 0, line)), &apart);
  const auto gained = std::ranges::find(said.claims, Quantity::gain, &Claim::quantity);
  ASSERT_NE(gained, said.claims.end()) << said.fix;
  EXPECT_EQ(gained->number, 0.25);
  // As the whole step does, where it names who waits there: those that wait elsewhere are none of its cure.
  const Explanation step = that_pays(explain(*of), &apart);
  ASSERT_EQ(step.line, line) << step.why;
  const auto of_step = std::ranges::find(step.claims, Quantity::gain, &Claim::quantity);
  ASSERT_NE(of_step, step.claims.end()) << step.fix;
  EXPECT_EQ(of_step->number, 0.25);
  // As an access in it does.
  const auto facts = facts_at(*of, {0, 0, opening_access(*of, 0, 0)});
  ASSERT_EQ(explain(*facts).rule, RuleId::lanes_scattered);
  ASSERT_EQ(facts->line, line);
  const Explanation access = that_pays(explain(*facts), &apart, &*facts);
  const auto own_gain = std::ranges::find(access.claims, Quantity::gain, &Claim::quantity);
  ASSERT_NE(own_gain, access.claims.end()) << access.fix;
  EXPECT_EQ(own_gain->number, 0.25);
}

// All of the waste of the accesses gains at least what that of one of them does, and less than all the time.
TEST_F(PayoffTest, GainsAreSharesOfTheTime) {
  const SharedPayoffs payoffs = payoffs_of(*run("matmul/01_naive"));
  ASSERT_NE(payoffs, nullptr);
  const double all = *payoffs->of_costs[static_cast<std::size_t>(CostKind::wasted_sectors)];
  EXPECT_GT(all, 0.5);
  EXPECT_LT(all, 1);
  for (const auto& [pc, access] : payoffs->accesses) {
    EXPECT_LE(access.gain, all + 0.02) << pc;
    EXPECT_GE(access.share.value_or(1), access.gain - 0.02) << pc;
    EXPECT_LT(access.share.value_or(0), 1) << pc;
  }
  EXPECT_FALSE(payoffs->without_spills);
}

// L1 limits it, and serves two loads for each multiply-add: nobody says that either costs nothing.
TEST_F(PayoffTest, WhatFillsTheLimitHasAShareOrNone) {
  const auto coalesced = run("matmul/02_coalesced", 2048);
  const SharedPayoffs payoffs = payoffs_of(*coalesced);
  ASSERT_NE(payoffs, nullptr);
  ASSERT_EQ(payoffs->now.limiter, "l1");
  int loads = 0;
  for (const auto& [pc, access] : payoffs->accesses) {
    if (coalesced->emulation.outcome.counters.instructions[pc].requests < 1'000'000) continue;  // of the loop
    EXPECT_GT(access.share.value_or(1), 0.02) << pc;
    ++loads;
  }
  EXPECT_GE(loads, 2);
}

TEST_F(PayoffTest, OccupancyIsAMeans) {
  for (const char* id : {"matmul/09_warp_tile", "matmul/10_async_pipeline"}) {
    const SharedPayoffs payoffs = payoffs_of(*run(id, 4096), &sides_);
    ASSERT_TRUE(payoffs && payoffs->with_more_warps) << id;
    EXPECT_LT(*payoffs->with_more_warps, kLeastGain) << id;
  }
}

TEST_F(PayoffTest, ExchangesTheIndicesOfABlock) {
  const auto product = sectors_the_other_way(*run("matmul/01_naive", 128));
  ASSERT_TRUE(product);
  EXPECT_LT(std::ranges::min_element(*product, {}, [](const auto& one) { return one.second; })->second, 0.2);
  const auto transpose = sectors_the_other_way(*run("transpose/01_naive", 128));
  ASSERT_TRUE(transpose);
  ASSERT_EQ(transpose->size(), 2u);
  EXPECT_DOUBLE_EQ(transpose->begin()->second * transpose->rbegin()->second, 1);
  EXPECT_FALSE(sectors_the_other_way(*run("memory/01_coalesced")));  // blocks have one index
}

// Four blocks walk over the whole array, each thread one grid further at each turn.
catalog::KernelSpec in_four_blocks(const std::string& stores) {
  return *catalog::parse_kernel(R"(/*---
title   = "Copy"
problem = "copy"
[launch]
block   = [256]
grid    = [4]
---*/
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x) )" +
                                    stores + "\n}\n",
                                "copy/four", "four.cu");
}

catalog::KernelSpec copy_in_four_blocks() { return in_four_blocks("out[i] = in[i];"); }

TEST_F(PayoffTest, SaysThatBlocksAreTooFewWhereMoreWouldDivideTheWork) {
  const Explanation said = opening_of_run(run_text(copy_in_four_blocks(), 1 << 20));
  EXPECT_EQ(said.fix, "128 of 132 SMs have nothing to do: launch 1,056 blocks instead of 4");
  EXPECT_EQ(said.verdict, Verdict::neutral);
  const auto gained = std::ranges::find(said.claims, Quantity::gain, &Claim::quantity);
  ASSERT_NE(gained, said.claims.end());
  EXPECT_EQ(gained->of, kOfMoreBlocks);
  EXPECT_GT(gained->number, 0.5);
}

TEST_F(PayoffTest, SaysThatAProblemIsTooSmallWhereBlocksWouldHaveNoWork) {
  for (const run::SharedRun& small :
       {run_text(copy_in_four_blocks(), 1024), run("memory/01_coalesced", 1024)}) {
    const Explanation said = opening_of_run(small);
    EXPECT_TRUE(said.fix.starts_with(
        "128 of 132 SMs have nothing to do: the problem is too small: 132 blocks like these take "))
        << said.fix;
    EXPECT_EQ(said.verdict, Verdict::neutral);
  }
}

catalog::KernelSpec of_problem(const std::string& problem, const std::string& block, const std::string& grid,
                               const std::string& code) {
  return *catalog::parse_kernel("/*---\ntitle = \"Rows\"\nproblem = \"" + problem +
                                    "\"\n[launch]\nblock = [" + block + "]\ngrid = [" + grid + "]\n---*/\n" +
                                    code,
                                "rows/own", "own.cu");
}
constexpr const char* kBlocksOfRows = "\"ceil_div(M, 256)\"";
constexpr const char* kRowsOfThreads =
    R"(extern "C" __global__ void gemv(const float* A, const float* x, float* y, int M, int N) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M) return;
  float sum = 0;
  for (int k = 0; k < N; ++k) sum += A[row * N + k] * x[k];
  y[row] = sum;
}
)";
constexpr const char* kSoftmaxOfThreads =
    R"(extern "C" __global__ void softmax(const float* in, float* out, int M, int N) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M) return;
  float most = -3.4e38f, sum = 0;
  for (int j = 0; j < N; ++j) most = fmaxf(most, in[row * N + j]);
  for (int j = 0; j < N; ++j) sum += expf(in[row * N + j] - most);
  for (int j = 0; j < N; ++j) out[row * N + j] = expf(in[row * N + j] - most) / sum;
}
)";

// Of a thread with a row to itself a tile is no cure: neither it nor more blocks of the same threads give the other SMs work.
TEST_F(PayoffTest, AThreadWithARowOfItsOwnIsToBeAWarp) {
  for (const auto& [problem, code] :
       {std::pair("gemv", kRowsOfThreads), std::pair("softmax", kSoftmaxOfThreads)}) {
    const run::SharedRun one = run_text(of_problem(problem, "256", kBlocksOfRows, code), 1000);
    const std::string fix =
        "128 of 132 SMs have nothing to do: give each row a warp, whose lanes go along it";
    EXPECT_EQ(opening_of_run(one).fix, fix) << problem;
    const SharedPayoffs payoffs = payoffs_of(*one, &sides_);
    ASSERT_NE(payoffs, nullptr);
    EXPECT_FALSE(pays(payoffs->with_more_blocks)) << "they would find no rows";
    EXPECT_EQ(that_pays(explain(*one), payoffs.get()).fix, fix) << "the step " << problem;
  }
}

TEST_F(PayoffTest, AThreadWithARowOfItsOwnIsToBeAWarpOnAFullDeviceToo) {
  const auto spec = of_problem("gemv", "256", kBlocksOfRows, kRowsOfThreads);
  auto run = runner_.run(
      {.spec = spec, .parameters = {}, .sizes = {{"M", 40'000}, {"N", 64}}, .device = run::h100()}, go_on_);
  ASSERT_TRUE(run) << to_line(run.error());
  EXPECT_EQ(opening_of_run(*run).fix, "give each row a warp, whose lanes go along it");
}

// Threads that walk along the same row share it: there a tile is the cure, and few blocks are the first thing to say.
TEST_F(PayoffTest, RowsThatThreadsShareAreNoReasonForAWarpEach) {
  const auto spec = of_problem(
      "sgemm_nt", "32, 8", "\"ceil_div(N, 32)\", \"ceil_div(M, 8)\"",
      R"(extern "C" __global__ void kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  const int row = blockIdx.y * 8 + threadIdx.y, column = blockIdx.x * 32 + threadIdx.x;
  if (row >= M || column >= N) return;
  float sum = 0;
  for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[column * K + k];
  C[row * N + column] = sum;
}
)");
  const Explanation few = opening_of_run(run_text(spec, 96)), many = opening_of_run(run_text(spec, 512));
  EXPECT_TRUE(few.fix.starts_with("96 of 132 SMs have nothing to do: ")) << few.fix;
  EXPECT_TRUE(many.fix.starts_with("a tile in shared memory")) << many.fix;
  for (const Explanation& said : {few, many})
    EXPECT_EQ(said.fix.find("give each row a warp"), std::string::npos) << said.fix;
}

// With more blocks it would be quicker, and wrong.
// A step costs what the device waits for, and an access that wastes nothing is not praised meanwhile.
TEST_F(PayoffTest, NamesTheLongestBlockWhereTheDeviceWaitsForIt) {
  const run::SharedRun copy = run("copies/02_coalesced", 1 << 16);
  Payoffs uneven = *payoffs_of(*copy);
  EXPECT_NE(that_pays(explain(*copy), &uneven).rule, RuleId::unequal_blocks);
  uneven.now.waits_for_longest = 0.7, uneven.now.longest_block = 35;
  const Explanation said = that_pays(explain(*copy), &uneven);
  EXPECT_EQ(said.what,
            "the blocks' work is unequal: the device waits for the longest for 70 % of the kernel's time");
  EXPECT_NE(said.fix.find("equal blocks take 70 % less time"), std::string::npos) << said.fix;
  uneven.now.longest_first = 0.6;
  EXPECT_EQ(that_pays(explain(*copy), &uneven).fix,
            "start the longest blocks first: 60 % less time by the model");
  uneven.now.waits_for_longest = 0.1, uneven.now.longest_first = 0;
  const auto facts = facts_at(*copy, {0, 0, opening_access(*copy, 0, 0)});
  EXPECT_EQ(that_pays(explain(*facts), &uneven, &*facts).verdict, Verdict::neutral);
}

TEST_F(PayoffTest, MoreBlocksAreNotProposedToAKernelThatCountsOnFour) {
  const auto spec = in_four_blocks("out[i] = gridDim.x == 4 ? in[i] : 0.0f;");
  const Explanation said = opening_of_run(run_text(spec, 1 << 20));
  EXPECT_EQ(said.fix.find("launch"), std::string::npos) << said.fix;
  EXPECT_TRUE(said.fix.starts_with("128 of 132 SMs have nothing to do")) << said.fix;
}

TEST_F(PayoffTest, PraisesWhereAllSmsHaveWork) {
  const Explanation said = opening("memory/01_coalesced", 1 << 20);
  EXPECT_TRUE(said.fix.starts_with("nothing to fix")) << said.fix;
  EXPECT_EQ(said.verdict, Verdict::good);
}

// What more warps on an SM would save is predicted with the last blocks as they are.
TEST_F(PayoffTest, MoreWarpsHideWaitsAndNoTail) {
  const auto of = [&](const std::string& id, const catalog::Values& values, std::int64_t n) {
    return payoffs_of(*run_text(*run::kernels().find(id), n, values));
  };
  const std::int64_t sms = run::h100().sm_count;
  const SharedPayoffs few = of("latency/05_dependent_loads", {{"PER_SM", 1}}, 8 * 128 * sms);
  EXPECT_GT(few->with_most_warps.value_or(0), 0.3);
  const SharedPayoffs all = of("latency/05_dependent_loads", {}, 8 * 128 * sms);
  EXPECT_FALSE(all->with_most_warps) << "all are there";
  const SharedPayoffs last =
      of("latency/02_several_chains", {{"BLOCK", 512}, {"PER_SM", 2}, {"CHAINS", 8}, {"STEPS", 256}},
         8 * 512 * (2 * sms + 2));
  EXPECT_GT(last->now.tail, 0.25);
  EXPECT_LT(last->with_most_warps.value_or(0), 0.1) << "a third of the SMs' time stays idle";
}

}  // namespace
}  // namespace warplens::explain
