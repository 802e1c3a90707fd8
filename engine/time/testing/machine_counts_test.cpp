// Counts of machine code: against the hardware's own, and of kernels whose loops hold nothing that is
// counted.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/catalog/launches.hpp"
#include "engine/time/flow_equations.hpp"
#include "engine/time/machine_counts.hpp"
#include "engine/time/predict_run.hpp"
#include "engine/time/testing/measured_rows.hpp"

namespace warplens::time {
namespace {

struct CountedKernel {
  std::vector<Instruction> code;
  MachineFlow flow;
  double warps = 0;
  // Executions by a warp of what goes to a unit.
  double of(Unit unit) const {
    double sum = 0;
    for (const Block& block : flow.blocks)
      for (std::uint32_t i = block.first; i < block.end; ++i)
        if (code[i].unit == unit) sum += block.executed;
    return sum;
  }
};

double warps_in_block(const run::Job& job) {
  return static_cast<double>((catalog::threads_in_block(job.plan.launch) + 31) / 32);
}

Result<CountedKernel> counted(const Result<run::Job>& job) {
  if (!job) return job.error();
  const auto kernel = run::prepare(job->build, job->plan.device);
  if (!kernel) return kernel.error();
  const auto ran = run::emulate(**kernel, *job->instance, job->plan.launch, run::EmulationOptions{});
  if (!ran) return ran.error();
  auto code = read_instructions(job->build.cubin, (*kernel)->function());
  if (!code) return code.error();
  const auto& counters = ran->outcome.counters;
  const double warps = static_cast<double>(counters.blocks_run) * warps_in_block(*job);
  auto flow = count_blocks(*code, (*kernel)->function(), counters, (*kernel)->shared_accesses(), warps);
  return CountedKernel{*std::move(code), std::move(flow), warps};
}

Result<CountedKernel> counted(const std::string& id, const catalog::Values& params,
                              const catalog::Values& sizes) {
  const auto spec = run::kernels().find(id);
  if (!spec) return spec.error();
  return counted(run::job_of(*spec, params, sizes));
}

class MachineCounts : public testing::Test {
 protected:
  void SetUp() override {
    if (!run::compiler().available()) GTEST_SKIP() << "no NVRTC";
  }
};

// A loop that lanes leave one by one: balanced by lanes that part and join it had no way out, and the
// schedule ran on for a minute.
TEST_F(MachineCounts, LeaveEveryLoop) {
  const auto kernel =
      counted("ncsa/05_k3k4", {{"WIDTH", 128}, {"XI", 6}, {"XJ", 8}}, {{"M", 1000}, {"N", 1200}, {"K", 900}});
  ASSERT_TRUE(kernel) << to_line(kernel.error());
  for (const Block& block : kernel->flow.blocks) {
    double left = 0;
    for (const Edge& edge : block.edges) left += edge.taken;
    EXPECT_NEAR(left, block.executed, 0.05 * std::max(block.executed, 0.1)) << block.first;
  }
}

// In each of these loops is one multiply-add of doubles, or one multiplication of integers, a round.
TEST_F(MachineCounts, KeepLoopsThatNothingElseIsCountedIn) {
  for (const int unroll : {1, 4, 16}) {
    const catalog::Values params{{"REPEAT", 256}, {"UNROLL", unroll}};
    const auto doubles = counted("arithmetic/07_double", params, {{"N", 4096}});
    ASSERT_TRUE(doubles) << to_line(doubles.error());
    EXPECT_NEAR(doubles->of(Unit::fp64), 256, 1) << unroll;
    const auto integers = counted("arithmetic/08_integer", params, {{"N", 4096}});
    ASSERT_TRUE(integers);
    EXPECT_GE(integers->of(Unit::fma_heavy), 256) << unroll;
    EXPECT_LE(integers->of(Unit::fma_heavy), 2 * 256) << unroll;
  }
}

// A division has a reciprocal in it and the check of its operands, whatever multiply-adds it has besides.
TEST_F(MachineCounts, KeepLoopsOfDivisions) {
  const auto divisions = counted("arithmetic/03_division", {{"REPEAT", 64}, {"UNROLL", 8}}, {{"N", 4096}});
  ASSERT_TRUE(divisions);
  EXPECT_NEAR(divisions->of(Unit::special), 2 * 64, 8);
}

// threadIdx comes through the pipe of shared memory, once; blockIdx does not.
TEST_F(MachineCounts, KnowWhereThreadIndicesComeFrom) {
  const auto copy = counted("memory/01_coalesced", {}, {{"N", 4096}});
  ASSERT_TRUE(copy);
  EXPECT_EQ(std::ranges::count(copy->code, Access::thread_index, &Instruction::access), 1);
  EXPECT_EQ(copy->of(Unit::special), 0);
}

// Half of each warp takes the sine, the other half the cosine, one after the other.
TEST_F(MachineCounts, HaveBothWaysOfAWarpThatParts) {
  const auto both = counted("arithmetic/18_two_ways", {}, {{"N", 4096}});
  ASSERT_TRUE(both);
  EXPECT_LT(both->flow.worst_miss, 1e-3);
  EXPECT_GE(both->of(Unit::special), 2 * 64 - 0.5);
}

// The line of the first sine or cosine that a warp comes to on this way.
int line_of_function(const CountedKernel& kernel, std::uint32_t block) {
  if (block == kLeave) return 0;
  for (std::uint32_t i = kernel.flow.blocks[block].first; i < kernel.code.size(); ++i)
    if (kernel.code[i].unit == Unit::special) return kernel.code[i].line;
  return 0;
}

// How often a warp goes to the sine, and to the cosine, and how often to both at once.
struct TwoWays {
  double sine = 0, cosine = 0, splits = 0;
};
TwoWays two_ways(const std::string& condition) {
  catalog::KernelSpec spec = *run::kernels().find("arithmetic/18_two_ways");
  const std::string own = "i / GROUP % 2 == 0";
  spec.code.replace(spec.code.find(own), own.size(), condition);
  const auto kernel = counted(run::job_of(spec, {}, {{"N", 12288}}));
  EXPECT_TRUE(kernel) << condition;
  if (!kernel) return {};
  EXPECT_LT(kernel->flow.worst_miss, 1e-3) << condition;
  const auto lines = run::lines_of(spec.code);
  TwoWays ways;
  for (const Block& block : kernel->flow.blocks) {
    if (block.edges.size() < 2 || kernel->code[block.end - 1].control != Control::branch) continue;
    const auto leads_to_sine = [&](std::size_t edge) {
      const auto line = static_cast<std::size_t>(line_of_function(*kernel, block.edges[edge].to));
      return line > 0 && lines[line - 1].find("__sinf") != std::string_view::npos;
    };
    if (leads_to_sine(0) == leads_to_sine(1) || block.executed > 1.5) continue;
    const std::size_t sine = leads_to_sine(0) ? 0 : 1;
    ways = {block.edges[sine].taken, block.edges[1 - sine].taken, block.splits};
  }
  return ways;
}

// As the emulator counted, whose warps part as those of hardware: of three warps the first parts; none; all.
TEST_F(MachineCounts, HaveAsManyWarpsOnEachWayAsWentIt) {
  const auto are = [](const TwoWays& ways, double sine, double cosine, double splits) {
    return std::abs(ways.sine - sine) < 1e-3 && std::abs(ways.cosine - cosine) < 1e-3 &&
           std::abs(ways.splits - splits) < 1e-3;
  };
  EXPECT_TRUE(are(two_ways("i % 96 < 16"), 1.0 / 3, 1, 1.0 / 3));
  EXPECT_TRUE(are(two_ways("i % 96 >= 16"), 1, 1.0 / 3, 1.0 / 3));
  EXPECT_TRUE(are(two_ways("i % 96 < 48"), 2.0 / 3, 2.0 / 3, 1.0 / 3));
  EXPECT_TRUE(are(two_ways("i / 32 % 2 == 0"), 0.5, 0.5, 0));
  EXPECT_TRUE(are(two_ways("i % 2 == 0"), 1, 1, 1));
}

// Branches are written in two ways: until 8.9, and since 9.0.
TEST_F(MachineCounts, FollowLoopsOfEachArchitecture) {
  for (const char* device : {"cc7.5", "cc8.0", "cc8.6", "cc8.9", "cc9.0", "cc10.0", "cc12.0"}) {
    const auto plan = run::plan(*run::kernels().find("matmul/01_naive"), {{"BLOCK_X", 32}, {"BLOCK_Y", 32}},
                                {{"M", 128}, {"N", 128}, {"K", 128}}, run::device_named(device));
    ASSERT_TRUE(plan) << device;
    auto build = run::compile(run::compiler(), *plan);
    auto instance = run::Instances({}).instantiate(*plan);
    ASSERT_TRUE(build && instance) << device;
    const auto kernel = counted(run::Job{*plan, *std::move(instance), *std::move(build)});
    ASSERT_TRUE(kernel) << device << to_line(kernel.error());
    EXPECT_LT(kernel->flow.worst_miss, 1e-3) << device;
    double products = 0, turns = 0;
    for (const Block& block : kernel->flow.blocks) {
      turns = std::max(turns, block.executed);
      for (std::uint32_t i = block.first; i < block.end; ++i)
        if (kernel->code[i].arithmetic == Anchor::fp32) products += block.executed;
    }
    EXPECT_NEAR(products, 128, 0.1) << device;
    EXPECT_GE(turns, 16) << device;  // unrolled no more than eight times
    EXPECT_TRUE(std::ranges::all_of(kernel->code, [&](const Instruction& i) {
      return i.control != Control::branch || i.target <= kernel->code.size();
    })) << device;
  }
}

// Of constant memory a load of lanes takes a turn for each different address; an H200, two cycles of an SM for it.
TEST_F(MachineCounts, LoadConstantsByTurns) {
  const auto spec = run::kernels().find("latency/07_constant");
  double before = 0;
  for (const int words : {8, 32}) {
    const auto run = run::run_of(*spec, {{"WORDS", words}}, {{"N", 1 << 20}});
    ASSERT_TRUE(run) << to_line(run.error());
    const auto& counters = (*run)->emulation.outcome.counters;
    EXPECT_EQ(counters.constant_load.requests, 32u * (1 << 20) / 32);
    EXPECT_EQ(counters.constant_load.wavefronts, static_cast<std::uint64_t>(words) * (1 << 20));
    const auto prediction = predict(**run);
    ASSERT_TRUE(prediction);
    EXPECT_EQ(prediction->limiter, "constant") << words;
    const double least = 2.0 * words * (1 << 20) / run::h100().sm_count;  // cycles
    EXPECT_GE(prediction->cycles, 0.99 * least) << words;
    EXPECT_GT(prediction->cycles, 3 * before) << words;
    before = prediction->cycles;
  }
}

// What matters of a kernel's loops is never lost.
TEST_F(MachineCounts, KeepTheLoopsOfAllKernels) {
  for (const auto& spec : run::kernels().kernels()) {
    const auto job = run::job_of(spec, {}, {});
    ASSERT_TRUE(job) << spec.id;
    const auto kernel = run::prepare(job->build, job->plan.device);
    ASSERT_TRUE(kernel) << spec.id;
    if (is_asynchronous((*kernel)->function())) continue;  // whose PTX stands for it
    const auto sampled = count(*job, **kernel);
    ASSERT_TRUE(sampled) << spec.id << to_line(sampled.error());
    const auto code = read_instructions(job->build.cubin, (*kernel)->function());
    ASSERT_TRUE(code) << spec.id;
    const double warps = static_cast<double>(sampled->counters.blocks_run) * warps_in_block(*job);
    const auto flow =
        count_blocks(*code, (*kernel)->function(), sampled->counters, (*kernel)->shared_accesses(), warps);
    EXPECT_GE(flow.least_kept, 0.5) << spec.id;
    EXPECT_LE(flow.least_kept, 1.8) << spec.id;
    EXPECT_LT(flow.worst_miss, 0.02) << spec.id;
  }
}

// Without machine code that can be trusted the PTX stands for it, and the prediction says so.
TEST_F(MachineCounts, LeaveRoomForThePtx) {
  const auto spec = run::kernels().find("matmul/06_vectorized");
  const auto job = run::job_of(*spec, {}, {{"M", 512}, {"N", 512}, {"K", 512}});
  ASSERT_TRUE(job);
  const auto kernel = run::prepare(job->build, job->plan.device);
  const auto sampled = count(*job, **kernel);
  ASSERT_TRUE(sampled);
  const auto machine = predict(*job, **kernel, *sampled);
  const auto ptx = predict(*job, **kernel, *sampled, {.from_ptx = true});
  ASSERT_TRUE(machine && ptx);
  EXPECT_EQ(machine->basis, "sass");
  EXPECT_EQ(ptx->basis, "ptx");
  EXPECT_NEAR(ptx->seconds / machine->seconds, 1, 0.3);
  EXPECT_NEAR(ptx->warp_instructions / machine->warp_instructions, 1, 0.15);
}

// smsp__inst_executed.sum of an H100 (engine/analysis/testdata/h100_ladder_counters.csv).
TEST_F(MachineCounts, AreThoseOfTheHardware) {
  std::vector<double> errors;
  for (const CounterRow& row : counter_rows()) {
    const auto spec = run::kernels().find(row.kernel);
    ASSERT_TRUE(spec) << row.kernel;
    catalog::Values sizes;
    const auto problem = problem::find_problem(*spec);
    for (const auto& name : (*problem)->size_names()) sizes[name] = row.sizes.at(name);
    const auto kernel = counted(row.kernel, row.params, sizes);
    ASSERT_TRUE(kernel) << row.kernel << to_line(kernel.error());
    errors.push_back(std::abs(kernel->flow.instructions * kernel->warps / row.instructions - 1));
    EXPECT_LE(errors.back(), 0.2) << row.kernel;
  }
  ASSERT_GE(errors.size(), 270u);
  std::sort(errors.begin(), errors.end());
  EXPECT_LE(errors[errors.size() / 2], 0.001);
  EXPECT_LE(errors[errors.size() * 8 / 10], 0.001);
  EXPECT_LE(errors[errors.size() * 9 / 10], 0.01);
}

// A loop that turns 32 times, long code before it, and lanes that part behind it: those cannot join in front of it, so that
// fewer warps would come to the loop and turn more often there.
TEST(CountBlocks, LanesThatPartLaterDoNotJoinBefore) {
  std::vector<Block> blocks{{.first = 0, .end = 1, .edges = {{1}}, .joins = true},
                            {.first = 1, .end = 1000, .edges = {{2}, {3}}},
                            {.first = 1000, .end = 1001, .edges = {{2}, {3}}},
                            {.first = 1001, .end = 1002, .edges = {{4}, {5}}},
                            {.first = 1002, .end = 1003, .edges = {{5}}, .joins = true},
                            {.first = 1003, .end = 1004, .edges = {{kLeave}}}};
  Unknowns unknowns(blocks, true);
  const auto joins = join_equations(blocks, unknowns);
  auto equations = flow_equations(blocks, unknowns);
  Equation turns{{}, 32, 1};
  for (const int edge : unknowns.into(2)) turns.terms.emplace_back(edge, 1.0);
  equations.push_back(turns);
  auto cost = costs_of(blocks, unknowns);
  EXPECT_LT(runs(1, unknowns, solve_not_negative(equations, cost)), 0.5) << "nothing is left to be shown";
  equations.insert(equations.end(), joins.begin(), joins.end());
  EXPECT_NEAR(runs(1, unknowns, solve_not_negative(equations, cost)), 1, 0.01);
}

}  // namespace
}  // namespace warplens::time
