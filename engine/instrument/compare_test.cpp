// Comparing two traces of one launch, by hand.
#include "engine/instrument/compare.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "engine/trace/recorder.hpp"

namespace warplens::instrument {
namespace {

struct Made {
  std::uint32_t pc, active;
  std::uint64_t base = 0;
  ptx::Space space = ptx::Space::global;
};

trace::Trace trace_of(const std::vector<Made>& accesses) {
  trace::Recorder recorder;
  auto* block = recorder.begin_block(0);
  for (const Made& made : accesses) {
    emulator::AccessEvent event;
    event.pc = made.pc;
    event.active = made.active;
    event.space = made.space;
    event.base = emulator::kGlobalBase + made.base;
    event.stride = 4;
    block->on_access(event);
  }
  recorder.end_block(0);
  return recorder.finish();
}

constexpr std::uint32_t kAll = ~0u, kLow = 0xffffu, kHigh = 0xffff0000u;

TEST(CompareTraces, SidesOfABranchMayTakeOtherTurns) {
  const auto emulated = trace_of({{1, kAll}, {2, kLow}, {3, kLow}, {4, kHigh}, {5, kAll}});
  const auto turned =
      compare_traces(emulated, trace_of({{1, kAll}, {4, kHigh}, {2, kLow}, {3, kLow}, {5, kAll}}));
  EXPECT_EQ(turned.different, 0u) << turned.first;
  EXPECT_EQ(turned.reordered, 1u);
  EXPECT_EQ(compare_traces(emulated, emulated).reordered, 0u);
}

TEST(CompareTraces, ALaneThatGoesAnotherWayIsDifferent) {
  const auto emulated = trace_of({{1, kAll}, {2, kLow}, {3, kLow}, {4, kHigh}});
  const std::vector<std::vector<Made>> others = {
      {{1, kAll}, {3, kLow}, {2, kLow}, {4, kHigh}},                // its own accesses in another order
      {{1, kAll}, {2, kLow}, {3, kLow}, {4, kHigh, 4}},             // another address
      {{1, kAll}, {2, kLow}, {3, kLow}, {4, kHigh & (kHigh - 1)}},  // without one lane
      {{1, kAll}, {2, kLow}, {3, kLow}},
      {{1, kAll}, {2, kLow}, {3, kLow}, {4, kHigh}, {4, kHigh}},
      {{2, kLow}, {1, kAll}, {3, kLow}, {4, kHigh}},  // before the warp parted
  };
  for (const auto& other : others) {
    const auto compared = compare_traces(emulated, trace_of(other));
    EXPECT_EQ(compared.different, 1u);
    EXPECT_EQ(compared.reordered, 0u);
    EXPECT_NE(compared.first, "");
  }
}

TEST(CompareTraces, ConstantsAreNotRecordedAndNotMissed) {
  const auto emulated = trace_of({{1, kAll}, {2, kAll, 0, ptx::Space::constant}, {3, kAll}});
  const auto compared = compare_traces(emulated, trace_of({{1, kAll}, {3, kAll}}));
  EXPECT_EQ(compared.different, 0u) << compared.first;
  EXPECT_EQ(compared.accesses, 2u);
}

}  // namespace
}  // namespace warplens::instrument
