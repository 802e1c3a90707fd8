// Kernels that say when their blocks ran: same results, one row a block, every way out, and a text that ptxas
// takes for every architecture.
#include "engine/instrument/block_times.hpp"

#include <gmock/gmock.h>

#include "engine/emulator/testing/emulator_support.hpp"
#include "engine/instrument/testing/instrument_support.hpp"

namespace warplens::instrument {
namespace {

std::vector<BlockTime> rows_of(std::span<const std::byte> bytes) {
  std::vector<BlockTime> rows(bytes.size() / sizeof(BlockTime));
  std::memcpy(rows.data(), bytes.data(), rows.size() * sizeof(BlockTime));
  return rows;
}

class BlockTimes : public testing::TestWithParam<catalog::KernelSpec> {};

TEST_P(BlockTimes, KeepTheResultAndFillARowABlock) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  const auto subject = Subject::make(GetParam(), small_size(GetParam()));
  ASSERT_TRUE(subject) << to_line(subject.error());
  const auto text = with_block_times(subject->build().ptx, subject->build().kernel_name);
  ASSERT_TRUE(text) << to_line(text.error());
  const auto plain = subject->run(subject->build().ptx);
  const auto timed = subject->run(*text, std::vector<std::byte>(subject->blocks() * sizeof(BlockTime)));
  ASSERT_TRUE(plain) << to_line(plain.error());
  ASSERT_TRUE(timed) << to_line(timed.error());
  ASSERT_FALSE(timed->outcome.fault) << to_line(timed->outcome.fault->error);
  EXPECT_EQ(timed->output, plain->output);
  const auto rows = rows_of(timed->extra);
  for (std::uint32_t b = 0; b < rows.size(); ++b) {
    EXPECT_EQ(rows[b].block, b);
    // The emulator's timer counts the instructions of a warp, from 0: the end is behind what the kernel does.
    EXPECT_GT(rows[b].end, rows[b].start + 10);
  }
}

TEST_P(BlockTimes, AreTakenByPtxas) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  if (!std::filesystem::exists(kPtxas)) GTEST_SKIP() << "no ptxas here";
  for (const int arch : {75, 90, 120}) {
    const auto subject = Subject::make(GetParam(), small_size(GetParam()), arch);
    ASSERT_TRUE(subject) << to_line(subject.error());
    if (!subject->missing_on(arch).empty()) continue;
    const auto text = with_block_times(subject->build().ptx);
    ASSERT_TRUE(text) << to_line(text.error());
    EXPECT_EQ(ptxas_complaint(*text, arch), "") << arch;
  }
}

INSTANTIATE_TEST_SUITE_P(Repository, BlockTimes, testing::ValuesIn(recorded_kernels()),
                         [](const auto& tested) { return label_of(tested.param.id); });

// Threads that leave early, by a guarded ret, an exit and the closing brace: the row has the last of them.
TEST(BlockTime, EndsWithTheLastThreadByEveryWayOut) {
  const std::string text =
      ".version 8.7\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n"
      ".reg .b32 %t, %i;\n.reg .pred %p, %q, %r;\nmov.u32 %t, %tid.y;\n"
      "setp.lt.u32 %p, %t, 3;\n@%p ret;\nsetp.ge.u32 %q, %t, 4;\n@!%q bra SHORT;\nmov.u32 %i, 0;\n"
      "LOOP: add.u32 %i, %i, 1; setp.lt.u32 %r, %i, 500; @%r bra LOOP;\nbra END;\nSHORT: exit;\nEND:\n}\n";
  const auto timed = with_block_times(text);
  ASSERT_TRUE(timed) << to_line(timed.error());
  emulator::Bench bench(*timed);
  ASSERT_EQ(bench.error(), "");
  const auto place = bench.buffer("rows", std::vector<BlockTime>(6));
  emulator::Launch launch;
  launch.grid = {3, 2, 1};
  launch.block = {16, 8, 1};
  launch.arguments = emulator::ArgumentList().add(place).bytes();
  const auto outcome = bench.run(launch);
  ASSERT_TRUE(outcome) << to_line(outcome.error());
  ASSERT_FALSE(outcome->fault) << to_line(outcome->fault->error);
  const auto rows = bench.read<BlockTime>(place, 6);
  for (std::uint32_t b = 0; b < 6; ++b) {
    EXPECT_EQ(rows[b].block, b);
    EXPECT_GT(rows[b].end, 1500u);  // the loop of three instructions, which only the last warps run
  }
  if (!std::filesystem::exists(kPtxas)) return;
  EXPECT_EQ(ptxas_complaint(*timed, 90), "");
}

// A later launch needs no cleared buffer: time only grows.
TEST(BlockTime, RowsMayBeUsedAgain) {
  const std::string text = ".version 8.7\n.target sm_90\n.address_size 64\n.entry k\n{\nret;\n}\n";
  const auto timed = with_block_times(text, "k");
  ASSERT_TRUE(timed) << to_line(timed.error());
  emulator::Bench bench(*timed);
  ASSERT_EQ(bench.error(), "");
  const auto place = bench.buffer("rows", std::vector<BlockTime>{{7, 7, 1u << 30, 5}});
  emulator::Launch launch;
  launch.arguments = emulator::ArgumentList().add(place).bytes();
  ASSERT_TRUE(bench.run(launch));
  const BlockTime row = bench.read<BlockTime>(place, 1).front();
  EXPECT_EQ(row.block, 0u);
  EXPECT_LT(row.start, row.end);
}

TEST(BlockTime, SaysWhatItCannotRewrite) {
  const auto unknown = with_block_times(".version 8.7\n.target sm_90\n.address_size 64\n", "k");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().message, "the PTX has no entry k");
  const auto broken = with_block_times(".version 8.7\n.target sm_90\n.entry k() { what %r1; }\n");
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().place.line, 3);
}

}  // namespace
}  // namespace warplens::instrument
