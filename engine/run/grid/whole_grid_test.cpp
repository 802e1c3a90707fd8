// Counts of a whole grid from a few of its blocks are those of a run of all of them.
#include "engine/run/grid/whole_grid.hpp"

#include <gtest/gtest.h>

#include "engine/run/arguments.hpp"
#include "engine/run/emulate.hpp"
#include "engine/run/placing.hpp"
#include "engine/run/testing/random_sizes.hpp"

namespace warplens::run {
namespace {

#ifdef WARPLENS_ALL_SETS
constexpr int kRounds = 25;
#else
constexpr int kRounds = 2;
#endif

Result<emulator::Launch> launch_of(const emulator::Kernel& kernel, const Job& job,
                                   emulator::GlobalMemory& memory) {
  const auto places = place_buffers(*job.instance, memory);
  if (!places) return places.error();
  auto arguments = argument_bytes(job.instance->arguments(), kernel.function(), *places);
  if (!arguments) return arguments.error();
  emulator::Launch launch;
  launch.grid = job.plan.launch.grid;
  launch.block = job.plan.launch.block;
  launch.dynamic_shared_bytes = job.plan.launch.dynamic_shared_bytes;
  launch.arguments = *std::move(arguments);
  return launch;
}

// As emulate() does it, with as many blocks as it takes.
Result<std::optional<WholeGrid>> whole_grid(const emulator::Kernel& kernel, const Job& job) {
  if (blocks_may_communicate(kernel.function())) return std::optional<WholeGrid>();
  auto memory = emulator::GlobalMemory::create(memory_for(*job.instance));
  const auto launch = launch_of(kernel, job, *memory);
  if (!launch) return launch.error();
  const std::uint64_t blocks = catalog::blocks_in_grid(job.plan.launch);
  return count_whole_grid(kernel, *launch, block_kinds(kernel, *launch), blocks - 1, *memory);
}

struct Compared {
  int sets = 0, whole = 0, without_data = 0;
};

// The counts of a problem whose data nobody made are those of one with its data.
void compare_without_data(const emulator::Kernel& kernel, const Job& job, const emulator::Counters& ran,
                          Compared& compared) {
  const auto counted = emulate(kernel, *job.instance, job.plan.launch,
                               {.sample_above = 1, .sample_sums = true, .counts_only = true});
  ASSERT_TRUE(counted) << to_line(counted.error());
  if (!counted->stands_for_all) return;
  ++compared.without_data;
  EXPECT_TRUE(counted->outcome.counters == ran) << job.plan.spec.id << " without its data";
}

void compare(const catalog::KernelSpec& spec, const catalog::Values& values, const catalog::Values& sizes,
             Compared& compared) {
  const auto job = job_of(spec, values, sizes);
  if (!job) return;  // a launch that the device refuses
  const auto kernel = prepare(job->build, h100());
  ASSERT_TRUE(kernel);
  ++compared.sets;
  const auto all = emulate(**kernel, *job->instance, job->plan.launch, {.sample_above = 0});
  ASSERT_TRUE(all) << to_line(all.error());
  const auto some = whole_grid(**kernel, *job);
  ASSERT_TRUE(some) << to_line(some.error());
  if (!*some) return;
  ++compared.whole;
  const emulator::Counters &whole = (*some)->outcome.counters, &ran = all->outcome.counters;
  EXPECT_TRUE(whole == ran) << spec.id << " " << value_words(values) << " " << value_words(sizes) << ": "
                            << whole.warp_instructions << " of " << ran.warp_instructions << " instructions, "
                            << whole.global_load.sectors << " of " << ran.global_load.sectors << " sectors";
  EXPECT_TRUE((*some)->outcome.work == all->outcome.work)
      << spec.id << " " << value_words(values) << " " << value_words(sizes) << ": what each block did";
  compare_without_data(**kernel, *job, ran, compared);
}

TEST(WholeGrid, CountsAsARunOfAllBlocksAtRandomSizesAndParameters) {
  if (!compiler().available()) GTEST_SKIP() << compiler().description();
  Compared compared;
  for_random_sets(kRounds, [&](const auto& spec, const auto& values, const auto& sizes) {
    compare(spec, values, sizes, compared);
  });
  RecordProperty("sets", compared.sets);
  RecordProperty("whole", compared.whole);
  std::printf("%d sets, %d by some of their blocks\n", compared.sets, compared.whole);
  EXPECT_GE(compared.whole, 20 * kRounds);
  EXPECT_GE(compared.without_data, 5 * kRounds);
}

// Blocks 0 and 2 to 3 count the same; in block 1, between them, some threads begin again at the array's start.
TEST(WholeGrid, FindsABlockWhoseThreadsChooseDifferently) {
  if (!compiler().available()) GTEST_SKIP() << compiler().description();
  Compared compared;
  compare(*kernels().find("first/06_circular_shift"), {{"BLOCK", 32}, {"SHIFT", 100}}, {{"N", 138}},
          compared);
  EXPECT_EQ(compared.sets, 1);
}

// A block that writes what its index says in another way is not taken for its neighbours.
TEST(WholeGrid, KnowsWhatABlockDoesByItsPlaceAlone) {
  if (!compiler().available()) GTEST_SKIP() << compiler().description();
  struct Case {
    const char *statement, *why_not;
  };
  const std::string head =
      "extern \"C\" __global__ void kernel(const float* in, float* out, int N) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  ";
  for (const Case& one :
       {Case{"if (i < N) out[i] = in[i];", ""}, Case{"if (i < N) out[i] = in[min(i, N - 2)];", ""},
        Case{"for (int k = i; k < N; k += gridDim.x * blockDim.x) out[k] = in[k];", ""},
        Case{"if (i < N) out[i] = in[i % 7];", "line 3 takes an address from more than a block's place"},
        Case{
            "int left; asm(\"max.s32 %0, %1, 0;\" : \"=r\"(left) : \"r\"(N - i)); if (left == 0) out[i] = 1;",
            ""},
        Case{
            "int left; asm(\"max.s32 %0, %1, 0;\" : \"=r\"(left) : \"r\"(N - i)); if (left == 1) out[i] = 1;",
            "line 3 branches on more than a block's place"},
        Case{"if (in[i] > 0) out[i] = 1;", "line 3 branches on more than a block's place"},
        Case{"int j = blockIdx.x << 7 | threadIdx.x & 6 | threadIdx.x << 1 & 64 | threadIdx.x >> 4 & 1; if "
             "(j < "
             "N) out[j] = 1;",
             ""},
        Case{"int j = blockIdx.x << 5 | threadIdx.x; if (j < N) out[j] = 1;",
             "line 3 branches on more than a block's place"},
        Case{"if (blockIdx.x == 5) out[i] = 1;", "line 3 branches on more than a block's place"},
        Case{"out[(int)in[i]] = 1;", "line 3 takes an address from more than a block's place"}}) {
    const auto build = compiler().compile({head + one.statement + "\n}\n", "k.cu", {}, 90, false});
    ASSERT_TRUE(build) << one.statement << to_line(build.error());
    const auto kernel = prepare(*build, h100());
    ASSERT_TRUE(kernel);
    emulator::Launch launch;
    launch.grid = {64, 1, 1};
    launch.block = {128, 1, 1};
    EXPECT_EQ(block_kinds(**kernel, launch).why_not, one.why_not) << one.statement;
  }
}

// Where a counter and a sum begin as one register that holds 0, and where places are joined bit by bit.
TEST(WholeGrid, FollowsCountersThatShareTheirZeroWithSums) {
  if (!compiler().available()) GTEST_SKIP() << compiler().description();
  for (const char* id : {"tensor_int8/03_shared_tiles", "tensor_int8/04_mma_ldmatrix",
                         "tensor_int8/05_stages", "tensor_tf32/01_mma", "tensor_tf32/02_stages"}) {
    const auto job = job_of(*kernels().find(id), {}, {{"M", 512}, {"N", 512}, {"K", 512}});
    ASSERT_TRUE(job) << id;
    const auto kernel = prepare(job->build, h100());
    ASSERT_TRUE(kernel) << id;
    auto memory = emulator::GlobalMemory::create(memory_for(*job->instance));
    const auto launch = launch_of(**kernel, *job, *memory);
    ASSERT_TRUE(launch) << id;
    EXPECT_EQ(block_kinds(**kernel, *launch).why_not, "") << id;
  }
}

}  // namespace
}  // namespace warplens::run
