// What a user sees and reaches on every page: type that can be read, a title that belongs to its picture, keys that
// work beside open menus, a page as text.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "app/window/actions/pages.hpp"
#include "app/window/figure/figure_canvas.hpp"
#include "app/window/kit/scene_painter.hpp"
#include "app/window/model/lesson/lesson_player.hpp"
#include "app/window/pages/ladder/ladder_page.hpp"
#include "app/window/testing/stage_test.hpp"
#include "viz/figures/testing/scene_words.hpp"

namespace warplens::app {
namespace {

using testing::HasSubstr, testing::IsEmpty;

struct DrawnText {
  std::string text;
  Rect box;
  double size = 0;  // of its type, in screen pixels
};

class PageTest : public StageTest {
 protected:
  static State of_size(int width, int height) {
    State state = small_problem();
    state.kernel = "matmul/03_shared_tile";
    state.view.width = width, state.view.height = height;
    return state;
  }
  const FigureCanvas& canvas() { return stage_->interface().pages().get<LadderPage>().canvas(); }
  bool has(std::string_view mark) { return stage_->find(mark).has_value(); }
  std::string said(std::string_view mark) {
    for (const auto& [name, rect] : stage_->interface().marks())
      if (name.starts_with(mark)) return name.substr(mark.size());
    return "";
  }
  // All texts of the next frame.
  std::vector<DrawnText> texts() {
    std::vector<DrawnText> all;
    ScenePainter& painter = stage_->interface().painter();
    painter.watch(
        {.scene =
             [&](const scene::Scene& scene, scene::Point at, double scale) {
               for (const auto& word : figures::words_in(scene, painter.fonts()))
                 all.push_back({word.text, figures::in_scene(word.box, at, scale), word.size * scale});
             },
         .text =
             [&](std::string_view text, const Rect& box, double size) {
               all.push_back({std::string(text), box, size});
             }});
    EXPECT_TRUE(stage_->frame());
    painter.watch({});
    return all;
  }
};

// Of an axis, a lane, a cell: "4,096", "1.5 k", "31".
bool is_number(const std::string& text) {
  const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  const auto is_digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  return std::ranges::any_of(text, is_digit) && std::ranges::count_if(text, is_letter) <= 2;
}

class TypeTest : public PageTest {
 protected:
  // Words in smaller type than that. Type stands on whole pixels.
  std::set<std::string> smaller(double least) {
    constexpr double kRounding = 0.35;
    std::set<std::string> found;
    for (const DrawnText& drawn : texts())
      if (drawn.size < least - kRounding && !is_number(drawn.text) && !drawn.text.empty())
        found.insert(fmt::format("{} ({:.1f})", drawn.text, drawn.size));
    return found;
  }
  void walk(double least) {
    for (const auto& [width, height] : {std::pair(1280, 720), std::pair(1600, 900), std::pair(2560, 1440)}) {
      ASSERT_TRUE(stage_->resize(width, height));
      for (const figures::Figure& figure : figures::pictures()) {
        if (figure.of == figures::Of::device) continue;
        SCOPED_TRACE(fmt::format("{} at {} x {}", figure.id, width, height));
        state().view.page = Page::ladder, state().view.figure = std::string(figure.id);
        ASSERT_TRUE(stage_->settle());
        EXPECT_THAT(smaller(least), IsEmpty());
      }
      expect_readable("the start page", least, [](State& state) { state.view.page = Page::start; });
    }
  }
  // All other pages, at the size that the window has.
  void walk_pages(double least) {
    for (const figures::Figure& figure : figures::figures_of_a_run())
      expect_readable("compared " + std::string(figure.id), least, [&](State& state) {
        state.view.page = Page::compare, state.compare.figure = std::string(figure.id);
      });
    for (const ComparePart part : {ComparePart::all, ComparePart::counters, ComparePart::source})
      expect_readable("a part of the comparison", least, [&](State& state) {
        state.view.page = Page::compare, state.compare.figure = "access", state.compare.part = part;
      });
    for (const Memory memory : {Memory::both, Memory::global, Memory::shared})
      expect_readable("the playground", least, [&](State& state) {
        state.view.page = Page::playground, state.playground.memory = memory;
      });
    for (const char* figure : {"access", "banks", "flow", "occupancy", "live"})
      expect_readable(std::string("the editor and ") + figure, least,
                      [&](State& state) { state.view.page = Page::edit, state.view.figure = figure; });
    expect_readable("Live", least,
                    [](State& state) { state.view.page = Page::ladder, state.view.figure = "live"; });
    expect_readable("Details", least, [](State& state) {
      state.view.page = Page::ladder, state.view.figure = "access", state.view.details = true;
    });
  }
  // change: what is shown.
  void expect_readable(const std::string& what, double least, auto change) {
    SCOPED_TRACE(fmt::format("{} at {} x {}", what, state().view.width, state().view.height));
    change(state());
    ASSERT_TRUE(stage_->settle());
    EXPECT_THAT(smaller(least), IsEmpty());
  }
};

TEST_F(TypeTest, NoWordIsSmallerThanTwelvePixels) {
  OPEN_STAGE(of_size(1600, 900));
  walk(12);
}

TEST_F(TypeTest, NoWordOfAnyOtherPageIsSmallerThanTwelvePixels) {
  for (const auto& [width, height] : {std::pair(1280, 720), std::pair(1600, 900)}) {
    OPEN_STAGE(of_size(width, height));
    walk_pages(12);
    stage_.reset();
  }
}

TEST_F(TypeTest, NoWordOfALessonIsSmallerThanTwelvePixelsNorThanTwentyOnStage) {
  for (const bool on_stage : {false, true}) {
    State start = of_size(1280, 720);
    start.lesson.file = "03_matmul_to_tiles";
    start.view.presenter = on_stage;
    OPEN_STAGE(start);
    for (std::size_t stop = 0; stop < stage_->interface().lessons().lesson().stops.size(); ++stop) {
      stage_->interface().lessons().go_to(stop);
      // The listing of a kernel that is written on stage shrinks below what the checkers find in it.
      if (on_stage && stage_->interface().lessons().writing().assignment != nullptr) continue;
      expect_readable(fmt::format("stop {}", stop + 1), on_stage ? 20 : 12, [](State&) {});
    }
    stage_.reset();
  }
}

TEST_F(TypeTest, NoWordOnStageIsSmallerThanTwenty) {
  State start = of_size(1600, 900);
  start.view.presenter = true;
  OPEN_STAGE(start);
  walk(20);
}

TEST_F(TypeTest, GrowsWithTheWindowAndByTheSetting) {
  OPEN_STAGE(of_size(1600, 900));
  const auto caption = [&] {
    double least = 1000;
    for (const DrawnText& drawn : texts())
      if (drawn.text == "Naive" || drawn.text == "Coalesced") least = std::min(least, drawn.size);
    return least;
  };
  const double designed = caption();
  ASSERT_TRUE(stage_->resize(2560, 1440));
  ASSERT_TRUE(stage_->settle());
  EXPECT_NEAR(caption() / designed, 1.3, 0.08);
  state().view.text_scale = 1.25;
  ASSERT_TRUE(stage_->settle());
  EXPECT_GT(caption() / designed, 1.5);
}

// Of a scene, but for numbers, which count on their way.
std::set<std::string> words_of(const scene::Scene& scene, const scene::TextMeasure& fonts) {
  std::set<std::string> words;
  for (const auto& word : figures::words_in(scene, fonts))
    if (std::ranges::none_of(word.text, [](unsigned char c) { return std::isdigit(c) != 0; }))
      words.insert(word.text);
  return words;
}

// At every frame from one step or figure to the next, what is said is of the picture that comes.
TEST_F(PageTest, NoFrameHasANewTitleOverAnOldPicture) {
  OPEN_STAGE(of_size(1600, 900));
  stage_->interface().allow_motion();
  const auto words = [&](const scene::Scene& scene) { return words_of(scene, canvas().fonts()); };
  const auto watch = [&](const char* what) {
    for (int quiet = 0; quiet < 60;
         quiet = model().busy_seconds() || stage_->interface().is_busy() ? 0 : quiet + 1) {
      ASSERT_TRUE(stage_->frame_after(1.0f / 60));
      ASSERT_NE(canvas().run(), nullptr) << what;
      ASSERT_EQ(said("title/"), canvas().run()->plan().spec.title) << what;
      ASSERT_NE(canvas().figure(), nullptr) << what;
      EXPECT_EQ(canvas().figure()->id, state().view.figure) << what;
      EXPECT_EQ(words(*canvas().painted()), words(*canvas().shown())) << what;
    }
  };
  for (const char* kernel : {"matmul/01_naive", "matmul/02_coalesced", "matmul/03_shared_tile"}) {
    model().choose_kernel(kernel);
    watch(kernel);
  }
  for (const char* figure : {"coalescing", "banks", "access"}) {
    state().view.figure = figure;
    watch(figure);
  }
}

// "TB/s at 67,108,86", "Predicted for 33 × 2,0…": what has no room is said in fewer words, or elsewhere.
TEST_F(PageTest, NoNumberBesideThePictureIsCut) {
  OPEN_STAGE(of_size(1600, 900));
  const std::string dots = "…";
  // The name of a step may be: its tip has all of it.
  const auto is_of_step = [&](const std::string& text) {
    const std::string beginning = text.substr(0, text.size() - dots.size());
    return std::ranges::any_of(
        model().steps(), [&](const catalog::KernelSpec* step) { return step->title.starts_with(beginning); });
  };
  const auto look = [&](const std::string& what) {
    const auto center = stage_->find("center");
    ASSERT_TRUE(center) << what;
    for (const DrawnText& drawn : texts()) {
      const bool is_cut = drawn.text.ends_with(dots) && drawn.text != dots && drawn.text != "counting…";
      EXPECT_FALSE(is_cut && drawn.box.x < center->x && !is_of_step(drawn.text))
          << what << ": " << drawn.text;
    }
  };
  struct Case {
    const char* kernel;
    catalog::Values size, params;
  };
  const Case cases[] = {{"memory/01_coalesced", {{"N", 1'048'576}}, {}},
                        {"matmul/05_register_2d", {{"M", 33}, {"N", 2048}, {"K", 2048}}, {}},
                        {"matmul/01_naive", {{"M", 512}, {"N", 512}, {"K", 512}}, {{"BLOCK_X", 16}}}};
  for (const auto& [width, height] : {std::pair(1280, 720), std::pair(1600, 900)})
    for (const Case& one : cases)
      for (const StepsBy by : {StepsBy::speed, StepsBy::sectors}) {
        ASSERT_TRUE(stage_->resize(width, height));
        model().choose_kernel(one.kernel);
        for (const auto& [name, value] : one.size) model().set_size(name, value);
        for (const auto& [name, value] : one.params) model().set_parameter(name, value);
        state().view.steps_by = by;
        ASSERT_TRUE(stage_->settle());
        look(fmt::format("{} at {} x {}, {}", one.kernel, width, height, static_cast<int>(by)));
      }
}

TEST_F(PageTest, KeysWorkWhileAMenuIsOpen) {
  OPEN_STAGE(of_size(1600, 900));
  ASSERT_TRUE(click("size"));
  ASSERT_TRUE(has("item/twice"));
  ASSERT_TRUE(stage_->press(compat::Key::s, true));
  EXPECT_TRUE(stage_->interface().take_wishes().save_state);
  ASSERT_TRUE(stage_->settle());
  EXPECT_FALSE(has("item/twice")) << "the menu is closed";
}

TEST_F(PageTest, ThePageCanBeCopiedAsText) {
  OPEN_STAGE(of_size(1600, 900));
  const LadderPage& page = stage_->interface().pages().get<LadderPage>();
  ASSERT_TRUE(stage_->press(compat::Key::t, true, true));
  ASSERT_TRUE(stage_->frame());
  const std::string copied = ImGui::GetClipboardText();
  EXPECT_THAT(copied, HasSubstr("Shared-memory tiling"));
  EXPECT_THAT(copied, HasSubstr(said("says/")));
  ASSERT_TRUE(page.speed().now());
  EXPECT_THAT(copied, HasSubstr(page.speed().now()->unit.substr(1)));
}

// What is said of the time behind the reason is a sentence of its own.
TEST_F(PageTest, EverySentenceBeginsWithACapital) {
  OPEN_STAGE(of_size(1600, 900));
  int shares = 0;
  for (const char* kernel : {"matmul/01_naive", "memory/03_strided", "transpose/01_naive"})
    for (const char* figure : {"access", "coalescing", "banks"}) {
      model().choose_kernel(kernel);
      for (const auto& [name, value] : model().sizes())
        model().set_size(name, std::min<std::int64_t>(value, 4096));
      state().view.figure = figure;
      ASSERT_TRUE(stage_->settle());
      shares += canvas().said().share.empty() ? 0 : 1;
      ASSERT_TRUE(stage_->press(compat::Key::t, true, true));
      ASSERT_TRUE(stage_->frame());
      EXPECT_THAT(ImGui::GetClipboardText(), testing::Not(testing::ContainsRegex("[.] [a-z]")));
    }
  EXPECT_GT(shares, 0);
}

TEST_F(PageTest, TheKeyboardAloneReachesAndClicksThings) {
  State start = of_size(1600, 900);
  start.kernel = "matmul/01_naive";
  OPEN_STAGE(start);
  const auto is_on = [&](std::string_view name) {
    const auto focus = stage_->find("focus"), thing = stage_->find(name);
    return focus && thing && *focus == *thing;
  };
  constexpr int most = 120;
  for (int i = 0; i < most && !is_on("fix"); ++i) ASSERT_TRUE(stage_->press(compat::Key::tab));
  ASSERT_TRUE(is_on("fix"));
  ASSERT_TRUE(stage_->press(compat::Key::enter));
  ASSERT_TRUE(stage_->settle());
  EXPECT_EQ(state().kernel, "matmul/02_coalesced");
  for (int i = 0; i < most && !is_on("param/BLOCK_X"); ++i) ASSERT_TRUE(stage_->press(compat::Key::tab));
  const std::int64_t before = state().params.at("BLOCK_X");
  ASSERT_TRUE(stage_->press(compat::Key::left));
  ASSERT_TRUE(stage_->settle());
  EXPECT_LT(state().params.at("BLOCK_X"), before);
}

class KeysTest : public PageTest {
 protected:
  bool is_on(std::string_view name) {
    const auto focus = stage_->find("focus"), thing = stage_->find(name);
    return focus && thing && *focus == *thing;
  }
  // By this key, until the keyboard is on it.
  bool go_to(std::string_view name, compat::Key key = compat::Key::tab) {
    constexpr int most = 150;
    for (int i = 0; i < most && !is_on(name); ++i)
      if (!stage_->press(key)) return false;
    return is_on(name);
  }
};

TEST_F(KeysTest, ReachAndClickItemsOfMenus) {
  OPEN_STAGE(of_size(1600, 900));
  ASSERT_TRUE(go_to("size"));
  ASSERT_TRUE(stage_->press(compat::Key::enter));
  ASSERT_TRUE(stage_->frame());
  ASSERT_TRUE(has("item/twice"));
  ASSERT_TRUE(go_to("item/twice", compat::Key::down));
  ASSERT_TRUE(stage_->press(compat::Key::enter));
  ASSERT_TRUE(stage_->settle());
  EXPECT_EQ(state().size.at("M"), 128);
  EXPECT_FALSE(has("item/twice")) << "the menu is closed";
}

TEST_F(KeysTest, ReachLinesOfCode) {
  OPEN_STAGE(of_size(1600, 900));
  const auto line = [&] {
    const auto access = model().access();
    return state().selection.line > 0 ? state().selection.line
           : access                   ? figures::kernel_line_of(*model().run(), access->pc)
                                      : 0;
  };
  ASSERT_TRUE(go_to("listing/source"));
  const int before = line();
  std::set<int> seen;
  for (int i = 0; i < 8; ++i) {
    ASSERT_TRUE(stage_->press(compat::Key::up));
    ASSERT_TRUE(stage_->settle());
    seen.insert(line());
  }
  EXPECT_LT(*seen.begin(), before);
  EXPECT_GE(seen.size(), 3u);
}

TEST_F(KeysTest, ReachPartsOfPictures) {
  State start = of_size(1600, 900);
  start.view.figure = "coalescing";
  OPEN_STAGE(start);
  ASSERT_TRUE(go_to("figure"));
  const auto pointed = [&] { return model().pointing.now().id; };
  std::set<std::string> seen;
  const auto go = [&](compat::Key key) {
    EXPECT_TRUE(stage_->press(key));
    EXPECT_TRUE(stage_->settle());
    seen.insert(pointed());
  };
  go(compat::Key::right);
  for (int i = 0; i < 40 && !pointed().starts_with("lane:"); ++i) go(compat::Key::up);
  for (int i = 0; i < 3; ++i) go(compat::Key::right);
  EXPECT_GE(seen.size(), 4u);
  ASSERT_THAT(pointed(), testing::StartsWith("lane:"));
  ASSERT_TRUE(stage_->press(compat::Key::enter));
  ASSERT_TRUE(stage_->settle());
  EXPECT_EQ(fmt::format("lane:{}", state().selection.lane), pointed());
}

// By arrows; Enter puts an edge back.
TEST_F(KeysTest, MoveTheEdgesOfPanels) {
  OPEN_STAGE(of_size(1600, 900));
  const auto width = [&] { return stage_->find("center")->width; };
  const double designed = width();
  for (const auto& [edge, narrower] :
       {std::pair("splitter/left", compat::Key::right), std::pair("splitter/right", compat::Key::left)}) {
    SCOPED_TRACE(edge);
    ASSERT_TRUE(go_to(edge));
    ASSERT_TRUE(stage_->press(narrower));
    ASSERT_TRUE(stage_->settle());
    EXPECT_LT(width(), designed);
    ASSERT_TRUE(stage_->press(compat::Key::enter));
    ASSERT_TRUE(stage_->settle());
    EXPECT_EQ(width(), designed);
  }
}

TEST_F(PageTest, AClickOnAMeasuredSpeedOpensItsSamples) {
  State start = of_size(1600, 900);
  start.size = {{"M", 512}, {"N", 512}, {"K", 512}};
  OPEN_STAGE(start);
  ASSERT_TRUE(has("speed/recorded"));
  ASSERT_TRUE(stage_->click("speed/value " + said("speed/value ")));
  ASSERT_TRUE(stage_->settle());
  EXPECT_EQ(state().view.figure, "timing");
  EXPECT_THAT(said("says/"), HasSubstr("in the median"));
  EXPECT_TRUE(stage_->interface().pages().get<LadderPage>().scene()) << "it can be exported";
}

TEST_F(PageTest, HelpIsOnePageThatFits) {
  for (const auto& [width, height] : {std::pair(1280, 720), std::pair(1600, 900)}) {
    OPEN_STAGE(of_size(width, height));
    ASSERT_TRUE(stage_->press(compat::Key::f1));
    ASSERT_TRUE(stage_->settle());
    const auto help = stage_->find("help"), last = stage_->find("help/end");
    ASSERT_TRUE(help && last);
    EXPECT_LE(last->bottom(), help->bottom()) << width;
    EXPECT_EQ(said("help/cut "), "") << width;
    stage_.reset();
  }
}

TEST_F(PageTest, TheStartPageHasAllLaddersInSight) {
  State start = of_size(1600, 900);
  start.view.page = Page::start;
  OPEN_STAGE(start);
  for (const std::string& ladder : model().ladders()) {
    const auto pill = stage_->find("start/ladder " + ladder);
    ASSERT_TRUE(pill) << ladder;
    EXPECT_LE(pill->bottom(), 900) << ladder;
  }
}

// The speed of a slider's values is there in the next frame: found ahead, or else about so much.
class AheadTest : public PageTest {
 protected:
  const LadderPage& page() { return stage_->interface().pages().get<LadderPage>(); }
  static State unmeasured() {  // a size that nobody recorded
    State state = of_size(1600, 900);
    state.size = {{"M", 96}, {"N", 96}, {"K", 96}};
    return state;
  }
};

TEST_F(AheadTest, ASpeedIsThereInTheNextFrame) {
  OPEN_STAGE(unmeasured());
  ASSERT_TRUE(page().speed().now());
  while (page().speeds_ahead().is_busy()) ASSERT_TRUE(stage_->settle());
  model().set_parameter("TILE", 8);
  ASSERT_TRUE(stage_->frame());
  ASSERT_TRUE(page().speed().now());
  EXPECT_FALSE(page().speed().now()->is_about);
  const double ahead = page().speed().now()->value;
  EXPECT_TRUE(has("speed/change"));
  ASSERT_TRUE(stage_->settle());
  EXPECT_NEAR(page().speed().now()->value, ahead, 0.1 * ahead) << "of a sample of its blocks";
}

// Of values of which each alone is illegal nothing can be estimated: the number of those before stays and says so.
TEST_F(AheadTest, TheSpeedBeforeStaysUntilTheNextIsThere) {
  State start = unmeasured();
  start.kernel = "matmul/04_register_1d";
  OPEN_STAGE(start);
  ASSERT_TRUE(page().speed().now());
  ASSERT_FALSE(page().speed().now()->before);
  const OneSpeed before = *page().speed().now();
  const catalog::Values values = state().params;
  for (const auto& [name, value] : catalog::Values{{"BM", 32}, {"BN", 32}, {"BK", 4}})
    model().set_parameter(name, value);
  ASSERT_TRUE(stage_->frame());
  ASSERT_TRUE(page().speed().now());
  EXPECT_EQ(page().speed().now()->before, values);
  EXPECT_EQ(page().speed().now()->value, before.value);
  EXPECT_TRUE(has("speed/before"));
  EXPECT_FALSE(has("speed/change"));
  EXPECT_EQ(said("speed/value "), "") << "it is not the speed of what is set";
  ASSERT_TRUE(stage_->settle());
  ASSERT_TRUE(page().speed().now());
  EXPECT_FALSE(page().speed().now()->before);
  EXPECT_TRUE(has("speed/predicted"));
  EXPECT_TRUE(has("speed/change"));
}

TEST_F(AheadTest, WhatTheModelDoesNotKnowIsSaid) {
  State start = of_size(1600, 900);
  start.kernel = "tensor/09_wgmma_tma", start.device = "a100";  // which has no wgmma
  OPEN_STAGE(start);
  ASSERT_TRUE(stage_->settle());
  EXPECT_FALSE(page().speed().now());
  EXPECT_TRUE(has("speed/none"));
  ASSERT_NE(page().speeds_ahead().why_none(), nullptr);
  ASSERT_TRUE(stage_->press(compat::Key::t, true, true));
  ASSERT_TRUE(stage_->frame());
  EXPECT_THAT(ImGui::GetClipboardText(), HasSubstr("Cannot run: cp.async.bulk.tensor needs 9.0"))
      << "with its reason";
}

// Two sliders at once: only what each of them does alone is found ahead.
TEST_F(AheadTest, WhatIsNotKnownYetIsAboutSoMuch) {
  State start = of_size(1600, 900);
  start.kernel = "transpose/02_tiled", start.size = {{"M", 96}, {"N", 96}};
  OPEN_STAGE(start);
  while (page().speeds_ahead().is_busy()) ASSERT_TRUE(stage_->settle());
  ASSERT_TRUE(page().speed().now());
  model().set_parameter("TILE", 16), model().set_parameter("PAD", 0);
  ASSERT_TRUE(stage_->frame());
  ASSERT_TRUE(page().speed().now());
  EXPECT_TRUE(page().speed().now()->is_about);
  EXPECT_TRUE(has("speed/about"));
  EXPECT_TRUE(has("speed/change"));
  ASSERT_TRUE(stage_->settle());
  ASSERT_TRUE(page().speed().now());
  EXPECT_FALSE(page().speed().now()->is_about);
  EXPECT_TRUE(has("speed/predicted"));
}

}  // namespace
}  // namespace warplens::app
