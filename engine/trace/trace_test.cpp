// Traces of the ladder kernels against a list of all events, and what recording may not change.
#include "engine/trace/trace.hpp"

#include <gtest/gtest.h>

#include <map>
#include <mutex>

#include "engine/trace/recorder.hpp"
#include "engine/trace/testing/ladder_run.hpp"

namespace warplens::trace {
namespace {

constexpr std::uint32_t kN = 128;
constexpr std::uint32_t kF3 = 192;  // k_f3 takes three elements a thread, 256 threads a block

std::uint32_t size_for(const LadderKernel& kernel) { return std::string(kernel.name) == "k_f3" ? kF3 : kN; }

// Everything, the plain way.
struct PlainList : emulator::Observer {
  struct Block : emulator::BlockObserver {
    std::vector<Access> accesses;
    std::vector<Barrier> barriers;
    void on_access(const emulator::AccessEvent& event) override {
      Access access;
      access.event = static_cast<std::uint32_t>(accesses.size());
      access.pc = event.pc;
      access.warp = event.warp;
      access.space = event.space;
      access.kind = event.kind;
      access.width = event.width;
      access.active = event.active;
      for (std::uint32_t lane = 0; lane < 32; ++lane)
        if ((event.active >> lane & 1u) != 0) access.address[lane] = event.address(lane);
      accesses.push_back(access);
    }
    void on_barrier(std::uint32_t pc) override {
      barriers.push_back({static_cast<std::uint32_t>(accesses.size()), pc});
    }
  };
  std::mutex mutex;
  std::map<std::uint64_t, Block> blocks;
  emulator::BlockObserver* begin_block(std::uint64_t block) override {
    const std::lock_guard lock(mutex);
    return &blocks[block];
  }
};

void expect_equal(const Access& got, const Access& expected) {
  ASSERT_EQ(got.event, expected.event);
  ASSERT_EQ(got.pc, expected.pc);
  ASSERT_EQ(got.warp, expected.warp);
  ASSERT_EQ(got.space, expected.space);
  ASSERT_EQ(got.kind, expected.kind);
  ASSERT_EQ(got.width, expected.width);
  ASSERT_EQ(got.active, expected.active);
  ASSERT_EQ(got.address, expected.address);
}

class LadderTrace : public testing::TestWithParam<LadderKernel> {};

TEST_P(LadderTrace, HoldsEveryEventInOrder) {
  LadderRun run(GetParam(), size_for(GetParam()));
  ASSERT_EQ(run.bench().error(), "");
  PlainList plain;
  ASSERT_FALSE(run.run(&plain, 2).fault);
  Recorder recorder;
  const auto outcome = run.run(&recorder, 2);
  const Trace trace = recorder.finish(outcome.fault);
  ASSERT_EQ(trace.blocks().size(), plain.blocks.size());
  for (const auto& [block, list] : plain.blocks) {
    const auto b = trace.find_block(block);
    ASSERT_TRUE(b);
    ASSERT_EQ(trace.blocks()[*b].events, list.accesses.size());
    ASSERT_TRUE(std::equal(list.barriers.begin(), list.barriers.end(), trace.barriers(*b).begin(),
                           trace.barriers(*b).end()));
    std::size_t at = 0;
    trace.for_each(*b, [&](const Access& access) { expect_equal(access, list.accesses[at++]); });
    ASSERT_EQ(at, list.accesses.size());
    for (std::uint32_t e = 0; e < list.accesses.size(); e += 97)
      expect_equal(trace.access(*b, e), list.accesses[e]);
  }
}

TEST_P(LadderTrace, IsTheSameOnAnyNumberOfThreadsAndAnyInstructionSet) {
  LadderRun run(GetParam(), size_for(GetParam()));
  for (const std::uint64_t budget : {std::uint64_t{256} << 20, std::uint64_t{50'000}}) {
    std::vector<Trace> traces;
    for (const int threads : {1, 2, 2, 3})
      for (const emulator::Isa isa : {emulator::Isa::sse2, emulator::best_isa()}) {
        Recorder recorder({.byte_budget = budget});
        const auto outcome = run.run(&recorder, threads, isa);
        ASSERT_FALSE(outcome.fault);
        traces.push_back(recorder.finish(outcome.fault));
      }
    for (const Trace& trace : traces) EXPECT_TRUE(trace == traces.front());
    EXPECT_GT(traces.front().events(), 0u);
  }
}

TEST_P(LadderTrace, TakesAtMost16BytesAnAccess) {
  LadderRun run(GetParam(), size_for(GetParam()));
  Recorder recorder;
  const auto outcome = run.run(&recorder, 2);
  const Trace trace = recorder.finish(outcome.fault);
  const double bytes = static_cast<double>(trace.bytes()) / static_cast<double>(trace.events());
  RecordProperty("bytes_per_access", std::to_string(bytes));
  EXPECT_LE(bytes, 16.0);
  EXPECT_EQ(trace.events(), outcome.counters.global_load.requests + outcome.counters.global_store.requests +
                                outcome.counters.shared_load.requests +
                                outcome.counters.shared_store.requests);
}

TEST_P(LadderTrace, RecordingChangesNothing) {
  const auto row_of = [](const emulator::InstructionCounters& r) {
    return std::array{r.executed,      r.lanes,      r.requests,         r.requests_in_ptx, r.sectors,
                      r.ideal_sectors, r.wavefronts, r.ideal_wavefronts, r.bytes_used,      r.diverged};
  };
  LadderRun reference(GetParam(), size_for(GetParam()));
  const auto expected = reference.run(nullptr, 1);
  ASSERT_FALSE(expected.fault);
  for (const int threads : {1, 2})
    for (const std::uint64_t budget : {std::uint64_t{256} << 20, std::uint64_t{10'000}}) {
      LadderRun run(GetParam(), size_for(GetParam()));
      Recorder recorder({.byte_budget = budget});
      const auto outcome = run.run(&recorder, threads);
      EXPECT_EQ(run.output(), reference.output());
      EXPECT_EQ(outcome.counters.warp_instructions, expected.counters.warp_instructions);
      EXPECT_EQ(outcome.counters.thread_instructions, expected.counters.thread_instructions);
      EXPECT_EQ(outcome.counters.barriers, expected.counters.barriers);
      EXPECT_EQ(outcome.counters.blocks_run, expected.counters.blocks_run);
      ASSERT_EQ(outcome.counters.instructions.size(), expected.counters.instructions.size());
      for (std::size_t pc = 0; pc < outcome.counters.instructions.size(); ++pc)
        EXPECT_EQ(row_of(outcome.counters.instructions[pc]), row_of(expected.counters.instructions[pc]))
            << pc;
    }
}

TEST_P(LadderTrace, FindsByWarpAndPc) {
  LadderRun run(GetParam(), size_for(GetParam()));
  Recorder recorder({.blocks = {1}});
  const auto outcome = run.run(&recorder, 2);
  const Trace trace = recorder.finish(outcome.fault);
  ASSERT_EQ(trace.blocks().size(), 1u);
  EXPECT_EQ(trace.blocks()[0].block, 1u);
  const PcIndex index(trace, 0);
  std::size_t total = 0;
  for (const std::uint32_t pc : index.pcs()) {
    std::vector<std::uint32_t> merged;
    for (std::uint32_t warp = 0; warp < 32; ++warp)
      for (const std::uint32_t event : trace.find(0, {.warp = warp, .pc = pc})) {
        EXPECT_EQ(trace.warp(0, event), warp);
        EXPECT_EQ(trace.pc(0, event), pc);
        const Access access = trace.access(0, event);
        const auto first = trace.first_address(0, event);
        ASSERT_EQ(first.has_value(), access.active != 0);
        if (first) {
          EXPECT_EQ(*first, access.address[first_lane(access.active)]);
        }
        merged.push_back(event);
      }
    std::sort(merged.begin(), merged.end());
    EXPECT_TRUE(std::equal(merged.begin(), merged.end(), index.events(pc).begin(), index.events(pc).end()));
    EXPECT_EQ(merged, trace.find(0, {.pc = pc}));
    total += merged.size();
  }
  EXPECT_EQ(total, trace.blocks()[0].events);
  EXPECT_EQ(trace.find(0, {}).size(), total);
  EXPECT_TRUE(index.events(1'000'000).empty());
}

INSTANTIATE_TEST_SUITE_P(Ladder, LadderTrace, testing::ValuesIn(ladder()),
                         [](const auto& tested) { return std::string(tested.param.name); });

}  // namespace
}  // namespace warplens::trace
