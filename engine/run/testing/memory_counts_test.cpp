// The counts of kernels/memory against the rules of the hardware, applied here by hand to the pattern that
// each step is about: which element a thread moves is worked out here, not taken from the kernel. Rules:
// engine/analysis/testdata, measured on an H100 (distinct 32-byte sectors of a warp; the most distinct words
// in one of 32 banks).
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <set>

#include "engine/report/pieces.hpp"
#include "engine/run/testing/counted_support.hpp"

namespace warplens::run {
namespace {

constexpr std::int64_t kOdd = 10'007, kEven = 1 << 14;

// Thread -> the first element that it touches, negative where it touches none.
using Elements = std::function<std::int64_t(std::int64_t thread)>;

struct Expected {
  std::uint64_t requests = 0, sectors = 0;
};

// Of one access of every thread, `width` elements each from an aligned one on.
Expected expected(std::int64_t threads, int width, const Elements& element) {
  Expected total;
  for (std::int64_t warp = 0; warp < threads; warp += 32) {
    std::set<std::int64_t> sectors;
    for (std::int64_t thread = warp; thread < warp + 32; ++thread) {
      const std::int64_t first = element(thread);
      for (std::int64_t e = first; first >= 0 && e < first + width; ++e) sectors.insert(e / 8);
    }
    total.requests += !sectors.empty();
    total.sectors += sectors.size();
  }
  return total;
}

Elements below(std::int64_t n, Elements element) {
  return [n, element](std::int64_t thread) {
    const std::int64_t e = element(thread);
    return e < n ? e : -1;
  };
}

std::int64_t threads_for(std::int64_t n, std::int64_t block) { return (n + block - 1) / block * block; }

// Loads and stores of a copy have the same pattern.
void expect_both(const emulator::Counters& counts, const Expected& wanted) {
  EXPECT_EQ(counts.global_load.requests, wanted.requests);
  EXPECT_EQ(counts.global_load.sectors, wanted.sectors);
  EXPECT_EQ(counts.global_store.requests, wanted.requests);
  EXPECT_EQ(counts.global_store.sectors, wanted.sectors);
}

class MemoryCounts : public testing::Test {
 protected:
  void SetUp() override {
    if (!compiler().available()) GTEST_SKIP() << compiler().description();
  }
};

TEST_F(MemoryCounts, OfACoalescedCopyAreTheLeast) {
  for (const std::int64_t n : {kEven, kOdd}) {
    const auto counts = counted("memory/01_coalesced", {}, {{"N", n}});
    expect_both(counts, expected(threads_for(n, 256), 1, below(n, [](auto t) { return t; })));
    EXPECT_EQ(counts.global_load.sectors, static_cast<std::uint64_t>(n + 7) / 8);
  }
}

TEST_F(MemoryCounts, OfAMisalignedCopyHaveOneSectorMore) {
  for (const std::int64_t offset : {0, 1, 4, 8, 16, 31}) {
    const auto counts = counted("memory/02_offset", {{"OFFSET", offset}}, {{"N", kEven}});
    expect_both(counts, expected(kEven, 1, [&](auto t) { return (t + offset) % kEven; }));
    // Every warp begins within a sector, where OFFSET is no multiple of one.
    const std::uint64_t straddling = offset % 8 == 0 ? 0 : kEven / 32;
    EXPECT_EQ(counts.global_load.sectors, kEven / 8 + straddling) << offset;
  }
}

TEST_F(MemoryCounts, OfAStridedCopyGrowUpToASectorALane) {
  for (const std::int64_t stride : {1, 2, 3, 8, 32}) {
    for (const std::int64_t n : {kEven, kOdd}) {
      const std::int64_t rows = (n + stride - 1) / stride;
      const auto counts = counted("memory/03_strided", {{"STRIDE", stride}}, {{"N", n}});
      expect_both(counts, expected(threads_for(rows * stride, 256), 1, below(n, [&](auto t) {
                                     return t / rows < stride ? t % rows * stride + t / rows : -1;
                                   })));
      if (n == kEven && kEven % (32 * stride) == 0) {
        EXPECT_EQ(counts.global_load.sectors, kEven / 32 * std::min<std::int64_t>(4 * stride, 32)) << stride;
      }
    }
  }
}

TEST_F(MemoryCounts, DoNotDependOnTheOrderOfTheLanes) {
  for (const std::int64_t mask : {0, 1, 5, 31}) {
    const auto counts = counted("memory/04_permuted", {{"MASK", mask}}, {{"N", kEven}});
    EXPECT_EQ(counts.global_load.sectors, kEven / 8) << mask;
    EXPECT_EQ(counts.global_store.sectors, kEven / 8) << mask;
    expect_both(counted("memory/04_permuted", {{"MASK", mask}}, {{"N", kOdd}}),
                expected(threads_for(kOdd, 256), 1, below(kOdd, [&](auto t) { return t ^ mask; })));
  }
}

TEST_F(MemoryCounts, OfPointsTakeAllTheirSectorsThreeTimes) {
  for (const std::int64_t n : {std::int64_t{3 * 32 * 64}, kOdd}) {
    Expected wanted;
    for (int c = 0; c < 3; ++c) {
      const Expected one =
          expected(threads_for((n + 2) / 3, 256), 1, below(n, [&](auto t) { return 3 * t + c; }));
      wanted.requests += one.requests, wanted.sectors += one.sectors;
    }
    const auto counts = counted("memory/05_float3", {}, {{"N", n}});
    expect_both(counts, wanted);
    if (n % 96 == 0) {
      EXPECT_EQ(counts.global_load.sectors, static_cast<std::uint64_t>(n) / 96 * 36);
    }
  }
}

TEST_F(MemoryCounts, OfThreeArraysAreThoseOfThreeCopies) {
  for (const std::int64_t n : {std::int64_t{3 * 32 * 64}, kOdd}) {
    const std::int64_t points = (n + 2) / 3;
    Expected wanted;
    for (int c = 0; c < 3; ++c) {
      const Expected one =
          expected(threads_for(points, 256), 1,
                   below(n, [&](auto t) { return t < points ? c * points + t : std::int64_t{-1}; }));
      wanted.requests += one.requests, wanted.sectors += one.sectors;
    }
    const auto counts = counted("memory/06_structure_of_arrays", {}, {{"N", n}});
    expect_both(counts, wanted);
    if (n % 96 == 0) {
      EXPECT_EQ(counts.global_load.sectors, static_cast<std::uint64_t>(n) / 96 * 12);
    }
  }
}

TEST_F(MemoryCounts, OfStagedPointsAreLeastAndFreeOfConflicts) {
  for (const std::int64_t n : {std::int64_t{3 * 256 * 8}, kOdd}) {
    const auto counts = counted("memory/07_float3_staged", {}, {{"N", n}});
    EXPECT_EQ(counts.global_load.sectors, static_cast<std::uint64_t>(n + 7) / 8);
    EXPECT_EQ(counts.global_store.sectors, static_cast<std::uint64_t>(n + 7) / 8);
    EXPECT_EQ(counts.shared_load.wavefronts, counts.shared_load.ideal_wavefronts);
    EXPECT_EQ(counts.shared_store.wavefronts, counts.shared_store.ideal_wavefronts);
    EXPECT_GT(counts.shared_load.requests, 0u);
  }
}

TEST_F(MemoryCounts, OfVectorsHaveFewerRequestsForTheSameSectors) {
  for (const std::int64_t width : {1, 2, 4}) {
    const auto counts = counted("memory/08_vectorized", {{"WIDTH", width}}, {{"N", kEven}});
    EXPECT_EQ(counts.global_load.requests, static_cast<std::uint64_t>(kEven / 32 / width)) << width;
    expect_both(counts, expected(kEven / width, static_cast<int>(width), [&](auto t) { return width * t; }));
    EXPECT_EQ(counts.global_load.sectors, kEven / 8);
  }
}

// The most lanes of a warp whose words, all distinct, fall in one bank.
std::uint64_t ways(std::int64_t stride, std::int64_t pad) {
  std::array<std::uint64_t, 32> words{};
  for (std::int64_t lane = 0; lane < 32; ++lane) {
    const std::int64_t word = lane * stride;
    ++words[static_cast<std::size_t>((word + word / 32 * pad) % 32)];
  }
  return *std::max_element(words.begin(), words.end());
}

TEST_F(MemoryCounts, OfStridedSharedMemoryAreTheCommonFactor) {
  constexpr std::uint64_t warps = kEven / 32;
  for (const std::int64_t stride : {1, 2, 3, 4, 8, 16, 32, 33}) {
    for (const std::int64_t pad : {0, 1}) {
      const auto counts =
          counted("memory/09_bank_conflicts", {{"STRIDE", stride}, {"PAD", pad}}, {{"N", kEven}});
      EXPECT_EQ(counts.shared_load.wavefronts, warps * ways(stride, pad)) << stride << " " << pad;
      EXPECT_EQ(counts.shared_store.wavefronts, warps * ways(stride, pad)) << stride << " " << pad;
      EXPECT_EQ(counts.shared_load.ideal_wavefronts, warps);
    }
    EXPECT_EQ(ways(stride, 0), static_cast<std::uint64_t>(std::gcd(stride, std::int64_t{32})));
  }
  for (const std::int64_t power : {1, 2, 4, 8, 16, 32}) EXPECT_EQ(ways(power, 1), 1u) << power;
}

TEST_F(MemoryCounts, OfABroadcastAreOneWavefrontWhateverTheGroup) {
  for (const std::int64_t group : {1, 4, 32}) {
    const auto counts = counted("memory/10_broadcast", {{"GROUP", group}}, {{"N", kEven}});
    EXPECT_EQ(counts.shared_load.requests, static_cast<std::uint64_t>(kEven / 32 * group)) << group;
    EXPECT_EQ(counts.shared_load.wavefronts, counts.shared_load.requests) << group;
  }
}

// Before 3.x it counts where in its segment of 64, 128 or 256 bytes an access begins, of shared memory on 3.x
// too; rows of 52 bytes begin everywhere.
void expect_each_counts(const Plan& planned) {
  SCOPED_TRACE(planned.spec.id + " on " + planned.device.id);
  auto build = compile(compiler(), planned);
  ASSERT_TRUE(build) << to_line(build.error());
  auto instance = Instances({.most_bytes = std::uint64_t{1} << 30}).instantiate(planned);
  ASSERT_TRUE(instance) << to_line(instance.error());
  const Job job{planned, *std::move(instance), *std::move(build)};
  auto execution = execute(job, {.record = 0});
  ASSERT_TRUE(execution) << to_line(execution.error());
  const auto run = tabulate(job, *std::move(execution));
  ASSERT_TRUE(run) << to_line(run.error());
  std::uint64_t sectors = 0, wavefronts = 0;
  const report::BlockAccesses& accesses = (*run)->stories.front()->accesses();
  for (std::uint32_t warp = 0; warp < accesses.warps(); ++warp)
    for (std::uint32_t step = 0; step < accesses.of_warp(warp).size(); ++step) {
      const auto access = accesses.at(warp, step);
      const auto pieces =
          report::access_pieces(*access, (*run)->kernel->function().code[access->pc], (*run)->device());
      (pieces.is_shared ? wavefronts : sectors) += static_cast<std::uint64_t>(pieces.units);
    }
  const auto& counters = (*run)->emulation.outcome.counters;
  EXPECT_EQ(counters.global_load.sectors + counters.global_store.sectors, sectors);
  EXPECT_EQ(counters.shared_load.wavefronts + counters.shared_store.wavefronts, wavefronts);
}

// Each access by the rule, against the counts of the whole run, which remember what came before.
TEST(OldDevices, CountWhatEachAccessAsksFor) {
  if (!compiler().available()) GTEST_SKIP() << compiler().description();
  struct Case {
    const char* kernel;
    catalog::Values values, sizes;
  };
  const std::vector<Case> cases = {
      {"matmul/01_naive", {{"BLOCK_X", 16}, {"BLOCK_Y", 16}}, {{"M", 13}, {"N", 13}, {"K", 13}}},
      {"matmul/03_shared_tile", {{"TILE", 16}}, {{"M", 13}, {"N", 13}, {"K", 13}}},
      {"transpose/02_tiled", {{"TILE", 16}}, {{"M", 13}, {"N", 13}}},
      {"memory/09_bank_conflicts", {{"BLOCK", 64}, {"STRIDE", 33}, {"PAD", 0}}, {{"N", 64}}},
      {"minplus/05_v3", {}, {{"N", 13}}}};
  for (const Case& one : cases) {
    const auto spec = kernels().find(one.kernel);
    ASSERT_TRUE(spec) << one.kernel;
    std::size_t ran = 0;
    for (const char* id : {"1.0", "1.3", "2.0", "3.0", "9.0"}) {
      const auto planned = plan(*spec, one.values, one.sizes, device_named(id));
      if (!planned || catalog::blocks_in_grid(planned->launch) != 1) continue;  // beyond the device's limits
      expect_each_counts(*planned);
      ++ran;
    }
    EXPECT_GT(ran, 1u) << one.kernel;
  }
}

TEST(MemoryParameters, ThatDoNotFitAreRefusedWithTheReason) {
  const auto spec = kernels().find("memory/09_bank_conflicts");
  ASSERT_TRUE(spec);
  const auto refused = catalog::resolve_values(*spec, {{"BLOCK", 512}, {"STRIDE", 32}}, {{"N", 1000}});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("A block has at most 48 KiB of shared memory"), std::string::npos)
      << to_line(refused.error());
  EXPECT_TRUE(catalog::resolve_values(*spec, {{"BLOCK", 512}, {"STRIDE", 16}}, {{"N", 1000}}));
}

// Of a kernel of x, with (i * 7) % 13, and c: all of its grid of 256 blocks, whose threads are i.
emulator::Counters counts_of_body(const std::string& body) {
  const auto spec = catalog::parse_kernel(R"(/*---
title = "Own"
[problem]
sizes = { N = 65536 }
buffers = [{ name = "x", type = "int", count = "N", fill = "(i * 7) % 13" },
           { name = "c", type = "int", count = 8, fill = "zero", output = true }]
none = "only counted"
[launch]
block = [256]
grid = ["N / 256"]
---*/
extern "C" __global__ void kernel(const int* x, int* c, int N) {
  const int i = blockIdx.x * 256 + threadIdx.x;
)" + body + "}\n",
                                          "own/own", "own.cu");
  EXPECT_TRUE(spec) << to_line(spec.error());
  if (!spec) return {};
  const auto run = run_of(*spec, {}, {});
  EXPECT_TRUE(run) << to_line(run.error());
  return run ? (*run)->emulation.outcome.counters : emulator::Counters();
}

