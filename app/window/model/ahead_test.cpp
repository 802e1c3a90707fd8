// Which values are compiled while nobody waits, and in which order.
#include "app/window/model/ahead.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warplens::app {
namespace {

using testing::ElementsAre, testing::IsEmpty, testing::UnorderedElementsAre;

Slider slider(const std::string& name, const std::vector<std::int64_t>& values, std::int64_t value) {
  Slider made;
  made.parameter.name = name;
  made.value = value;
  for (const std::int64_t each : values) made.choices.emplace_back().value = each;
  return made;
}

// The values of one slider in their order.
std::vector<std::int64_t> values_of(const std::string& name, const std::vector<catalog::Values>& list) {
  std::vector<std::int64_t> values;
  for (const catalog::Values& each : list) values.push_back(each.at(name));
  return values;
}

// Nobody knows where people pull a slider that they have not moved yet, but its ends are popular.
TEST(LikelyValues, TheEndsOfSlidersComeWithTheNearestValues) {
  const std::vector<Slider> sliders = {slider("TILE", {1, 2, 4, 8, 16, 32, 64}, 8)};
  const LikelyValues likely = likely_values(sliders, {{"TILE", 8}}, {});
  EXPECT_THAT(likely.same, IsEmpty());
  auto values = values_of("TILE", likely.others);
  ASSERT_EQ(values.size(), 6u);
  EXPECT_THAT(std::vector(values.begin(), values.begin() + 4), UnorderedElementsAre(4, 16, 1, 64));
  EXPECT_THAT(std::vector(values.begin() + 4, values.end()), UnorderedElementsAre(2, 32));
}

TEST(LikelyValues, AnEndIsTheLastLegalValue) {
  std::vector<Slider> sliders = {slider("TILE", {1, 2, 4, 8, 16, 32, 64, 128}, 1)};
  for (const std::size_t i : {6, 7}) sliders[0].choices[i].valid = false;
  const auto values = values_of("TILE", likely_values(sliders, {{"TILE", 1}}, {}).others);
  EXPECT_THAT(values, ElementsAre(2, 32, 4, 8, 16));
}

TEST(LikelyValues, ASliderThatWasMovedGoesOnTheSameWay) {
  const std::vector<Slider> sliders = {slider("BM", {1, 2, 4, 8, 16, 32}, 4), slider("BN", {5, 6}, 5)};
  const catalog::Values here = {{"BM", 4}, {"BN", 5}};
  const LikelyValues up = likely_values(sliders, here, {"BM", true});
  EXPECT_THAT(values_of("BM", up.same), ElementsAre(8, 2, 16, 1, 32));
  EXPECT_THAT(up.others, ElementsAre(catalog::Values{{"BM", 4}, {"BN", 6}}));
  EXPECT_THAT(values_of("BM", likely_values(sliders, here, {"BM", false}).same),
              ElementsAre(2, 8, 1, 16, 32));
}

}  // namespace
}  // namespace warplens::app
