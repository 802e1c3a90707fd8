#include "viz/scene/path.hpp"

#include "viz/scene/scene.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace warplens::scene {
namespace {

double length(const std::vector<Outline>& pieces) {
  double sum = 0;
  for (const Outline& piece : pieces)
    for (std::size_t i = 1; i < piece.points.size(); ++i) {
      const Point d = piece.points[i] - piece.points[i - 1];
      sum += std::hypot(d.x, d.y);
    }
  return sum;
}

TEST(Flatten, KeepsACircleWithinItsTolerance) {
  for (const double radius : {2.0, 50.0, 900.0}) {
    const auto outlines = flatten(circle_path({10, 20}, radius), 0.05);
    ASSERT_EQ(outlines.size(), 1u);
    EXPECT_TRUE(outlines[0].closed);
    for (std::size_t i = 1; i < outlines[0].points.size(); ++i) {
      const Point middle = (outlines[0].points[i - 1] + outlines[0].points[i]) * 0.5;
      EXPECT_NEAR(std::hypot(middle.x - 10, middle.y - 20), radius, 0.05 + 0.0003 * radius);
    }
  }
}

TEST(Flatten, ALineAfterACloseStartsAtTheOutlinesStart) {
  Path path = polygon({{1, 1}, {5, 1}, {5, 5}});
  path.line_to({0, 0});
  const auto outlines = flatten(path);
  ASSERT_EQ(outlines.size(), 2u);
  EXPECT_EQ(outlines[1].points.front(), (Point{1, 1}));
}

TEST(Flatten, HasNoPointTwice) {
  const auto outlines = flatten(circle_path({10, 20}, 14));
  const auto& p = outlines[0].points;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const Point d = p[(i + 1) % p.size()] - p[i];
    EXPECT_GT(std::hypot(d.x, d.y), 1e-6) << i;
  }
}

TEST(Arrow, EndsAtItsTip) {
  Group group;
  group.arrow({0, 0}, {100, 0}, {Token::text, 4}, 20);
  const Path& path = std::get<PathShape>(group.items[0].shape).path;
  // The stroke's mitre adds 2 / sin(26.57 degrees) = 4.47 to the outline.
  EXPECT_NEAR(bounds(path).right() + 4.47, 100, 0.01);
}

TEST(Dashed, DrawsTheDashesOnly) {
  const auto pieces = dashed({{{0, 0}, {10, 0}}, false}, {3, 2});
  ASSERT_EQ(pieces.size(), 2u);
  EXPECT_EQ(pieces[0].points, (std::vector<Point>{{0, 0}, {3, 0}}));
  EXPECT_EQ(pieces[1].points, (std::vector<Point>{{5, 0}, {8, 0}}));
}

TEST(Dashed, GoesAroundCorners) {
  const auto pieces = dashed({{{0, 0}, {4, 0}, {4, 4}}, true}, {6, 1});
  EXPECT_EQ(pieces[0].points, (std::vector<Point>{{0, 0}, {4, 0}, {4, 2}}));
  EXPECT_NEAR(length(pieces), 12, 1e-9);  // 13.66 around: 6, a gap of 1, 6, the rest of 0.66 left out
}

TEST(Dashed, WithoutALengthIsSolid) {
  const Outline outline{{{0, 0}, {4, 0}}, false};
  EXPECT_EQ(dashed(outline, {}).size(), 1u);
  EXPECT_EQ(dashed(outline, {0, 0})[0].points, outline.points);
}

TEST(Inside, SeesAnArrowsHeadAndNotBesideIt) {
  const auto arrow = flatten(arrow_path({0, 0}, {20, 0}, 8));
  EXPECT_TRUE(inside(arrow, {14, 2}));
  EXPECT_FALSE(inside(arrow, {14, 4}));
  EXPECT_FALSE(inside(arrow, {5, 2}));
  EXPECT_TRUE(arrow_path({3, 3}, {3, 3}, 8).segments.empty());
}

TEST(Touches, SegmentsThroughAndBesideARectangle) {
  const Rect box{10, 10, 10, 10};
  EXPECT_TRUE(touches(box, {0, 0}, {30, 30}));
  EXPECT_TRUE(touches(box, {15, 12}, {16, 13}));
  EXPECT_TRUE(touches(box, {0, 15}, {40, 15}));
  EXPECT_FALSE(touches(box, {0, 9}, {40, 9}));
  EXPECT_FALSE(touches(box, {0, 22}, {22, 0.0 + 44}));
}

TEST(RoundedRect, HasItsRectAsBounds) {
  const Rect box = bounds(rounded_rect_path({5, 6, 40, 20}, 6));
  EXPECT_EQ(box, (Rect{5, 6, 40, 20}));
}

}  // namespace
}  // namespace warplens::scene