// Measured on an H200 (l1tex__t_requests and t_sectors_pipe_lsu_mem_global_op_red), whose code ptxas 13.0 made: where
// all lanes update one integer, it combines their values, and one lane goes to memory.
TEST_F(MemoryCounts, OfAtomicsAreThoseOfTheLanesThatGoToMemory) {
  struct Case {
    const char* update;
    std::uint64_t requests, sectors;
  };
  for (const Case& one :
       {Case{"if (x[i] > 0) atomicAdd(c, 1);", 2048, 2048}, Case{"atomicAdd(c, x[i]);", 2048, 2048},
        Case{"atomicAdd((float*)c, (float)x[i]);", 2048, 65536},
        Case{"atomicAdd(c + (x[i] & 7), 1);", 2048, 11973}}) {
    const auto atomics = counts_of_body(one.update).global_atomic;
    EXPECT_EQ(atomics.requests, one.requests) << one.update;
    EXPECT_EQ(atomics.sectors, one.sectors) << one.update;
  }
}

// Likewise l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.
TEST_F(MemoryCounts, OfCountersInSharedMemoryAreOneWavefront) {
  const auto counters = counts_of_body(R"(
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  if (x[i] > 0) atomicAdd(&count, 1);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(c, count);
)");
  EXPECT_EQ(counters.shared_atomic.requests, 2048);
  EXPECT_EQ(counters.shared_atomic.wavefronts, 2048);
  EXPECT_EQ(counters.global_atomic.sectors, 256);
}

}  // namespace
}  // namespace warplens::run
