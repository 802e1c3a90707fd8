// Which value of a slider mends a cost: one that removes it, and no other that only makes the kernel quicker.
#include "app/window/model/ladder/own_cure.hpp"

#include <gtest/gtest.h>

namespace warplens::app {
namespace {

using explain::CostKind;

Slider slider(const std::string& name, std::int64_t value, const std::vector<std::int64_t>& values) {
  Slider made;
  made.parameter = {name, value, values, "what it is"};
  made.value = value;
  for (const std::int64_t each : values) made.choices.push_back({each, true, ""});
  return made;
}

time::Prediction takes(double seconds, double useful_wavefronts) {
  time::Prediction prediction;
  prediction.seconds = seconds, prediction.useful_wavefronts = useful_wavefronts;
  return prediction;
}

class OwnCures : public testing::Test {
 protected:
  std::optional<OwnCure> cure(CostKind cost = CostKind::wasted_load_wavefronts) const {
    return own_cure(sliders_, {{"BK", 8}, {"PAD", 0}}, sets_, takes(10, 0.5), cost);
  }
  std::vector<Slider> sliders_{slider("BK", 8, {8, 16}), slider("PAD", 0, {0, 4, 8})};
  PredictedSets sets_;
};

TEST_F(OwnCures, RemovesWhatIsNamed) {
  sets_.note({{"BK", 16}, {"PAD", 0}}, takes(7, 0.55));
  sets_.note({{"BK", 8}, {"PAD", 4}}, takes(8, 0.9));
  EXPECT_FALSE(cure()) << "one of them is not predicted yet";
  sets_.note({{"BK", 8}, {"PAD", 8}}, takes(8.5, 1));
  ASSERT_TRUE(cure());
  EXPECT_EQ(cure()->parameter.name, "PAD") << "with BK 16 it is quicker, and the conflicts stay";
  EXPECT_EQ(cure()->value, 4);
  EXPECT_NEAR(cure()->gain, 0.2, 1e-9);
  EXPECT_FALSE(cure(CostKind::wasted_sectors)) << "of those it has as many";
}

TEST_F(OwnCures, IsNoFurtherAwayThanItHasToBe) {
  sets_.note({{"BK", 16}, {"PAD", 0}}, takes(10, 0.5));
  sets_.note({{"BK", 8}, {"PAD", 4}}, takes(9.1, 1));
  sets_.note({{"BK", 8}, {"PAD", 8}}, takes(9, 1));
  ASSERT_TRUE(cure());
  EXPECT_EQ(cure()->value, 4);
}

TEST_F(OwnCures, PaysAndCanBeChosen) {
  sets_.note({{"BK", 16}, {"PAD", 0}}, Error{"no block fits", ""});
  sets_.note({{"BK", 8}, {"PAD", 4}}, takes(9.9, 1));
  sets_.note({{"BK", 8}, {"PAD", 8}}, takes(8, 1));
  ASSERT_TRUE(cure());
  EXPECT_EQ(cure()->value, 8);
  sliders_[1].choices[2].valid = false;
  EXPECT_FALSE(cure());
}

}  // namespace
}  // namespace warplens::app
