// What each bank gives one access, on devices that serve whole warps and half-warps.
#include "viz/figures/access/bank_words.hpp"

#include <gtest/gtest.h>

#include "engine/report/pieces.hpp"
#include "viz/figures/testing/recorded_run.hpp"

namespace warplens::figures {
namespace {

// The strip's number explains the wavefronts on 1.x, too, where few words can take many turns.
TEST(BankWords, OfHalfWarpsAreTurns) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  const auto run = record("matmul/03_shared_tile", "128", {{"TILE", 12}});
  ASSERT_NE(run, nullptr);
  const run::Run old = on(*run, run::device_named("1.3"));
  int conflicts = 0;
  const auto& accesses = old.stories[0]->accesses();
  for (std::uint32_t step = 0; step < accesses.of_warp(0).size(); ++step) {
    const trace::Access access = *accesses.at(0, step);
    if (access.space != ptx::Space::shared) continue;
    const BankWords asked = words_by_bank(old, access);
    const auto pieces = report::access_pieces(access, old.kernel->function().code[access.pc], old.device());
    EXPECT_EQ(asked.words.size(), 16u);
    EXPECT_TRUE(asked.by_halves);
    EXPECT_EQ(asked.has_conflict(), pieces.units > pieces.ideal);
    EXPECT_EQ(asked.has_conflict(), asked.most() > 1);
    EXPECT_LE(pieces.units, asked.most() * pieces.shared.phases);  // no half-warp waits longer
    EXPECT_FALSE(words_by_bank(*run, access).by_halves);
    conflicts += asked.has_conflict() ? 1 : 0;
  }
  EXPECT_GT(conflicts, 0);
}

}  // namespace
}  // namespace warplens::figures
