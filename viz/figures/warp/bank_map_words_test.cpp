// What the bank map says of the line that loses most.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/explain/facts.hpp"
#include "viz/figures/testing/recorded_run.hpp"
#include "viz/figures/warp/bank_map.hpp"

namespace warplens::figures {
namespace {

// Rounds of a tree meet in banks more and more: what is said of the line is said of its worst access, not of the first.
TEST(BankMapWords, SpeakOfTheWorstAccess) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  const auto run = record("reduction/02_strided", "65536");
  ASSERT_NE(run, nullptr);
  const BankMap map = bank_map_of(*run, 0);
  const explain::Explanation said = bank_map_words(map, *run, 0, nullptr);
  EXPECT_NE(said.why.find("; at the worst of its accesses 8 lanes share a bank"), std::string::npos)
      << said.why;
  const auto worst = std::ranges::max_element(
      map.lines, {}, [](const BankMap::Line& line) { return line.wavefronts - line.ideal; });
  const auto access = study::worst_access(*run, 0, worst->line);
  ASSERT_TRUE(access);
  EXPECT_FALSE(access->is_as_all);
  const auto facts = explain::facts_at(*run, {0, access->warp, access->access});
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->pieces.units - facts->pieces.ideal, 7);
  EXPECT_FALSE(study::worst_access(*run, 0, 1)) << "a line without accesses";
}

}  // namespace
}  // namespace warplens::figures
