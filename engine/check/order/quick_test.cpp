// The quick way of an access leaves behind what the close one does, and never passes over a race.
#include "engine/check/order/quick.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "engine/check/races.hpp"
#include "engine/emulator/testing/emulator_support.hpp"

namespace warplens::check {
namespace {

constexpr std::uint32_t kWarps = 4, kWords = 6, kInstructions = 8, kAll = ~0u;

std::string text_of_kernel() {
  std::string text =
      ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry kernel()\n{\n.reg .b32 %r<2>;\n";
  for (std::uint32_t i = 0; i < kInstructions; ++i) text += "mov.u32 %r1, 1;\n";
  return text + "ret;\n}\n";
}

// The words of some memory, and what was found there.
struct Watched {
  explicit Watched(const emulator::Bench& bench)
      : scene(facts_of(bench)), races(scene, hand_overs), cells(kWords) {}
  static LaunchFacts facts_of(const emulator::Bench& bench) {
    LaunchFacts facts;
    facts.kernel = bench.kernel();
    facts.block = {kWarps * 32, 1, 1};
    return facts;
  }
  void access(const Order& order, std::uint32_t word, const Stamp& now, Access kind) {
    races.access(order, cells, cells[word], now, kind, false, {true, word * 4, 4});
  }
  int found() {
    return std::accumulate(scene.findings().begin(), scene.findings().end(), 0,
                           [](int sum, const Finding& finding) { return sum + finding.times; });
  }

  Scene scene;
  HandOvers hand_overs;
  Races races;
  Cells cells;
};

bool same_stamp(Moments& one, Mark a, Moments& other, Mark b) {
  const Stamp x = one.stamp(a), y = other.stamp(b);
  return static_cast<const Moment&>(x) == y && x.lanes == y.lanes && x.bytes == y.bytes;
}

bool same_words(Watched& one, Watched& other) {
  for (std::uint32_t word = 0; word < kWords; ++word) {
    const Cell &a = one.cells[word], &b = other.cells[word];
    Moments &x = one.cells.moments(), &y = other.cells.moments();
    if (!same_stamp(x, a.write, y, b.write) || !same_stamp(x, a.reads[0], y, b.reads[0]) ||
        !same_stamp(x, a.reads[1], y, b.reads[1]))
      return false;
  }
  return true;
}

class QuickAccesses : public testing::TestWithParam<int> {};

TEST_P(QuickAccesses, LeaveWhatCloseOnesLeave) {
  const emulator::Bench bench(text_of_kernel());
  ASSERT_EQ(bench.error(), "");
  Watched quickly(bench), closely(bench);
  Channels channels;
  Order order(0, kWarps, channels);
  std::mt19937 random(static_cast<unsigned>(GetParam()));
  const auto below = [&](std::uint32_t end) { return static_cast<std::uint32_t>(random() % end); };
  int quick_ones = 0, close_ones = 0;
  for (int step = 0; step < 3000; ++step) {
    order.next_step();
    if (step % 100 == 99) quickly.cells.tidy(0);
    const std::uint32_t warp = below(kWarps), choice = below(10), pc = below(kInstructions);
    if (choice == 0) {
      std::vector<emulator::BarrierArrival> all;
      for (std::uint32_t w = 0; w < kWarps; ++w) all.push_back({w, pc, kAll, kAll});
      order.barrier(0, all);
      continue;
    }
    if (choice == 1) {
      order.meet(warp, below(2) == 0 ? kAll : 0xffffu, kAll);
      continue;
    }
    const Access kind = choice < 4 ? Access::store : Access::load;
    Stamp now = order.stamp(warp, pc, 0);
    now.bytes = 15;
    QuickAccess quick(order, {&quickly.cells, 0, false}, now, 4, false);
    for (std::uint32_t word = below(kWords); word < kWords; word += 1 + below(3)) {
      now.lanes = kind == Access::store ? 1u << below(3) : 1u + below(7);
      Cell& cell = quickly.cells[word];
      const bool is_usual =
          kind == Access::store ? quick.store(cell, now.lanes) : quick.load(cell, now.lanes);
      if (!is_usual) quickly.access(order, word, now, kind);
      closely.access(order, word, now, kind);
      ++(is_usual ? quick_ones : close_ones);
    }
    ASSERT_TRUE(same_words(quickly, closely)) << "step " << step;
    ASSERT_EQ(quickly.found(), closely.found()) << "step " << step;
  }
  EXPECT_GT(quick_ones, 500);
  EXPECT_GT(close_ones, 500);
  EXPECT_GT(closely.found(), 0);
  quickly.cells.tidy(0);
  EXPECT_LT(quickly.cells.moments().count(), 2 * (3 * kWords + 1) + 100u);
  EXPECT_GT(closely.cells.moments().count(), 1000u);
}

INSTANTIATE_TEST_SUITE_P(Seeds, QuickAccesses, testing::Range(1, 9));

}  // namespace
}  // namespace warplens::check
