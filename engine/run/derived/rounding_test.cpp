// The rounding of real kernels: of sums whose true values are known.
#include "engine/run/derived/rounding.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/run/testing/run_support.hpp"

namespace warplens::run {
namespace {

SharedRun ran(std::string_view id, std::string_view size) {
  const auto spec = kernels().find(id);
  return *run_of(*spec, {}, *problem::parse_sizes(**problem::find_problem(*spec), size));
}

double worst_of(std::string_view id) {
  const auto found = rounding_of(*ran(id, "1024"), 0, 0);
  EXPECT_TRUE(found) << id;
  return std::abs(found->threads[static_cast<std::size_t>(found->worst())].units_off());
}

class Rounding : public testing::Test {
  void SetUp() override {
    if (!compiler().available()) GTEST_SKIP() << "no NVRTC";
  }
};

TEST_F(Rounding, AnOrderOfAdditionsMayLoseEverything) {
  const auto found = rounding_of(*ran("sums/01_not_associative", "1024"), 0, 0);
  ASSERT_TRUE(found);
  for (std::size_t lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(found->threads[lane].exact, 1) << lane;
    EXPECT_EQ(found->threads[lane].result, lane % 2 == 0 ? 1 : 0) << lane;
  }
}

TEST_F(Rounding, EachStepOfTheSumsLosesLess) {
  const double down = worst_of("sums/02_descending"), up = worst_of("sums/03_ascending"),
               pairs = worst_of("sums/04_pairwise"), kept = worst_of("sums/05_kahan"),
               doubles = worst_of("sums/06_double");
  EXPECT_GT(down, up);
  EXPECT_GT(up, 1);
  EXPECT_GT(up, pairs);
  EXPECT_LE(kept, 1);
  EXPECT_LE(doubles, 0.5 + 1e-6);
}

// What a quotient or a sine lost before is not known, so nothing is said of the sums behind it.
TEST_F(Rounding, FollowsNoFunctions) {
  for (const char* id : {"arithmetic/03_division", "arithmetic/05_reciprocal", "arithmetic/14_sine"})
    EXPECT_FALSE(rounding_of(*ran(id, "65536"), 0, 0)) << id;
  EXPECT_TRUE(rounding_of(*ran("arithmetic/01_multiply_add", "65536"), 0, 0));
}

// All of them end at what the thread stored, and in pairs additions are made whose sums nobody uses.
TEST_F(Rounding, FollowsWhatTheResultIsMadeOf) {
  for (const char* id : {"sums/02_descending", "sums/04_pairwise"}) {
    const auto found = rounding_of(*ran(id, "1024"), 0, 1);
    ASSERT_TRUE(found) << id;
    const trace::ThreadRounding& thread = found->threads[5];
    EXPECT_DOUBLE_EQ(thread.steps.back().error, thread.error()) << id;
    EXPECT_EQ(thread.steps.size(), id[6] == '2' ? 1024u : 1023u) << id;
    EXPECT_EQ(thread.steps.back().read, 1024u) << id;
  }
}

TEST_F(Rounding, OfSumsThatThreadsShareThatIsSaid) {
  const auto shared = rounding_of(*ran("reduction/01_interleaved", "4096"), 0, 0);
  EXPECT_FALSE(shared);
  const auto none = rounding_of(*ran("transpose/01_naive", "64"), 0, 0);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message, "no thread of this warp stores a sum of floats");
}

}  // namespace
}  // namespace warplens::run
