// The order of findings, their names, and locks that are taken in opposite orders.
#include "engine/check/finding.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "engine/check/lock_order.hpp"
#include "engine/check/testing/checked_bench.hpp"

namespace warplens::check {
namespace {

using ::testing::ElementsAre;

Finding finding(Kind kind, Severity severity = Severity::error) {
  Finding finding;
  finding.kind = kind, finding.severity = severity;
  return finding;
}

TEST(Findings, CausesComeBeforeWhatComesOfThem) {
  Findings findings = {finding(Kind::wrong_result), finding(Kind::race_shared),
                       finding(Kind::divergent_barrier), finding(Kind::race_global, Severity::warning)};
  sort_by_cause(findings);
  std::vector<Kind> kinds;
  for (const Finding& one : findings) kinds.push_back(one.kind);
  EXPECT_THAT(kinds,
              ElementsAre(Kind::divergent_barrier, Kind::race_shared, Kind::wrong_result, Kind::race_global));
}

TEST(Findings, OnlyErrorsAreErrors) {
  EXPECT_FALSE(
      has_error({finding(Kind::trap, Severity::warning), finding(Kind::trap, Severity::information)}));
  EXPECT_TRUE(has_error({finding(Kind::trap, Severity::warning), finding(Kind::trap)}));
}

TEST(Findings, HaveNamesOfTheirOwn) {
  std::set<std::string_view> names;
  for (int kind = 0; kind <= static_cast<int>(Kind::no_effect); ++kind)
    EXPECT_TRUE(names.insert(name(static_cast<Kind>(kind))).second) << kind;
  EXPECT_FALSE(names.contains(""));
}

// Two threads of two blocks, which take the words at 0x1000 and 0x2000 one after the other, each in a loop until it has it.
class Locks : public testing::Test {
 protected:
  Locks() : bench_(ptx_of({"mov.u32 %r3, 0;"})) {}
  void SetUp() override { ASSERT_EQ(bench_.error(), ""); }
  // The second is taken in a loop of its own, the instructions 10 and 11.
  static constexpr std::uint32_t kGate = 0, kFirst = 5, kSecond = 10;
  void take(std::uint32_t block, std::uint64_t address, std::uint32_t pc, std::uint32_t turns = 2) {
    order_.take({{block, 0, 0}, address, 4, 0, 1, pc}, {.first = pc, .end = pc + turns});
  }
  void give_back(std::uint32_t block, std::uint64_t address) {
    order_.put({{block, 0, 0}, address, 4, 1, 0, 15});
  }
  void take_both(std::uint32_t block, std::uint64_t first, std::uint64_t second, std::uint32_t turns = 2) {
    take(block, first, kFirst), take(block, second, kSecond, turns);
    give_back(block, second), give_back(block, first);
  }
  std::size_t told() {
    LaunchFacts facts;
    facts.kernel = bench_.kernel(), facts.memory = &bench_.memory();
    Scene scene(std::move(facts));
    order_.tell(scene);
    return scene.findings().size();
  }

  emulator::Bench bench_;
  LockOrder order_;
};

TEST_F(Locks, TakenInOneOrderNobodyWaits) {
  take_both(0, 0x1000, 0x2000), take_both(1, 0x1000, 0x2000);
  EXPECT_FALSE(order_.is_any_held());
  EXPECT_EQ(told(), 0u);
}

TEST_F(Locks, TakenInOppositeOrdersEachMayWaitForTheOther) {
  take_both(0, 0x1000, 0x2000), take_both(1, 0x2000, 0x1000);
  EXPECT_EQ(told(), 1u);
}

TEST_F(Locks, BehindALockOfAllNobodyWaits) {
  for (const auto& [block, first, second] :
       {std::tuple(0u, 0x1000ul, 0x2000ul), std::tuple(1u, 0x2000ul, 0x1000ul)}) {
    take(block, 0x3000, kGate);
    take_both(block, first, second);
    give_back(block, 0x3000);
  }
  EXPECT_EQ(told(), 0u);
}

TEST_F(Locks, ThatAreTriedOnceNobodyWaitsFor) {
  take_both(0, 0x1000, 0x2000, 0), take_both(1, 0x2000, 0x1000, 0);
  EXPECT_EQ(told(), 0u);
}

TEST_F(Locks, OfOneThreadAreInNobodysWay) {
  take_both(0, 0x1000, 0x2000), take_both(0, 0x2000, 0x1000);
  EXPECT_EQ(told(), 0u);
}

}  // namespace
}  // namespace warplens::check
