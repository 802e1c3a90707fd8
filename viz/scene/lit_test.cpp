#include "viz/scene/lit.hpp"

#include <gtest/gtest.h>

#include "viz/scene/testing/fixed_measure.hpp"

namespace warplens::scene {
namespace {

const FixedMeasure kLitMeasure;

std::vector<LitItem> lit(const Scene& scene, std::string_view wanted, Group& over) {
  return light(
      scene, [&](std::string_view id) { return id == wanted; }, kLitMeasure, over);
}

TEST(Light, OutlinesItemsAndGroupsInSceneCoordinates) {
  Scene scene({100, 100});
  Group inner;
  inner.origin = {10, 20}, inner.scale = 2;
  inner.rect({0, 0, 10, 5}, {.fill = Token::good}).named("lane:3");
  scene.root.group(std::move(inner));
  scene.root.rect({50, 50, 20, 20}, {.fill = Token::good}).named("lane:4");
  Group over;
  const auto found = lit(scene, "lane:3", over);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].bounds, (Rect{10, 20, 20, 10}));
  EXPECT_EQ(over.items.size(), 2u);  // a veil and an outline
}

// The lanes of a whole access, one below the other: filled each by itself their marks would be lost.
TEST(Light, OutlinesNeighboursTogether) {
  Scene scene({100, 100});
  for (int i = 0; i < 5; ++i)
    scene.root.rect({10, 10.0 + 12 * i, 40, 10}, {.fill = Token::good}).named("lane:3");
  scene.root.rect({70, 10, 10, 10}, {.fill = Token::good}).named("lane:3");
  Group over;
  EXPECT_EQ(lit(scene, "lane:3", over).size(), 6u);
  ASSERT_EQ(over.items.size(), 3u) << "one outline, and the veil and the outline of the other";
  const auto& around = std::get<RectShape>(over.items[0].shape);
  EXPECT_EQ(around.rect, (Rect{9, 9, 42, 60}));
  EXPECT_FALSE(around.style.fill);
}

// The stretches of all warps at one line of the source, in the figure of time.
TEST(Light, LeavesTheColoursOfVeryManyInSight) {
  Scene scene({1000, 100});
  for (int i = 0; i < 120; ++i)
    scene.root.rect({8.0 * i, 10.0 * (i % 3), 5, 2}, {.fill = Token::good}).named("line:3");
  Group over;
  EXPECT_EQ(lit(scene, "line:3", over).size(), 120u);
  ASSERT_EQ(over.items.size(), 120u);
  for (const Item& item : over.items) {
    const auto& veil = std::get<RectShape>(item.shape);
    ASSERT_TRUE(veil.style.fill);
    EXPECT_FALSE(veil.style.stroke);
    EXPECT_LE(veil.style.fill->alpha, 0.5);
  }
}

TEST(Light, DrawsTheLinesOfAGroupAgain) {
  Scene scene({100, 100});
  Group way;
  way.rect({0, 0, 10, 10}, {.fill = Token::good});
  way.arrow({5, 10}, {80, 80}, {Token::good});
  scene.root.group(std::move(way)).named("lane:1");
  Group over;
  const auto found = lit(scene, "lane:1", over);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_GT(found[0].bounds.right(), 70);
}

TEST(Light, LeavesOutWhatIsClippedAway) {
  Scene scene({100, 100});
  Group clipped;
  clipped.clip = Rect{0, 0, 10, 10};
  clipped.rect({20, 20, 5, 5}, {.fill = Token::good}).named("bank:1");
  scene.root.group(std::move(clipped));
  Group over;
  EXPECT_TRUE(lit(scene, "bank:1", over).empty());
}

}  // namespace
}  // namespace warplens::scene
