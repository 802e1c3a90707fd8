#include "viz/scene/hit_test.hpp"

#include <gtest/gtest.h>

#include "viz/scene/testing/fixed_measure.hpp"

namespace warplens::scene {
namespace {

const FixedMeasure kMeasure;

std::string id_at(const Scene& scene, Point p) {
  const auto hit = hit_test(scene, p, kMeasure);
  return hit ? hit->id : "";
}

TEST(HitTest, AnswersTheTopmostNamedItem) {
  Scene scene{{100, 100}};
  scene.root.rect({0, 0, 50, 50}, {.fill = Token::panel}).named("below", "Below");
  scene.root.rect({20, 20, 50, 50}, {.fill = Token::raised}).named("above");
  scene.root.rect({0, 0, 100, 100}, {.fill = Token::line});  // without a name: looked through
  EXPECT_EQ(id_at(scene, {10, 10}), "below");
  EXPECT_EQ(id_at(scene, {30, 30}), "above");
  EXPECT_EQ(id_at(scene, {90, 90}), "");
  EXPECT_EQ(hit_test(scene, {10, 10}, kMeasure)->title, "Below");
}

TEST(HitTest, ThinThingsHaveSlop) {
  Scene scene{{100, 100}};
  scene.root.line({0, 50}, {100, 50}, {}).named("line");
  scene.root.rect({10, 10, 30, 30}, {.stroke = Stroke{}}).named("frame");
  EXPECT_EQ(id_at(scene, {60, 52.5}), "line");
  EXPECT_EQ(id_at(scene, {60, 54}), "");
  EXPECT_EQ(id_at(scene, {11, 20}), "frame");
  EXPECT_EQ(id_at(scene, {25, 25}), "");
}

TEST(HitTest, GroupsMoveScaleClipAndName) {
  Group inner;
  inner.origin = {100, 0};
  inner.scale = 2;
  inner.clip = Rect{0, 0, 10, 10};
  inner.rect({0, 0, 40, 40}, {.fill = Token::panel});
  inner.circle({5, 5}, 1, {.fill = Token::text}).named("dot");
  Scene scene{{200, 100}};
  scene.root.group(inner).named("group", "The group");
  EXPECT_EQ(id_at(scene, {119, 19}), "group");
  EXPECT_EQ(id_at(scene, {121, 19}), "");
  const auto hit = hit_test(scene, {110, 10}, kMeasure);
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->id, "dot");
  EXPECT_EQ(hit->title, "The group");
  EXPECT_EQ(hit->bounds, (Rect{108, 8, 4, 4}));
  EXPECT_EQ(find_bounds(scene, "dot", kMeasure), (Rect{108, 8, 4, 4}));
  EXPECT_EQ(find_bounds(scene, "none", kMeasure), std::nullopt);
}

TEST(HitTest, ImagesTellTheirCell) {
  Scene scene{{100, 100}};
  scene.root.image({10, 10, 80, 40}, make_indexed_image(8, 4, std::vector<std::uint8_t>(32), {}))
      .named("grid");
  EXPECT_EQ(hit_test(scene, {11, 49}, kMeasure)->cell, (Hit::Cell{0, 3}));
  EXPECT_EQ(hit_test(scene, {89.9, 10}, kMeasure)->cell, (Hit::Cell{7, 0}));
}

TEST(HitTest, TextIsHitInItsBox) {
  Scene scene{{100, 100}};
  scene.root.text({50, 50}, "abcd", {.size = 10, .anchor = Anchor::middle}).named("label");
  EXPECT_EQ(id_at(scene, {39, 48}), "label");
  EXPECT_EQ(id_at(scene, {37, 48}), "");
}

TEST(HitTest, TrianglesAreHitInside) {
  Scene scene{{100, 100}};
  scene.root.polygon({{0, 0}, {40, 0}, {0, 40}}, {.fill = Token::text}).named("triangle");
  EXPECT_EQ(id_at(scene, {10, 10}), "triangle");
  EXPECT_EQ(id_at(scene, {30, 30}), "");
}

}  // namespace
}  // namespace warplens::scene
