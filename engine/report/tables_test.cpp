#include "engine/report/tables.hpp"

#include <gtest/gtest.h>

#include "engine/trace/testing/ladder_run.hpp"

namespace warplens::report {
namespace {

using emulator::AccessCounts, emulator::Counters;

// Places of a kernel in file 0 (its own) that calls a function of its own file and one of a header (file 1).
struct Places {
  ptx::Program program;
  ptx::Function function;
  Places() {
    program.files = {"kernel.cu", "header.h"};
    function.locations = {
        {0, 30, 1, -1},  // 0: the kernel
        {0, 12, 1, 0},   // 1: a device function of the same file, called from line 30
        {1, 99, 1, 0},   // 2: a header's function, called from line 30
        {1, 98, 1, 1},   // 3: a header's function, called from the device function
        {0, 31, 1, -1},  // 4
        {1, 97, 1, -1},  // 5: a header's code that nothing called
        {0, 0, 0, -1},   // 6: ".loc 1 0 0" means no line
    };
    for (const int location : {0, 1, 2, 3, 4, 5, 6, -1}) {
      ptx::Instruction instruction;
      instruction.opcode = ptx::Opcode::exit;
      instruction.location = location;
      function.code.push_back(instruction);
    }
  }
};

TEST(Lines, InlinedCodeBelongsToTheKernelsOwnFile) {
  const Places places;
  const int file = kernel_file(places.function, places.program);
  EXPECT_EQ(file, 0);
  const int expected[] = {30, 12, 30, 12, 31, 0, 0, 0};
  for (std::size_t pc = 0; pc < places.function.code.size(); ++pc)
    EXPECT_EQ(kernel_line(places.function, pc, file), expected[pc]) << pc;
}

TEST(Lines, AddUpWithTheirShares) {
  const Places places;
  Counters counters;
  counters.instructions.resize(places.function.code.size());
  for (std::size_t pc = 0; pc < counters.instructions.size(); ++pc) {
    auto& row = counters.instructions[pc];
    row.executed = 10 + pc;
    row.lanes = 100;
  }
  auto& load = counters.instructions[2];
  load.requests = load.requests_in_ptx = 4;
  load.sectors = 30;
  load.ideal_sectors = 16;
  load.bytes_used = 512;
  load.space = ptx::Space::global;
  auto& store = counters.instructions[4];
  store = load;
  store.sectors = 10;
  auto& constant = counters.instructions[0];
  constant.requests = constant.requests_in_ptx = constant.sectors = 7;
  constant.space = ptx::Space::constant;
  const LineTable table = line_table(counters, places.function, places.program);
  EXPECT_EQ(table.file, "kernel.cu");
  ASSERT_EQ(table.rows.size(), 4u);
  EXPECT_EQ(table.rows[0].line, 0);
  EXPECT_EQ(table.rows[2].line, 30);
  EXPECT_EQ(table.rows[2].instructions, (std::vector<std::uint32_t>{0, 2}));
  EXPECT_EQ(table.rows[2].executed, 22u);
  EXPECT_EQ(table.rows[2].traffic.global.sectors, 30u);
  EXPECT_DOUBLE_EQ(table.rows[2].sector_share, 0.75);
  EXPECT_DOUBLE_EQ(table.rows[3].sector_share, 0.25 * 10 / 10);
  EXPECT_EQ(table.total.traffic.global.sectors, 40u) << "constants are no part of it";
  EXPECT_DOUBLE_EQ(table.total.sector_share, 1);
  EXPECT_DOUBLE_EQ(table.total.wavefront_share, 0);
}

void expect_sum(const AccessCounts& sum, std::initializer_list<AccessCounts> parts) {
  AccessCounts whole;
  for (const AccessCounts& part : parts) whole += part;
  EXPECT_TRUE(sum == whole) << sum.requests << " requests of " << whole.requests;
}

class LadderTables : public testing::TestWithParam<trace::LadderKernel> {};

TEST_P(LadderTables, TotalsAreThoseOfTheRun) {
  trace::LadderRun run(GetParam(), std::string(GetParam().name) == "k_f3" ? 192 : 128);
  const auto outcome = run.run(nullptr, 2);
  ASSERT_FALSE(outcome.fault);
  const Counters& counters = outcome.counters;
  const ptx::Function& function = run.bench().kernel()->function();
  const ptx::Program& program = run.bench().kernel()->program();
  const LineTable table = line_table(counters, function, program);
  EXPECT_EQ(table.file, "ladder.cu");
  EXPECT_EQ(table.total.executed, counters.warp_instructions);
  EXPECT_EQ(table.total.thread_instructions, counters.thread_instructions);
  expect_sum(table.total.traffic.global,
             {counters.global_load, counters.global_store, counters.global_atomic});
  expect_sum(table.total.traffic.shared,
             {counters.shared_load, counters.shared_store, counters.shared_atomic});
  expect_sum(table.total.traffic.mixed, {});
  double executed = 0, sectors = 0;
  for (const LineRow& row : table.rows) {
    executed += row.executed_share;
    sectors += row.sector_share;
  }
  EXPECT_NEAR(executed, 1, 1e-12);
  EXPECT_NEAR(sectors, 1, 1e-12);

  const auto rows = instruction_table(counters, function, program);
  ASSERT_EQ(rows.size(), function.code.size());
  for (const InstructionRow& row : rows) {
    EXPECT_EQ(row.pc, static_cast<std::uint32_t>(&row - rows.data()));
    EXPECT_FALSE(row.text.empty());
    EXPECT_LE(row.active_lanes, 32);
  }
}

INSTANTIATE_TEST_SUITE_P(Ladder, LadderTables, testing::ValuesIn(trace::ladder()),
                         [](const auto& tested) { return std::string(tested.param.name); });

// The tree of k_red: of 256 threads those with 2 d t < 256 add. A warp is split in the five rounds in which
// fewer than 32 threads do, and at the end, where thread 0 writes the sum.
TEST(Divergence, CountsTheWarpsThatAreSplit) {
  const auto& kernel = trace::ladder().back();
  ASSERT_STREQ(kernel.name, "k_red");
  trace::LadderRun run(kernel, 64);
  const std::uint64_t blocks = 64 * 64 / 256;
  for (const int threads : {1, 2}) {
    const auto outcome = run.run(nullptr, threads);
    std::uint64_t diverged = 0, most = 0;
    for (const auto& row : outcome.counters.instructions) {
      diverged += row.diverged;
      most = std::max(most, row.diverged);
      EXPECT_LE(row.diverged, row.executed);
    }
    EXPECT_EQ(diverged, 6 * blocks);
    EXPECT_EQ(most, 5 * blocks);
  }
  trace::LadderRun even(trace::ladder().front(), 64);
  for (const auto& row : even.run(nullptr, 1).counters.instructions) EXPECT_EQ(row.diverged, 0u);
}

}  // namespace
}  // namespace warplens::report
