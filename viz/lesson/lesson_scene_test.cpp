// The text and the stage of lessons, by what stands where.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "engine/base/testing/places.hpp"
#include "engine/exercise/assignment.hpp"
#include "viz/lesson/prose.hpp"
#include "viz/lesson/stage.hpp"
#include "viz/lesson/stage_sentences.hpp"
#include "viz/paint/fonts.hpp"
#include "viz/scene/hit_test.hpp"

namespace warplens::lesson_scene {
namespace {

using lesson::Style;
using scene::Group;

const paint::Fonts& fonts() {
  static const auto found = *paint::Fonts::open({});
  return *found;
}

// Every text of a group with where it stands, enlarged as its groups are.
struct Placed {
  std::string text;
  double x, y, size, width;
};
void collect(const Group& group, double x, double y, double scale, std::vector<Placed>& all) {
  for (const scene::Item& item : group.items) {
    if (const auto* text = std::get_if<scene::TextShape>(&item.shape)) {
      const double width = scale * fonts().width(text->text, text->style);
      const double before = text->style.anchor == scene::Anchor::end      ? width
                            : text->style.anchor == scene::Anchor::middle ? width / 2
                                                                          : 0;
      all.push_back({text->text, x + scale * text->at.x - before, y + scale * text->at.y,
                     scale * text->style.size, width});
    }
    if (const auto* inner = std::get_if<Group>(&item.shape))
      collect(*inner, x + scale * inner->origin.x, y + scale * inner->origin.y, scale * inner->scale, all);
  }
}
std::vector<Placed> texts_of(const Group& group) {
  std::vector<Placed> all;
  collect(group, 0, 0, 1, all);
  return all;
}

TEST(ProseTest, WordsStayWithinTheWidthAndKeepTheirOrder) {
  Group group;
  const lesson::Spans spans = {{"All 32 threads of a ", Style::plain},
                               {"warp", Style::bold},
                               {" execute ", Style::plain},
                               {"A[row * K + k]", Style::code},
                               {", together.", Style::plain}};
  const double height = add_spans(group, {10, 20}, spans, 140, {}, fonts());
  std::string read;
  for (const Placed& text : texts_of(group)) {
    read += text.text + " ";
    EXPECT_GE(text.x, 10);
    EXPECT_LE(text.x + text.width, 10 + 140 + 0.01) << text.text;
    EXPECT_LE(text.y, 20 + height);
  }
  EXPECT_EQ(read, "All 32 threads of a warp execute A[row * K + k] , together. ");
  EXPECT_GT(height, 2 * 15 * 1.4);  // more than two lines
}

TEST(ProseTest, NoTextHasNoHeight) {
  Group group;
  EXPECT_EQ(add_spans(group, {0, 0}, {}, 100, {}, fonts()), 0);
  EXPECT_EQ(add_prose(group, {0, 0}, {}, 100, {}, fonts()), 0);
  EXPECT_TRUE(group.items.empty());
}

TEST(ProseTest, CellsOfATableStandInColumns) {
  Group group;
  const auto cell = [](const char* text) { return lesson::Spans{{text, Style::plain}}; };
  const lesson::Block table = lesson::Table{{{cell("step"), cell("speed")}, {cell("naive"), cell("1")}}};
  add_prose(group, {0, 0}, {&table, 1}, 300, {}, fonts());
  const auto texts = texts_of(group);
  ASSERT_EQ(texts.size(), 4u);
  EXPECT_EQ(texts[0].x, texts[2].x);
  EXPECT_NEAR(texts[1].x + texts[1].width, texts[3].x + texts[3].width, 1e-9) << "numbers stand at the right";
  EXPECT_GT(texts[1].x, texts[0].x + texts[0].width);
  EXPECT_GT(texts[2].y, texts[0].y);
}

Stage asking() {
  return {.lesson = "The matmul ladder",
          .heading = "The bill",
          .headline = "How many sectors does this one load of A need?",
          .context = {},
          .sentence = {},
          .choices = {{"1", 3, {}}, {"4", 20, {}}, {"16", 2, {}}, {"32", 7, {}}},
          .prompt = "Space shows the answer",
          .is_covered = true,
          .stop = 3,
          .stops = 14};
}

TEST(StageTest, NoTypeIsBelowTwoAndAHalfPercentAndThePictureHasMostOfTheRoom) {
  for (const scene::Size size : {scene::Size{1280, 720}, scene::Size{1600, 900}, scene::Size{1024, 768}}) {
    const scene::Scene scene = draw_stage(asking(), size, fonts());
    for (const Placed& text : texts_of(scene.root)) {
      EXPECT_GE(text.size, 0.025 * std::min(size.height, size.width * 9 / 16) - 0.01) << text.text;
      EXPECT_GE(text.x, 0) << text.text;
      EXPECT_LE(text.y, size.height) << text.text;
    }
    const scene::Rect picture = stage_layout(asking(), size, fonts()).picture;
    EXPECT_GE(picture.width * picture.height, 0.5 * size.width * size.height) << size.width;
    Stage still = asking();
    still.choices.clear(), still.prompt.clear();
    const scene::Rect wide = stage_layout(still, size, fonts()).picture;
    EXPECT_GE(wide.width * wide.height, 0.55 * size.width * size.height) << size.width;
  }
}

TEST(StageTest, ACoverSaysWhatTheQuestionIsAboutWithinItsFrame) {
  std::string context = "All 32 threads of a warp execute the same load at the same time.";
  for (const int times : {0, 1, 12}) {
    std::string text;
    for (int i = 0; i < times; ++i) text += context + " ";
    Group group;
    add_cover(group, {20, 30, 900, 420}, text, fonts());
    for (const Placed& placed : texts_of(group)) {
      if (placed.text == "?") continue;
      EXPECT_GE(placed.size, 18);
      EXPECT_GE(placed.x, 20);
      EXPECT_LE(placed.x + placed.width, 920);
      EXPECT_LE(placed.y, 450);
      EXPECT_GE(placed.y, 30);
    }
  }
}

TEST(StageTest, CodeHasATypeOfItsOwnAndIsNotBroken) {
  Stage stage = asking();
  stage.headline = "A row of `in` becomes a column of `out[i\u00a0*\u00a0n]`";
  std::vector<std::string> texts;
  for (const Placed& text : texts_of(draw_stage(stage, {1280, 720}, fonts()).root))
    texts.push_back(text.text);
  EXPECT_THAT(texts, ::testing::IsSupersetOf({"A row of ", "in", " becomes a column of ", "out[i * n]"}));
}

TEST(StageTest, SentencesFollowTheFirstWhereThereIsRoomForThem) {
  Stage stage = asking();
  stage.choices.clear(), stage.prompt.clear(), stage.is_covered = false;
  stage.sentence = "All 32 threads of a warp execute the same load at the same time.";
  const auto words = [&](const scene::Size& size) {
    std::string all;
    for (const Placed& text : texts_of(draw_stage(stage, size, fonts()).root)) all += text.text + " ";
    return all;
  };
  for (int i = 1; i <= 12; ++i)
    stage.more.push_back("Sentence " + std::to_string(i) + " says a little more of what the picture shows.");
  for (const scene::Size size : {scene::Size{1280, 720}, scene::Size{1600, 900}, scene::Size{1024, 768}}) {
    const std::string said = words(size);
    EXPECT_NE(said.find(stage.sentence), std::string::npos) << said;
    EXPECT_NE(said.find("Sentence 1 "), std::string::npos) << said;
    EXPECT_EQ(said.find("Sentence 12 "), std::string::npos) << said;
    EXPECT_EQ(said.find("…"), std::string::npos) << said << " has whole sentences";
    const scene::Rect picture = stage_layout(stage, size, fonts()).picture;
    EXPECT_GE(picture.width * picture.height, 0.55 * size.width * size.height) << size.width;
  }
  // All of a text that fits, and nothing behind what does not.
  stage.more.resize(2);
  EXPECT_NE(words({1280, 720}).find("Sentence 2 says a little more of what the picture shows."),
            std::string::npos);
  for (int i = 0; i < 40; ++i) stage.more[0] += " and on and on";
  EXPECT_EQ(words({1280, 720}).find("Sentence"), std::string::npos);
}

TEST(StageTest, ChoicesAndStopsCanBeHit) {
  const scene::Size size{1280, 720};
  const scene::Scene scene = draw_stage(asking(), size, fonts());
  const scene::Rect question = stage_layout(asking(), size, fonts()).question;
  const auto first = scene::hit_test(scene, {question.x + 20, question.y + 20}, fonts());
  ASSERT_TRUE(first);
  EXPECT_EQ(first->id, "choice:0");
  const auto last = scene::hit_test(scene, {1225, 696}, fonts());
  ASSERT_TRUE(last);
  EXPECT_EQ(last->id, "stop:13");
}

TEST(StageTest, ALongHeadlineAndLongChoicesAreCutAndNothingLeavesTheStage) {
  Stage stage = asking();
  for (int i = 0; i < 40; ++i) stage.headline += " and on and on", stage.choices[0].text += " times over";
  const scene::Size size{1280, 720};
  for (const Placed& text : texts_of(draw_stage(stage, size, fonts()).root)) {
    EXPECT_LE(text.x + text.width, size.width + 0.01) << text.text;
    EXPECT_GE(text.y, 0) << text.text;
  }
}

// What a class is told of a stop ends with its point: no sentence is left out for want of room.
TEST(LessonStage, SaysAllThatEachStopHasForIt) {
  std::size_t stops = 0;
  for (const auto& file : lesson::lesson_files(source_path("lessons"))) {
    const lesson::Lesson lesson = lesson::read(file).lesson;
    for (const lesson::Stop& stop : lesson.stops) {
      SCOPED_TRACE(file.filename().string() + ", " + stop.heading);
      const bool asks = stop.find<lesson::Ask>() != nullptr;
      std::string task;
      if (const auto* write = stop.find<lesson::Write>())
        if (const auto assignment = exercise::read(lesson.assignment(*write))) task = assignment->task;
      std::vector<std::string> said = stage_sentences(stop, task);
      if (stop.find<lesson::Try>() != nullptr && !asks) said.emplace_back("Key S shows the sliders.");
      if (said.empty()) continue;
      Stage stage;
      stage.sentence = said.front(), stage.prompt = asks ? "The answer" : "";
      stage.more.assign(said.begin() + 1, said.end());
      EXPECT_TRUE(says_all(stage, {1280, 720}, fonts()))
          << "say what it is about in a block 'stage': " << stage.sentence;
      ++stops;
    }
  }
  EXPECT_GT(stops, 0u);
}

}  // namespace
}  // namespace warplens::lesson_scene
