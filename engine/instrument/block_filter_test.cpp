// Kernels that run in some blocks only: what these write and count is what they do in the emulator's own
// sample.
#include "engine/instrument/block_filter.hpp"

#include <gmock/gmock.h>

#include "engine/emulator/testing/emulator_support.hpp"
#include "engine/instrument/testing/instrument_support.hpp"

namespace warplens::instrument {
namespace {

using Totals = emulator::AccessCounts;

void expect_equal(const Totals& filtered, const Totals& sampled) {
  EXPECT_EQ(filtered.requests, sampled.requests);
  EXPECT_EQ(filtered.sectors, sampled.sectors);
  EXPECT_EQ(filtered.wavefronts, sampled.wavefronts);
  EXPECT_EQ(filtered.bytes_used, sampled.bytes_used);
}

class BlockFilter : public testing::TestWithParam<catalog::KernelSpec> {};

TEST_P(BlockFilter, CountsAndWritesWhatTheseBlocksDo) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  const auto subject = Subject::make(GetParam(), small_size(GetParam()));
  ASSERT_TRUE(subject) << to_line(subject.error());
  const auto blocks = run::sample_blocks(subject->blocks(), (subject->blocks() + 1) / 2);
  const std::string& ptx = subject->build().ptx;
  const auto text = with_blocks_only(ptx, subject->build().kernel_name, blocks, subject->blocks());
  ASSERT_TRUE(text) << to_line(text.error());
  const auto filtered = subject->run(*text), sampled = subject->run(ptx, {}, nullptr, blocks);
  ASSERT_TRUE(filtered) << to_line(filtered.error());
  ASSERT_TRUE(sampled) << to_line(sampled.error());
  ASSERT_FALSE(filtered->outcome.fault) << to_line(filtered->outcome.fault->error);
  EXPECT_EQ(filtered->output, sampled->output);
  const emulator::Counters &a = filtered->outcome.counters, &b = sampled->outcome.counters;
  expect_equal(a.global_load, b.global_load);
  expect_equal(a.global_store, b.global_store);
  expect_equal(a.shared_load, b.shared_load);
  expect_equal(a.shared_store, b.shared_store);
}

TEST_P(BlockFilter, IsTakenByPtxas) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  if (!std::filesystem::exists(kPtxas)) GTEST_SKIP() << "no ptxas here";
  const auto subject = Subject::make(GetParam(), small_size(GetParam()));
  ASSERT_TRUE(subject) << to_line(subject.error());
  const auto text =
      with_blocks_only(subject->build().ptx, {}, std::vector<std::uint64_t>{0}, subject->blocks());
  ASSERT_TRUE(text) << to_line(text.error());
  EXPECT_EQ(ptxas_complaint(*text, 90), "");
}

INSTANTIATE_TEST_SUITE_P(Repository, BlockFilter, testing::ValuesIn(recorded_kernels()),
                         [](const auto& tested) { return label_of(tested.param.id); });

// Every block of a grid of three dimensions that is not a multiple of 32 marks itself.
TEST(BlocksOnly, AreTheLinearIndicesOfTheGrid) {
  const std::string text =
      ".version 8.7\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 rows)\n{\n"
      ".reg .b32 %i, %n;\n.reg .b64 %a, %o;\nld.param.u64 %a, [rows];\n"
      "mov.u32 %i, %ctaid.z; mov.u32 %n, %nctaid.y; mul.lo.u32 %i, %i, %n; mov.u32 %n, %ctaid.y;\n"
      "add.u32 %i, %i, %n; mov.u32 %n, %nctaid.x; mul.lo.u32 %i, %i, %n; mov.u32 %n, %ctaid.x;\n"
      "add.u32 %i, %i, %n; mul.wide.u32 %o, %i, 4; add.u64 %a, %a, %o; st.global.u32 [%a], 7;\nret;\n}\n";
  const std::vector<std::uint64_t> blocks{0, 31, 32, 33, 64, 69};
  const auto filtered = with_blocks_only(text, "k", blocks, 70);
  ASSERT_TRUE(filtered) << to_line(filtered.error());
  emulator::Bench bench(*filtered);
  ASSERT_EQ(bench.error(), "");
  const auto place = bench.buffer("rows", std::vector<std::uint32_t>(70));
  emulator::Launch launch;
  launch.grid = {7, 5, 2};
  launch.arguments = emulator::ArgumentList().add(place).bytes();
  const auto outcome = bench.run(launch);
  ASSERT_TRUE(outcome) << to_line(outcome.error());
  ASSERT_FALSE(outcome->fault) << to_line(outcome->fault->error);
  const auto rows = bench.read<std::uint32_t>(place, 70);
  for (std::uint64_t b = 0; b < 70; ++b)
    EXPECT_EQ(rows[b], std::ranges::find(blocks, b) != blocks.end() ? 7u : 0u) << b;
}

TEST(BlocksOnly, SayWhatTheyCannotRewrite) {
  const std::string text = ".version 8.7\n.target sm_90\n.address_size 64\n.entry k\n{\nret;\n}\n";
  const auto unknown = with_blocks_only(text, "other", {}, 1);
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().message, "the PTX has no entry other");
  const auto many = with_blocks_only(text, "k", {}, 1'000'000);
  ASSERT_FALSE(many);
  EXPECT_THAT(to_line(many.error()), testing::HasSubstr("1000000 blocks"));
  EXPECT_THAT(to_line(many.error()), testing::HasSubstr("smaller size"));
}

}  // namespace
}  // namespace warplens::instrument
