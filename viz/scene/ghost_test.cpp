#include "viz/scene/ghost.hpp"

#include <gtest/gtest.h>

namespace warplens::scene {
namespace {

TEST(Ghost, HasTheOutlinesOfMarksAlone) {
  Scene scene({100, 50});
  scene.root.rect({0, 0, 100, 50}, {.fill = Token::panel});
  scene.root.text({4, 20}, "32 sectors");
  Group rows;
  rows.origin = {10, 5};
  rows.rect({1, 2, 8, 8}, {.fill = Token::costly}).named("sector:1", "Sector 1");
  rows.rect({20, 2, 8, 8}, {.fill = Color{Token::first_warp, 0.1}});
  scene.root.group(std::move(rows));
  const Scene ghost = ghost_of(scene);
  EXPECT_EQ(ghost.size.width, 100);
  EXPECT_EQ(ghost.background, Color::transparent());
  ASSERT_EQ(ghost.root.items.size(), 1u);
  const auto& inside = std::get<Group>(ghost.root.items[0].shape);
  EXPECT_EQ(inside.origin, (Point{10, 5}));
  ASSERT_EQ(inside.items.size(), 1u) << "a wash is a ground";
  const auto& mark = std::get<RectShape>(inside.items[0].shape);
  EXPECT_TRUE(inside.items[0].id.empty());
  EXPECT_FALSE(mark.style.fill);
  ASSERT_TRUE(mark.style.stroke);
  EXPECT_EQ(mark.style.stroke->color.token, Token::costly);
}

}  // namespace
}  // namespace warplens::scene
