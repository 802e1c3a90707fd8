// ldmatrix, cp.async and atomics against the H100's counters: exact where the rule is known, at least as good
// as it was where it is a fit.
#include "engine/analysis/other_access.hpp"

#include <gtest/gtest.h>

#include "engine/analysis/access_sets.hpp"
#include "engine/analysis/testing/test_support.hpp"

namespace warplens::analysis {
namespace {

constexpr const char* kFile = "h100_other_accesses.csv";

struct Score {
  int rows = 0, reproduced = 0;
};

// Estimates of the rows whose op starts with `op`, against `counter`.
template <class Rule>
Score score(const std::string& op, const std::string& counter, Rule rule) {
  Score result;
  for (const MeasuredRow& row : measured_rows(kFile)) {
    if (!row.at("op").starts_with(op)) continue;
    ++result.rows;
    result.reproduced += rule(row) == std::stoi(row.at(counter));
  }
  ::testing::Test::RecordProperty(op + " " + counter,
                                  std::to_string(result.reproduced) + " of " + std::to_string(result.rows));
  std::printf("[   FIT    ] %s: %d of %d rows\n", op.c_str(), result.reproduced, result.rows);
  return result;
}

struct AsyncCopy {
  bool past_l1;  // cp.async.cg
  int width;     // bytes a lane
  std::uint32_t active;
  std::array<std::uint64_t, 32> shared, global;  // destination and source of each lane

