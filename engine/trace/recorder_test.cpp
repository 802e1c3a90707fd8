// The recorder by hand: events in every form, chunks, budgets, the order of blocks.
#include "engine/trace/recorder.hpp"

#include <gtest/gtest.h>

#include <random>

namespace warplens::trace {
namespace {

using emulator::AccessEvent, emulator::AccessKind;

AccessEvent affine(std::uint32_t pc, std::uint64_t base, std::int64_t stride, std::uint32_t active = ~0u) {
  AccessEvent event;
  event.pc = pc;
  event.active = active;
  event.base = base;
  event.stride = stride;
  event.space = ptx::Space::shared;
  return event;
}

TEST(Recorder, GivesBackWhatItWasTold) {
  Recorder recorder;
  auto* block = recorder.begin_block(3);
  AccessEvent event = affine(5, 128, 4);
  event.kind = AccessKind::store;
  event.width = 16;
  block->on_access(event);
  block->on_barrier(6);
  event = affine(7, emulator::kGlobalBase + 4096, -8, 0xf0u);
  event.space = ptx::Space::global;
  event.warp = 2;
  block->on_access(event);
  recorder.end_block(3);
  const Trace trace = recorder.finish();

  ASSERT_EQ(trace.blocks().size(), 1u);
  EXPECT_EQ(trace.blocks()[0].block, 3u);
  EXPECT_EQ(trace.events(), 2u);
  EXPECT_EQ(trace.dropped(), 0u);
  const Access first = trace.access(0, 0), second = trace.access(0, 1);
  EXPECT_EQ(first.pc, 5u);
  EXPECT_EQ(first.warp, 0u);
  EXPECT_EQ(first.width, 16);
  EXPECT_EQ(first.kind, AccessKind::store);
  EXPECT_EQ(first.space, ptx::Space::shared);
  for (std::uint64_t lane = 0; lane < 32; ++lane) EXPECT_EQ(first.address[lane], 128 + 4 * lane);
  EXPECT_EQ(second.block, 3u);
  EXPECT_EQ(second.event, 1u);
  EXPECT_EQ(second.warp, 2u);
  EXPECT_EQ(second.active, 0xf0u);
  for (std::uint64_t lane = 0; lane < 32; ++lane)
    EXPECT_EQ(second.address[lane], lane >= 4 && lane < 8 ? emulator::kGlobalBase + 4096 - 8 * lane : 0);
  ASSERT_EQ(trace.barriers(0).size(), 1u);
  EXPECT_EQ(trace.barriers(0)[0], (Barrier{1, 6}));
}

// However the emulator reports an access, the trace is the same.
TEST(Recorder, OneAccessHasOneRecord) {
  std::array<std::uint64_t, 32> addresses{};
  std::array<std::uint32_t, 32> offsets{};
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    addresses[lane] = 1000 + 12 * lane;
    offsets[lane] = 500 + 12 * lane;
  }
  addresses[0] = offsets[0] = 77;  // not active
  AccessEvent a = affine(4, 1000, 12, ~1u), b = affine(4, 0, 0, ~1u), c = affine(4, 500, 0, ~1u), d = c;
  b.addresses = addresses.data();
  c.offsets = offsets.data();
  d.offsets = offsets.data();
  d.pattern = 9;
  const auto record = [](std::initializer_list<AccessEvent> events) {
    Recorder recorder;
    auto* block = recorder.begin_block(0);
    for (const AccessEvent& event : events) block->on_access(event);
    recorder.end_block(0);
    return recorder.finish();
  };
  const Trace plain = record({a, a, a, a, a});
  EXPECT_EQ(plain.shapes(), 1u);
  EXPECT_TRUE(plain == record({a, b, c, d, d}));
  EXPECT_TRUE(plain == record({d, c, b, a, d}));
  EXPECT_FALSE(plain == record({a, a, a, a}));
}

// Patterns are numbered within a block: the next block may use the same number for another one.
TEST(Recorder, PatternNumbersEndWithTheBlock) {
  Recorder recorder;
  for (std::uint32_t block = 0; block < 2; ++block) {
    auto* observer = recorder.begin_block(block);
    std::array<std::uint32_t, 32> offsets{};
    for (std::uint32_t lane = 0; lane < 32; ++lane) offsets[lane] = lane * lane * (block + 1);
    AccessEvent event = affine(1, 0, 0);
    event.offsets = offsets.data();
    event.pattern = 1;
    observer->on_access(event);
    recorder.end_block(block);
  }
  const Trace trace = recorder.finish();
  EXPECT_EQ(trace.access(0, 0).address[5], 25u);
  EXPECT_EQ(trace.access(1, 0).address[5], 50u);
}

TEST(Recorder, WideColumnsWhereNeeded) {
  Recorder recorder;
  auto* block = recorder.begin_block(0);
  std::mt19937_64 random(2);
  std::vector<std::array<std::uint64_t, 32>> all(70'000);  // more shapes than 16 bits can number
  for (auto& addresses : all) {
    for (auto& address : addresses) address = emulator::kGlobalBase + (random() & 0x7'ffff'fffcu);
    AccessEvent event = affine(2, 0, 0);
    event.space = ptx::Space::global;
    event.addresses = addresses.data();
    block->on_access(event);
  }
  recorder.end_block(0);
  const Trace trace = recorder.finish();
  ASSERT_EQ(trace.events(), all.size());
  for (std::uint32_t e = 0; e < all.size(); ++e) ASSERT_EQ(trace.access(0, e).address, all[e]) << e;
}

TEST(Recorder, TakesTheChosenBlocksOnly) {
  Recorder list({.blocks = {9, 2}});
  EXPECT_EQ(list.begin_block(1), nullptr);
  EXPECT_NE(list.begin_block(2), nullptr);
  EXPECT_NE(list.begin_block(9), nullptr);
  list.end_block(1);
  list.end_block(9);
  list.end_block(2);
  Recorder predicate({.wants = [](std::uint64_t block) { return block % 2 == 0; }});
  EXPECT_EQ(predicate.begin_block(1), nullptr);
  EXPECT_NE(predicate.begin_block(4), nullptr);
  predicate.end_block(4);
  const Trace trace = list.finish();
  ASSERT_EQ(trace.blocks().size(), 2u);
  EXPECT_EQ(trace.blocks()[0].block, 2u);
  EXPECT_EQ(trace.find_block(9), 1u);
  EXPECT_EQ(trace.find_block(3), std::nullopt);
  EXPECT_EQ(predicate.finish().blocks().size(), 1u);
}

// Blocks of `events` accesses each, run in the order given, `at_once` of them taking turns.
Trace interleaved(std::vector<std::uint64_t> order, std::size_t at_once, std::uint32_t events,
                  std::uint64_t budget, std::uint64_t turn) {
  Recorder recorder({.byte_budget = budget});
  struct Running {
    std::uint64_t block;
    emulator::BlockObserver* observer;
    std::uint32_t done;
  };
  std::vector<Running> running;
  std::mt19937_64 random(turn);
  std::size_t next = 0;
  while (next < order.size() || !running.empty()) {
    if (next < order.size() && running.size() < at_once) {
      running.push_back({order[next], recorder.begin_block(order[next]), 0});
      ++next;
      continue;
    }
    const std::size_t r = random() % running.size();
    for (int i = 0; i < 700 && running[r].done < events; ++i, ++running[r].done) {
      const std::uint32_t e = running[r].done;
      AccessEvent event = affine(e % 11, e * 4, 4 * (e % 5), e % 100 == 99 ? 0xffffu : ~0u);
      event.warp = e / 50 % 4;
      running[r].observer->on_access(event);
      if (e % 1000 == 999) running[r].observer->on_barrier(3);
    }
    if (running[r].done < events) continue;
    recorder.end_block(running[r].block);
    running.erase(running.begin() + static_cast<std::ptrdiff_t>(r));
  }
  return recorder.finish();
}

TEST(Recorder, TheBudgetCutsTheSameWayInAnyOrder) {
  constexpr std::uint32_t kEvents = 20'000;
  const Trace whole = interleaved({0, 1, 2, 3, 4, 5}, 1, kEvents, std::uint64_t{1} << 30, 0);
  EXPECT_EQ(whole.dropped(), 0u);
  EXPECT_EQ(whole.events(), 6u * kEvents);
  for (const std::uint64_t budget : {0u, 100u, 3'000u, 100'000u, 130'000u, 200'000u, 400'000u, 700'000u}) {
    const Trace serial = interleaved({0, 1, 2, 3, 4, 5}, 1, kEvents, budget, 0);
    for (std::uint64_t turn = 1; turn < 6; ++turn) {
      EXPECT_TRUE(serial == interleaved({0, 1, 2, 3, 4, 5}, 3, kEvents, budget, turn)) << budget;
      EXPECT_TRUE(serial == interleaved({1, 0, 3, 2, 5, 4}, 2, kEvents, budget, turn)) << budget;
      EXPECT_TRUE(serial == interleaved({5, 4, 3, 2, 1, 0}, 6, kEvents, budget, turn)) << budget;
    }
    EXPECT_LE(serial.bytes(), budget + 1000) << "a header for the trace and each of the blocks";
    EXPECT_EQ(serial.events() + serial.dropped(), 6u * kEvents);
    bool cut = false;
    for (std::size_t b = 0; b < 6; ++b) {
      const auto& summary = serial.blocks()[b];
      EXPECT_EQ(summary.events + summary.dropped, kEvents);
      EXPECT_TRUE(!cut || summary.events == 0) << "blocks behind the cut are empty";
      cut |= summary.dropped != 0;
      for (std::uint32_t e = 0; e < summary.events; e += 17) {
        const Access kept = serial.access(b, e), same = whole.access(b, e);
        ASSERT_EQ(kept.pc, same.pc);
        ASSERT_EQ(kept.warp, same.warp);
        ASSERT_EQ(kept.active, same.active);
        ASSERT_EQ(kept.address, same.address);
      }
    }
    EXPECT_EQ(cut, serial.dropped() != 0);
  }
}

TEST(Recorder, LeavesOutBlocksBehindAFault) {
  Recorder recorder;
  for (std::uint64_t block : {0u, 1u, 2u, 3u}) {
    recorder.begin_block(block)->on_access(affine(0, 0, 4));
    recorder.end_block(block);
  }
  emulator::Fault fault;
  fault.block = 1;
  EXPECT_EQ(recorder.finish(fault).blocks().size(), 2u);
}

TEST(Trace, AnEmptyOneIsEmpty) {
  Recorder recorder;
  const Trace trace = recorder.finish();
  EXPECT_EQ(trace.events(), 0u);
  EXPECT_TRUE(trace.blocks().empty());
  EXPECT_TRUE(trace == Recorder().finish());
}

}  // namespace
}  // namespace warplens::trace
