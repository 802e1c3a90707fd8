// ldmatrix, cp.async and atomics against the H100's counters: exact where the rule is known, at least as good
// as it was where it is a fit.
#include "engine/analysis/other_access.hpp"

#include <gtest/gtest.h>

#include "engine/analysis/testing/test_support.hpp"

namespace warplens::analysis {
namespace {

constexpr const char* kFile = "h100_other_accesses.csv";

struct Score {
  int rows = 0, reproduced = 0;
  bool exact = true;
};

// Estimates of the rows whose op starts with `op`, against `counter`.
template <class Rule>
Score score(const std::string& op, const std::string& counter, Rule rule) {
  Score result;
  for (const MeasuredRow& row : measured_rows(kFile)) {
    if (!row.at("op").starts_with(op)) continue;
    const Estimate estimate = rule(row);
    ++result.rows;
    result.reproduced += estimate.value == std::stoi(row.at(counter));
    result.exact = result.exact && estimate.certainty == Certainty::exact;
  }
  ::testing::Test::RecordProperty(op + " " + counter,
                                  std::to_string(result.reproduced) + " of " + std::to_string(result.rows));
  std::printf("[   FIT    ] %s: %d of %d rows\n", op.c_str(), result.reproduced, result.rows);
  return result;
}

AsyncCopy copy_of(const MeasuredRow& row) {
  const std::string& op = row.at("op");  // "cp.async.ca 16"
  AsyncCopy copy;
  copy.cache = op.find(".cg") != std::string::npos ? AsyncCopy::Cache::cg : AsyncCopy::Cache::ca;
  copy.width = std::stoi(op.substr(op.find(' ')));
  copy.active = mask_of(row);
  copy.shared = lanes_of(row, "shared");
  copy.global = lanes_of(row, "global");
  return copy;
}
WarpAccess atomic_of(const MeasuredRow& row, const char* space) {
  return {AccessOp::store, 4, mask_of(row), lanes_of(row, space)};
}

TEST(OtherAccess, LdmatrixIsExact) {
  const Score s = score("ldmatrix", "data_pipe_lsu_wavefronts_mem_shared_op_ld", [](const MeasuredRow& row) {
    const int matrices = row.at("op")[10] - '0';  // "ldmatrix.x4.trans"
    return ldmatrix_wavefronts(lanes_of(row, "shared"), matrices);
  });
  EXPECT_EQ(s.rows, 144);
  EXPECT_EQ(s.reproduced, s.rows);
  EXPECT_TRUE(s.exact);
}

TEST(OtherAccess, AsyncCopyThroughL1IsExactInGlobalMemory) {
  const Score sectors = score("cp.async.ca", "t_sectors_pipe_lsu_mem_global_op_ld",
                              [](const MeasuredRow& row) { return async_copy_sectors(copy_of(row)); });
  const Score requests = score("cp.async.ca", "t_requests_pipe_lsu_mem_global_op_ld",
                               [](const MeasuredRow& row) { return async_copy_requests(copy_of(row)); });
  for (const Score& s : {sectors, requests}) {
    EXPECT_EQ(s.rows, 108);
    EXPECT_EQ(s.reproduced, s.rows);
    EXPECT_TRUE(s.exact);
  }
}

TEST(OtherAccess, AsyncCopyPastL1) {
  const Score s = score("cp.async.cg", "t_sectors_pipe_lsu_mem_global_op_ld",
                        [](const MeasuredRow& row) { return async_copy_sectors(copy_of(row)); });
  EXPECT_EQ(s.rows, 36);
  EXPECT_EQ(s.reproduced, 36);
  EXPECT_FALSE(s.exact);
}

TEST(OtherAccess, AsyncCopyConflicts) {
  const char* counter = "data_bank_conflicts_pipe_lsu_mem_shared_op_ldgsts";
  const auto rule = [](const MeasuredRow& row) { return async_copy_conflicts(copy_of(row)); };
  const Score ca = score("cp.async.ca", counter, rule), cg = score("cp.async.cg", counter, rule);
  EXPECT_GE(ca.reproduced, 63);  // of 108: the rest depends on the order of arrival
  EXPECT_EQ(cg.reproduced, 36);
  EXPECT_FALSE(ca.exact);
}

TEST(OtherAccess, SharedAtomics) {
  const Score s =
      score("atom.shared", "data_pipe_lsu_wavefronts_mem_shared_op_atom",
            [](const MeasuredRow& row) { return shared_atomic_wavefronts(atomic_of(row, "shared")); });
  EXPECT_EQ(s.rows, 36);
  EXPECT_EQ(s.reproduced, 36);
  EXPECT_FALSE(s.exact);
}

TEST(OtherAccess, GlobalAtomics) {
  const auto rule = [](const MeasuredRow& row) { return global_atomic_sectors(atomic_of(row, "global")); };
  const Score red = score("red.global", "t_sectors_pipe_lsu_mem_global_op_red", rule);
  const Score atom = score("atom.global", "t_sectors_pipe_lsu_mem_global_op_atom", rule);
  EXPECT_EQ(red.rows + atom.rows, 108);
  EXPECT_EQ(red.reproduced, 72);
  EXPECT_EQ(atom.reproduced, 36);
  EXPECT_FALSE(red.exact);
}

TEST(OtherAccess, LdmatrixLooksAtItsOwnRowsOnly) {
  std::array<std::uint64_t, 32> rows{};
  for (int r = 0; r < 32; ++r)
    rows[r] = static_cast<std::uint64_t>(r) * 128;  // all rows of a matrix on four banks
  EXPECT_EQ(ldmatrix_wavefronts(rows, 1).value, 8);
  EXPECT_EQ(ldmatrix_wavefronts(rows, 4).value, 32);
  for (int r = 0; r < 32; ++r) rows[r] = static_cast<std::uint64_t>(r) * 144;  // padded by 16 bytes
  EXPECT_EQ(ldmatrix_wavefronts(rows, 4).value, 4);
  EXPECT_EQ(ldmatrix_wavefronts({}, 4).value, 0);
  EXPECT_EQ(ldmatrix_wavefronts(rows, 0).value, 0);
}

TEST(OtherAccess, NoActiveLaneCostsNothing) {
  AsyncCopy copy;
  copy.active = 0;
  EXPECT_EQ(
      async_copy_requests(copy).value + async_copy_sectors(copy).value + async_copy_conflicts(copy).value, 0);
  EXPECT_EQ(shared_atomic_wavefronts({AccessOp::store, 4, 0, {}}).value, 0);
  EXPECT_EQ(global_atomic_sectors({AccessOp::store, 4, 0, {}}).value, 0);
}

}  // namespace
}  // namespace warplens::analysis
