// How much a set of values is about to take, by those that are known.
#include "app/window/model/ladder/speeds_ahead.hpp"

#include <gtest/gtest.h>

namespace warplens::app {
namespace {

void note(PredictedSets& sets, const catalog::Values& values, double seconds) {
  time::Prediction prediction;
  prediction.seconds = seconds;
  sets.note(values, prediction);
}

TEST(PredictedSets, KnowWhatTheyWereTold) {
  PredictedSets sets;
  EXPECT_EQ(sets.find({{"TILE", 8}}), nullptr);
  EXPECT_FALSE(sets.about({{"TILE", 8}}));
  note(sets, {{"TILE", 8}}, 2);
  ASSERT_NE(sets.find({{"TILE", 8}}), nullptr);
  EXPECT_EQ((*sets.find({{"TILE", 8}}))->seconds, 2);
}

TEST(PredictedSets, AreNotAboutWhatANeighbourTakes) {
  PredictedSets sets;
  note(sets, {{"TILE", 8}}, 2);
  note(sets, {{"TILE", 64}}, 5);
  EXPECT_FALSE(sets.about({{"TILE", 16}}));
}

TEST(PredictedSets, AreAboutWhatEachValueDoesAlone) {
  PredictedSets sets;
  note(sets, {{"A", 1}, {"B", 1}}, 4);
  note(sets, {{"A", 2}, {"B", 1}}, 2);
  note(sets, {{"A", 1}, {"B", 2}}, 3);
  EXPECT_EQ(sets.about({{"A", 2}, {"B", 2}}), 1.5);
}

TEST(PredictedSets, DoNotCountWhatHasNoPrediction) {
  PredictedSets sets;
  sets.note({{"TILE", 8}}, Error{"no block fits", ""});
  EXPECT_FALSE(sets.about({{"TILE", 16}}));
}

}  // namespace
}  // namespace warplens::app
