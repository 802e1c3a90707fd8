#include "viz/figures/slide.hpp"

#include "viz/figures/testing/figure_support.hpp"
#include "viz/figures/testing/recorded_run.hpp"
#include "viz/scene/hit_test.hpp"

namespace warplens::figures {
namespace {

constexpr scene::Size kSize{1280, 720};
const scene::FixedMeasure kMeasure;

// A picture that fills whatever room it is given.
Result<scene::Scene> block(scene::Size size) {
  scene::Scene scene(size);
  scene.root.rect({0, 0, size.width, size.height}, {.fill = Token::accent}).named("picture");
  return scene;
}

Rect picture_of(const scene::Scene& scene) { return *scene::find_bounds(scene, "picture", kMeasure); }

TEST(Slide, IsThePictureItselfWhereNothingIsAsked) {
  const auto made = slide(block, kSize, kMeasure, {});
  ASSERT_TRUE(made);
  EXPECT_EQ(picture_of(*made), (Rect{0, 0, 1280, 720}));
  EXPECT_EQ(made->background, block(kSize)->background);
}

TEST(Slide, LeavesThePictureWhatTheTitleDoesNotTake) {
  const SlideOptions one{.title = "98 times as fast"},
      two{.title = std::string(60, 'x') + " " + std::string(60, 'y')};
  const Rect below_one = picture_of(*slide(block, kSize, kMeasure, one)),
             below_two = picture_of(*slide(block, kSize, kMeasure, two));
  EXPECT_GT(below_one.y, 40);
  EXPECT_GT(below_two.y, below_one.y + 20);
  EXPECT_DOUBLE_EQ(below_two.bottom(), 720);
  const scene::Size room = room_of(kSize, kMeasure, two);
  EXPECT_DOUBLE_EQ(room.height, below_two.height);
}

TEST(Slide, HasLargerTypeInTheSameSize) {
  scene::Size asked;
  const auto made =
      slide([&](scene::Size size) { return asked = size, block(size); }, kSize, kMeasure, {.type = 2});
  ASSERT_TRUE(made);
  EXPECT_EQ(asked, (scene::Size{640, 360}));
  EXPECT_EQ(made->size, kSize);
  EXPECT_EQ(picture_of(*made), (Rect{0, 0, 1280, 720}));
}

TEST(Slide, StandsOnWhiteOrOnNothing) {
  EXPECT_EQ(theme_on(Ground::white, theme::dark())[Token::background], theme::rgb(0xffffff));
  EXPECT_EQ(theme_on(Ground::white, theme::dark())[Token::text], theme::light()[Token::text]);
  EXPECT_EQ(theme_on(Ground::transparent, theme::dark())[Token::background],
            theme::dark()[Token::background]);
  const auto made = slide(block, kSize, kMeasure, {.ground = Ground::transparent});
  ASSERT_TRUE(made);
  EXPECT_EQ(made->background, Color::transparent());
  EXPECT_EQ(ground_named("white"), Ground::white);
  EXPECT_FALSE(ground_named("grey"));
}

TEST(Slide, SaysWhatThePictureSays) {
  const Subject naive{.run = record_kept("naive", "64"), .place = {.access = 1}};
  const std::string said = message_of(*find_figure("access"), naive);
  EXPECT_NE(said.find("32 sectors"), std::string::npos) << said;
}

TEST(StepPage, HasPictureCodeAndNumbers) {
  const Subject naive{.run = record_kept("naive", "64"), .place = {.access = 1}};
  const auto page = step_page(*find_figure("access"), naive, kSize, kMeasure, {{"Speed", "1", "recorded"}});
  ASSERT_TRUE(page) << to_line(page.error());
  EXPECT_TRUE(scene::find_bounds(*page, "number:Speed", kMeasure));
}

TEST(Fitted, KeepsItsShape) {
  const scene::Scene made = fitted(*block({100, 100}), kSize);
  EXPECT_EQ(picture_of(made), (Rect{280, 0, 720, 720}));
}

}  // namespace
}  // namespace warplens::figures