  WarpAccess source() const { return {AccessOp::load, width, active, global}; }
};

// The banks that `width` bytes at `address` cover, one bit for each of 32.
std::uint32_t banks_of(std::uint64_t address, int width) {
  const std::uint32_t words = width == 16 ? 0xf : width == 8 ? 0x3 : 0x1;
  return std::rotl(words, static_cast<int>(address / 4 % 32));
}

// Wavefronts that the lanes of one phase need when no two lanes of a wavefront may share a source or target
// bank.
int copy_wavefronts(const AsyncCopy& copy, std::uint32_t waiting) {
  int wavefronts = 0;
  for (; waiting != 0; ++wavefronts) {
    std::uint32_t read = 0, written = 0;
    for_each_lane(waiting, [&](int lane) {
      const std::uint32_t source = banks_of(copy.global[lane], copy.width);
      const std::uint32_t target = banks_of(copy.shared[lane], copy.width);
      if ((read & source) != 0 || (written & target) != 0) return;
      read |= source;
      written |= target;
      waiting &= ~(1u << lane);
    });
  }
  return wavefronts;
}

// Bank conflicts of the shared-memory side: approximate, and counted nowhere yet. ca: phases of 32, 16 or 8
// lanes; a wavefront takes the lanes, lowest first, that meet no other on a bank they read from (global
// address modulo 128) or write to. The hardware's count also depends on the order in which lines arrive. cg:
// none are counted.
int async_copy_conflicts(const AsyncCopy& copy) {
  int conflicts = 0;
  const int lanes = 128 / std::max(copy.width, 4);
  for (int p = 0; !copy.past_l1 && p < 32 / lanes; ++p)
    if (const std::uint32_t mask = copy.active & phase_mask(p, lanes); mask != 0)
      conflicts += copy_wavefronts(copy, mask) - 1;
  return conflicts;
}

AsyncCopy copy_of(const MeasuredRow& row) {
  const std::string& op = row.at("op");  // "cp.async.ca 16"
  return {op.find(".cg") != std::string::npos, std::stoi(op.substr(op.find(' '))), mask_of(row),
          lanes_of(row, "shared"), lanes_of(row, "global")};
}
WarpAccess atomic_of(const MeasuredRow& row, const char* space) {
  return {AccessOp::store, 4, mask_of(row), lanes_of(row, space)};
}

WarpAccess rows_of(const std::array<std::uint64_t, 32>& rows, int matrices) {
  return {AccessOp::load, 16, ~0u >> (32 - 8 * matrices), rows};
}

TEST(OtherAccess, LdmatrixIsExact) {
  const Score s = score("ldmatrix", "data_pipe_lsu_wavefronts_mem_shared_op_ld", [](const MeasuredRow& row) {
    const int matrices = row.at("op")[10] - '0';  // "ldmatrix.x4.trans"
    return matrix_wavefronts(rows_of(lanes_of(row, "shared"), matrices));
  });
  EXPECT_EQ(s.rows, 144);
  EXPECT_EQ(s.reproduced, s.rows);
}

TEST(OtherAccess, AsyncCopyThroughL1IsALoadInGlobalMemory) {
  const device::Device h100 = device_of("h100");
  const Score sectors =
      score("cp.async.ca", "t_sectors_pipe_lsu_mem_global_op_ld",
            [&](const MeasuredRow& row) { return count_global(copy_of(row).source(), h100).sectors; });
  const Score requests =
      score("cp.async.ca", "t_requests_pipe_lsu_mem_global_op_ld",
            [&](const MeasuredRow& row) { return count_global(copy_of(row).source(), h100).requests; });
  for (const Score& s : {sectors, requests}) {
    EXPECT_EQ(s.rows, 108);
    EXPECT_EQ(s.reproduced, s.rows);
  }
}

TEST(OtherAccess, AsyncCopyPastL1) {
  const Score s = score("cp.async.cg", "t_sectors_pipe_lsu_mem_global_op_ld", [](const MeasuredRow& row) {
    const AsyncCopy copy = copy_of(row);
    return copy_past_l1_sectors(copy.source(), copy.shared);
  });
  EXPECT_EQ(s.rows, 36);
  EXPECT_EQ(s.reproduced, 36);
}

TEST(OtherAccess, AsyncCopyConflicts) {
  const char* counter = "data_bank_conflicts_pipe_lsu_mem_shared_op_ldgsts";
  const auto rule = [](const MeasuredRow& row) { return async_copy_conflicts(copy_of(row)); };
  const Score ca = score("cp.async.ca", counter, rule), cg = score("cp.async.cg", counter, rule);
  EXPECT_GE(ca.reproduced, 63);  // of 108: the rest depends on the order of arrival
  EXPECT_EQ(cg.reproduced, 36);
}

TEST(OtherAccess, SharedAtomics) {
  const Score s =
      score("atom.shared", "data_pipe_lsu_wavefronts_mem_shared_op_atom",
            [](const MeasuredRow& row) { return shared_atomic_wavefronts(atomic_of(row, "shared")); });
  EXPECT_EQ(s.rows, 36);
  EXPECT_EQ(s.reproduced, 36);
}

TEST(OtherAccess, GlobalAtomics) {
  const auto rule = [](const MeasuredRow& row) { return global_atomic_sectors(atomic_of(row, "global")); };
  const Score red = score("red.global", "t_sectors_pipe_lsu_mem_global_op_red", rule);
  const Score atom = score("atom.global", "t_sectors_pipe_lsu_mem_global_op_atom", rule);
  EXPECT_EQ(red.rows + atom.rows, 108);
  EXPECT_EQ(red.reproduced, 72);
  EXPECT_EQ(atom.reproduced, 36);
}

TEST(OtherAccess, MatricesShareNoWavefront) {
  std::array<std::uint64_t, 32> rows{};
  for (std::size_t r = 0; r < 32; ++r) rows[r] = r * 128;  // all rows of a matrix on four banks
  EXPECT_EQ(matrix_wavefronts(rows_of(rows, 1)), 8);
  EXPECT_EQ(matrix_wavefronts(rows_of(rows, 4)), 32);
  for (std::size_t r = 0; r < 32; ++r) rows[r] = r * 144;  // padded by 16 bytes
  EXPECT_EQ(matrix_wavefronts(rows_of(rows, 4)), 4);
}

TEST(OtherAccess, NoActiveLaneCostsNothing) {
  const WarpAccess none{AccessOp::store, 4, 0, {}};
  EXPECT_EQ(copy_past_l1_sectors(none, {}), 0);
  EXPECT_EQ(shared_atomic_wavefronts(none), 0);
  EXPECT_EQ(global_atomic_sectors(none), 0);
  EXPECT_EQ(matrix_wavefronts(none), 0);
}

}  // namespace
}  // namespace warplens::analysis
