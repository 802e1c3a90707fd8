#include "viz/figures/slide.hpp"

#include "engine/explain/instruction_cost.hpp"
#include "viz/figures/testing/figure_support.hpp"
#include "viz/figures/testing/recorded_run.hpp"
#include "viz/figures/testing/scene_words.hpp"
#include "viz/scene/hit_test.hpp"

namespace warplens::figures {
namespace {

constexpr scene::Size kSlideSize{1280, 720};
const scene::FixedMeasure kSlideMeasure;

// A picture that fills whatever room it is given.
Result<scene::Scene> block(scene::Size size) {
  scene::Scene scene(size);
  scene.root.rect({0, 0, size.width, size.height}, {.fill = Token::accent}).named("picture");
  return scene;
}

Rect picture_of(const scene::Scene& scene) { return *scene::find_bounds(scene, "picture", kSlideMeasure); }

TEST(Slide, IsThePictureItselfWhereNothingIsAsked) {
  const auto made = slide(block, kSlideSize, kSlideMeasure, {});
  ASSERT_TRUE(made);
  EXPECT_EQ(picture_of(*made), (Rect{0, 0, 1280, 720}));
  EXPECT_EQ(made->background, block(kSlideSize)->background);
}

TEST(Slide, LeavesThePictureWhatTheTitleDoesNotTake) {
  const SlideOptions one{.title = "98 times as fast"},
      two{.title = std::string(60, 'x') + " " + std::string(60, 'y')};
  const Rect below_one = picture_of(*slide(block, kSlideSize, kSlideMeasure, one)),
             below_two = picture_of(*slide(block, kSlideSize, kSlideMeasure, two));
  EXPECT_GT(below_one.y, 40);
  EXPECT_GT(below_two.y, below_one.y + 20);
  EXPECT_DOUBLE_EQ(below_two.bottom(), 720);
  const scene::Size room = room_of(kSlideSize, kSlideMeasure, two);
  EXPECT_DOUBLE_EQ(room.height, below_two.height);
}

TEST(Slide, HasLargerTypeInTheSameSize) {
  scene::Size asked;
  const auto made = slide([&](scene::Size size) { return asked = size, block(size); }, kSlideSize,
                          kSlideMeasure, {.type = 2});
  ASSERT_TRUE(made);
  EXPECT_EQ(asked, (scene::Size{640, 360}));
  EXPECT_EQ(made->size, kSlideSize);
  EXPECT_EQ(picture_of(*made), (Rect{0, 0, 1280, 720}));
}

TEST(Slide, BecomesLargerWhereItsTypeWouldBeTooSmall) {
  constexpr scene::Size small{360, 450};
  const Subject subject{.run = record_kept("naive", "256"), .place = {.access = 1}, .look = Look::page};
  const auto in = [&](scene::Size size) {
    return draw(*find_figure("coalescing"), subject, size, kSlideMeasure);
  };
  const auto smallest = [](const scene::Scene& scene) {
    Found found;
    collect(scene.root, {}, 1, kSlideMeasure, found);
    return std::ranges::min(found.words, {}, &PlacedWord::size).size;
  };
  const auto as_asked = slide(in, small, kSlideMeasure, {}),
             larger = slide(in, small, kSlideMeasure, {.least_type = 8});
  ASSERT_TRUE(as_asked && larger);
  EXPECT_LT(smallest(*as_asked), 7);
  EXPECT_NEAR(smallest(*larger), 8, 0.05);
  EXPECT_NEAR(larger->size.height / larger->size.width, 1.25, 0.01);
  EXPECT_LT(larger->size.width, 480) << "no larger than it has to be";
  EXPECT_EQ(slide(in, small, kSlideMeasure, {.least_type = 5})->size, small);
}

// As the window's stage has it: nothing below 2.5 % of the height.
TEST(Slide, ForAClassHasTheTypeOfTheStage) {
  const SlideOptions options{.look = Look::stage};
  for (const char* kernel : {"naive", "shared_tile", "interleaved"}) {
    const Subject subject{
        .run = record_kept(kernel, "256"), .place = {.access = 1}, .look = Look::stage, .with_number = true};
    for (const char* name : {"access", "coalescing", "banks", "flow"}) {
      const Figure& figure = *find_figure(name);
      const auto picture = [&](scene::Size size) { return draw(figure, subject, size, kSlideMeasure); };
      const auto made = slide(picture, kSlideSize, kSlideMeasure, options);
      if (!made) continue;  // no access to such memory
      EXPECT_EQ(made->size, kSlideSize);
      for (const PlacedWord& word : words_in(*made, kSlideMeasure))
        EXPECT_GE(word.size, 17.99) << name << " of " << kernel << ": " << word.text;
    }
  }
  EXPECT_DOUBLE_EQ(stage_type({2560, 1440}), 2 * stage_type(kSlideSize));
}

TEST(Slide, StandsOnWhiteOrOnNothing) {
  EXPECT_EQ(theme_on(Ground::white, theme::dark())[Token::background], theme::rgb(0xffffff));
  EXPECT_EQ(theme_on(Ground::white, theme::dark())[Token::text], theme::light()[Token::text]);
  EXPECT_EQ(theme_on(Ground::transparent, theme::dark())[Token::background],
            theme::dark()[Token::background]);
  const auto made = slide(block, kSlideSize, kSlideMeasure, {.ground = Ground::transparent});
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

TEST(StepPage, HasTheSpeedThatWasRecordedElseTheModels) {
  measured::RecordedSpeed recorded;
  recorded.size = {{"M", 4096}, {"N", 4096}}, recorded.gflops = 4000;
  recorded.cublas_gflops = 5000;
  const measured::Rate predicted{500, "GFLOP/s"};
  const auto both = speed_cards(&recorded, predicted);
  ASSERT_EQ(both.size(), 1u);
  EXPECT_EQ(both[0].value, "4 TFLOP/s");
  EXPECT_EQ(both[0].note, "recorded at 4,096, 80 % of cuBLAS");
  const auto modelled = speed_cards(nullptr, predicted);
  ASSERT_EQ(modelled.size(), 1u);
  EXPECT_EQ(modelled[0].value, "500 GFLOP/s");
  EXPECT_EQ(modelled[0].note, "by the model of time");
  EXPECT_TRUE(speed_cards(nullptr, std::nullopt).empty());
}

TEST(StepPage, HasPictureCodeAndNumbers) {
  const Subject naive{.run = record_kept("naive", "64"), .place = {.access = 1}};
  const auto page =
      step_page(*find_figure("access"), naive, kSlideSize, kSlideMeasure, {{"Speed", "1", "recorded"}});
  ASSERT_TRUE(page) << to_line(page.error());
  EXPECT_TRUE(scene::find_bounds(*page, "number:Speed", kSlideMeasure));
}

// The line of a division stands out, and of a step whose accesses are its cost the access, as where one is
// asked for.
TEST(StepPage, MarksWhatTheStepCosts) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  const auto page = [](const run::SharedRun& run, bool marks_access) {
    const Subject subject{.run = run, .place = {.access = 0}};
    return *paint::to_svg(
        *step_page(*find_figure("flow"), subject, kSlideSize, kSlideMeasure, {}, marks_access),
        theme::light(), kSlideMeasure);
  };
  const auto division = record("arithmetic/03_division", "65536"), naive = record_kept("naive", "64");
  const int line = explain::line_of_instructions(*division);
  ASSERT_GT(line, 0);
  EXPECT_NE(division->source_lines[static_cast<std::size_t>(line) - 1].find('/'), std::string::npos);
  EXPECT_NE(page(division, false), page(division, true));
  EXPECT_EQ(explain::line_of_instructions(*naive), 0);
  EXPECT_EQ(page(naive, false), page(naive, true));
}

TEST(Fitted, KeepsItsShape) {
  const scene::Scene made = fitted(*block({100, 100}), kSlideSize);
  EXPECT_EQ(picture_of(made), (Rect{280, 0, 720, 720}));
}

}  // namespace
}  // namespace warplens::figures
