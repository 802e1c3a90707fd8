// The access rules against counters of an H100: every measured access, and the shared-memory counts of whole
// kernels.
#include <gtest/gtest.h>

#include "engine/analysis/access.hpp"
#include "engine/analysis/access_csv.hpp"
#include "engine/analysis/testing/test_support.hpp"

namespace warplens::analysis {
namespace {

template <class Count>
void expect_every_row(const std::string& file, const std::string& column, std::size_t expected_rows,
                      Count count) {
  const auto accesses = read_access_csv(testdata(file));
  ASSERT_TRUE(accesses) << to_line(accesses.error());
  const auto rows = measured_rows(file);
  ASSERT_EQ(rows.size(), expected_rows);
  ASSERT_EQ(accesses->size(), rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    EXPECT_EQ(count((*accesses)[i]), std::stoi(rows[i].at(column))) << file << " row " << i + 1;
}

TEST(H100Accesses, SharedWavefronts) {
  const device::Device h100 = device_of("h100");
  expect_every_row("h100_shared_wavefronts.csv", "wavefronts", 1500,
                   [&](const WarpAccess& a) { return count_shared(a, h100).wavefronts; });
}

TEST(H100Accesses, GlobalSectors) {
  const device::Device h100 = device_of("h100");
  expect_every_row("h100_global_sectors.csv", "sectors", 300,
                   [&](const WarpAccess& a) { return count_global(a, h100).sectors; });
}

// Shared-memory traffic of a kernel of hardware/ladder.cu, added up access by access.
struct KernelTraffic {
  device::Device device = device_of("h100");
  SharedCounts load, store;

  void add(const WarpAccess& access) {
    const SharedCounts cost = count_shared(access, device);
    SharedCounts& sum = access.op == AccessOp::load ? load : store;
    sum.requests += cost.requests;
    sum.wavefronts += cost.wavefronts;
    sum.ideal_wavefronts += cost.ideal_wavefronts;
  }
};

void expect_counters(const std::string& kernel, const KernelTraffic& traffic) {
  for (const MeasuredRow& row : measured_rows("h100_kernel_counters.csv")) {
    if (row.at("kernel") != kernel) continue;
    const auto counter = [&](const std::string& name) { return std::stoi(row.at(name)); };
    EXPECT_EQ(traffic.load.wavefronts, counter("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"));
    EXPECT_EQ(traffic.store.wavefronts, counter("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"));
    EXPECT_EQ(traffic.load.wavefronts - traffic.load.ideal_wavefronts,
              counter("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"));
    EXPECT_EQ(traffic.store.wavefronts - traffic.store.ideal_wavefronts,
              counter("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"));
    return;
  }
  ADD_FAILURE() << "no counters of " << kernel;
}

constexpr int kSize = 256;  // the matrices' edge

// k_vec: A transposed in shared memory by scalar stores, everything else by 16 bytes a lane.
TEST(H100Kernels, WavefrontsLessIdealAreTheConflictCounterOfVec) {
  constexpr int kTile = 64, kDepth = 8;  // BM = BN, BK
  const auto a_byte = [](int k, int r) { return 4 * (k * kTile + r); };
  KernelTraffic traffic;
  const int blocks = (kSize / kTile) * (kSize / kTile), steps = kSize / kDepth;
  for (int repeat = 0; repeat < blocks * steps; ++repeat)
    for (int warp = 0; warp < 2; ++warp) {
      for (int part = 0; part < 2; ++part) {
        const auto item = [&](int lane) { return part * 64 + warp * 32 + lane; };
        for (int k = 0; k < 4; ++k)
          traffic.add(access_of(AccessOp::store, 4, ~0u,
                                [&](int lane) { return a_byte(item(lane) % 2 * 4 + k, item(lane) / 2); }));
        traffic.add(access_of(AccessOp::store, 16, ~0u, [&](int lane) { return 16 * item(lane); }));
      }
      for (int k = 0; k < kDepth; ++k)
        for (int half = 0; half < 2; ++half) {
          const auto thread = [&](int lane) { return warp * 32 + lane; };
          traffic.add(access_of(AccessOp::load, 16, ~0u,
                                [&](int lane) { return a_byte(k, thread(lane) / 8 * 8 + 4 * half); }));
          traffic.add(access_of(AccessOp::load, 16, ~0u,
                                [&](int lane) { return a_byte(k, thread(lane) % 8 * 8 + 4 * half); }));
        }
    }
  expect_counters("k_vec", traffic);
}

// k_tr and k_trp: rows in, columns out of a tile of 32 x pitch words; 8 warps a block, 4 rows each.
KernelTraffic transpose_traffic(int pitch) {
  KernelTraffic traffic;
  for (int block = 0; block < (kSize / 32) * (kSize / 32); ++block)
    for (int row = 0; row < 32; ++row) {
      traffic.add(access_of(AccessOp::store, 4, ~0u, [&](int lane) { return 4 * (row * pitch + lane); }));
      traffic.add(access_of(AccessOp::load, 4, ~0u, [&](int lane) { return 4 * (lane * pitch + row); }));
    }
  return traffic;
}
TEST(H100Kernels, Transpose) { expect_counters("k_tr", transpose_traffic(32)); }
TEST(H100Kernels, TransposeWithPadding) { expect_counters("k_trp", transpose_traffic(33)); }

// k_red: interleaved addressing, s[2 d t] += s[2 d t + d] while in range.
TEST(H100Kernels, Reduction) {
  constexpr int kThreads = 256;
  KernelTraffic traffic;
  for (int block = 0; block < kSize * kSize / kThreads; ++block) {
    for (int warp = 0; warp < kThreads / 32; ++warp)
      traffic.add(access_of(AccessOp::store, 4, ~0u, [&](int lane) { return 4 * (warp * 32 + lane); }));
    for (int d = 1; d < kThreads; d *= 2)
      for (int warp = 0; warp < kThreads / 32; ++warp) {
        const auto index = [&](int lane) { return 2 * d * (warp * 32 + lane); };
        std::uint32_t active = 0;
        for (int lane = 0; lane < 32; ++lane) active |= index(lane) < kThreads ? 1u << lane : 0u;
        traffic.add(access_of(AccessOp::load, 4, active, [&](int lane) { return 4 * (index(lane) + d); }));
        traffic.add(access_of(AccessOp::load, 4, active, [&](int lane) { return 4 * index(lane); }));
        traffic.add(access_of(AccessOp::store, 4, active, [&](int lane) { return 4 * index(lane); }));
      }
    traffic.add(access_of(AccessOp::load, 4, 1u, [](int) { return 0; }));
  }
  expect_counters("k_red", traffic);
}

}  // namespace
}  // namespace warplens::analysis
