// The window, drawn off screen and driven by a script, as a user would drive it.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <set>
#include <thread>

#include "app/window/actions/pages.hpp"
#include "app/window/figure/figure_canvas.hpp"
#include "app/window/kit/widgets.hpp"
#include "app/window/pages/ladder/ladder_page.hpp"
#include "app/window/testing/test_kernel.hpp"
#include "engine/base/testing/places.hpp"
#include "engine/base/testing/test_folder.hpp"
#include "engine/base/text.hpp"
#include "viz/figures/parts/places.hpp"

namespace warplens::app {
namespace {

State small_state() {
  State state = small_problem();
  state.view.width = 1280;
  state.view.height = 720;
  return state;
}

class WindowTest : public StageTest {};

TEST_F(WindowTest, RunsTheKernelOfItsState) {
  OPEN_STAGE(small_state());
  ASSERT_NE(stage_->model().run(), nullptr);
  EXPECT_FALSE(stage_->model().error());
  EXPECT_TRUE(stage_->model().run()->report.verified);
  EXPECT_GT(stage_->model().events().size(), 100u);  // K loads of A and of B, and one store
}

TEST_F(WindowTest, AClickOnAStepChoosesAndRunsIt) {
  OPEN_STAGE(small_state());
  ASSERT_TRUE(click("step/matmul/02_coalesced"));
  EXPECT_EQ(state().kernel, "matmul/02_coalesced");
  EXPECT_EQ(stage_->model().run()->plan().spec.id, "matmul/02_coalesced");
}

TEST_F(WindowTest, ADraggedSliderSetsTheParameterAndRunsAgain) {
  State start = small_state();
  start.kernel = "matmul/03_shared_tile";
  OPEN_STAGE(start);
  const std::int64_t before = stage_->model().run()->plan().parameters.at("TILE");
  ASSERT_EQ(before, 32);
  ASSERT_TRUE(stage_->drag("param/TILE", 1, 0.0));
  ASSERT_TRUE(stage_->settle());
  EXPECT_EQ(state().params.at("TILE"), 4);
  EXPECT_EQ(stage_->model().run()->plan().parameters.at("TILE"), 4);
  EXPECT_EQ(stage_->model().run()->plan().launch.block[0], 4u);
}

TEST_F(WindowTest, ASliderDoesNotGoToAValueThatIsNotLegal) {
  OPEN_STAGE(small_state());  // BLOCK_X and BLOCK_Y are 32: 64 would be 2048 threads
  ASSERT_TRUE(stage_->drag("param/BLOCK_X", 5.0 / 7, 6.0 / 7));
  ASSERT_TRUE(stage_->settle());
  EXPECT_EQ(state().params.at("BLOCK_X"), 32);
  EXPECT_FALSE(stage_->model().error());
}

// What a slider passes on its way back needs no compiler, until it rests.
TEST_F(WindowTest, TheScrubberMovesThroughTheAccesses) {
  OPEN_STAGE(small_state());
  ASSERT_TRUE(stage_->drag("scrubber", 0, 1));
  const auto last = static_cast<std::uint32_t>(stage_->model().events().size() - 1);
  EXPECT_EQ(state().selection.step, last);
  EXPECT_EQ(stage_->model().access()->kind, emulator::AccessKind::store);  // of C, the kernel's last access
  ASSERT_TRUE(stage_->press(compat::Key::home));
  EXPECT_EQ(state().selection.step, 0u);
  ASSERT_TRUE(click("forward"));
  EXPECT_EQ(state().selection.step, 1u);
}

TEST_F(WindowTest, TheKeyboardDoesWhatAnInstructorNeeds) {
  OPEN_STAGE(small_state());
  using compat::Key;
  ASSERT_TRUE(stage_->press(Key::page_down));
  EXPECT_EQ(state().kernel, "matmul/02_coalesced");
  ASSERT_TRUE(stage_->press(Key::page_up));
  EXPECT_EQ(state().kernel, "matmul/01_naive");
  ASSERT_TRUE(stage_->settle());
  EXPECT_EQ(state().selection.step, 1u);  // a step opens on its costliest access: here that of A
  ASSERT_TRUE(stage_->press(Key::right));
  ASSERT_TRUE(stage_->press(Key::right));
  EXPECT_EQ(state().selection.step, 3u);
  ASSERT_TRUE(stage_->press(Key::left));
  EXPECT_EQ(state().selection.step, 2u);
  ASSERT_TRUE(stage_->press(Key::t));
  EXPECT_FALSE(state().view.dark);
  ASSERT_TRUE(stage_->press(Key::plus));
  EXPECT_EQ(state().view.text_scale, 1.125);
  ASSERT_TRUE(stage_->press(Key::p));
  EXPECT_TRUE(state().view.presenter);
}

TEST_F(WindowTest, PlayingGoesOnByItself) {
  State start = small_state();
  start.view.speed = 60;  // a frame is 1/60 s
  OPEN_STAGE(start);
  ASSERT_TRUE(stage_->press(compat::Key::space));
  for (int i = 0; i < 30; ++i) ASSERT_TRUE(stage_->frame());
  const std::uint32_t played = state().selection.step;
  EXPECT_GE(played, 25u);
  ASSERT_TRUE(stage_->press(compat::Key::space));
  const std::uint32_t paused = state().selection.step;
  for (int i = 0; i < 30; ++i) ASSERT_TRUE(stage_->frame());
  EXPECT_EQ(state().selection.step, paused);
}

TEST_F(WindowTest, ANewSizeIsRunAndChangesTheCounts) {
  OPEN_STAGE(small_state());
  const auto before = stage_->model().run()->report.counts.global_load.sectors;
  stage_->model().set_size("K", 128);
  ASSERT_TRUE(stage_->settle());
  const auto after = stage_->model().run()->report.counts.global_load.sectors;
  EXPECT_EQ(after, 2 * before);
}

TEST_F(WindowTest, BlocksAreRecordedWhenTheyAreChosen) {
  OPEN_STAGE(small_state());
  ASSERT_EQ(stage_->model().blocks(), 4u);
  ASSERT_TRUE(click("Block after"));
  EXPECT_EQ(state().selection.block, 1u);
  const run::Run* run = stage_->model().run();
  EXPECT_EQ(run->trace->blocks()[stage_->model().trace_block()].block, 1u);
}

// It steps back, since it is not of the value that stands beside it.
TEST_F(WindowTest, AValueThatBreaksTheRulesIsSaidAndTheLastPictureStays) {
  State start = small_state();
  start.view.figure = "access";
  OPEN_STAGE(start);
  EXPECT_FALSE(stage_->find("figure/outdated"));
  stage_->model().set_parameter("BLOCK_X", 128);
  ASSERT_TRUE(stage_->settle());
  ASSERT_TRUE(stage_->model().error());
  EXPECT_NE(stage_->model().error()->message.find("1024"), std::string::npos);
  EXPECT_NE(stage_->model().run(), nullptr);
  EXPECT_TRUE(stage_->find("figure/outdated"));
  stage_->model().set_parameter("BLOCK_X", 16);
  ASSERT_TRUE(stage_->settle());
  EXPECT_FALSE(stage_->model().error());
  EXPECT_FALSE(stage_->find("figure/outdated"));
}

TEST_F(WindowTest, ARunThatWasCancelledSaysSo) {
  State start = small_state();
  OPEN_STAGE(start);
  stage_->model().set_size("M", 2048);
  stage_->model().set_size("N", 2048);
  stage_->model().set_size("K", 2048);
  stage_->model().update();
  ASSERT_TRUE(stage_->model().busy_seconds());
  stage_->model().cancel();
  ASSERT_TRUE(stage_->settle());
  ASSERT_TRUE(stage_->model().error());
  EXPECT_NE(stage_->model().error()->message.find("stopped"), std::string::npos);
  stage_->model().set_size("M", 64);
  stage_->model().set_size("N", 64);
  stage_->model().set_size("K", 64);
  ASSERT_TRUE(stage_->settle());
  EXPECT_FALSE(stage_->model().error());
}

// How many different colours a picture has: an empty window has few.
std::size_t colors_of(const scene::Raster& picture) {
  std::set<std::uint32_t> colors;
  for (const theme::Rgba p : picture.pixels) colors.insert(p.r << 16 | p.g << 8 | p.b);
  return colors.size();
}

// The chosen step is whole in the list, which scrolls no further than that needs.
TEST_F(WindowTest, TheListOfStepsScrollsAsFarAsTheChosenOneNeeds) {
  State start = small_state();
  start.kernel = "matmul/05_register_2d";
  OPEN_STAGE(start);
  const auto list = [&] { return *stage_->find("steps list"); };
  const auto step = [&](const char* id) { return *stage_->find(std::string("step/matmul/") + id); };
  EXPECT_DOUBLE_EQ(step("01_naive").y, list().y);
  ASSERT_LT(step("05_register_2d").bottom(), list().bottom());
  ASSERT_GT(step("09_warp_tile").bottom(), list().bottom());
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(stage_->press(compat::Key::page_down));
  ASSERT_TRUE(stage_->settle());
  ASSERT_EQ(state().kernel, "matmul/09_warp_tile");
  EXPECT_LE(step("09_warp_tile").bottom(), list().bottom());
  EXPECT_GT(step("10_async_pipeline").bottom(), list().bottom());
  for (int i = 0; i < 8; ++i) ASSERT_TRUE(stage_->press(compat::Key::page_up));
  ASSERT_TRUE(stage_->settle());
  EXPECT_DOUBLE_EQ(step("01_naive").y, list().y);
}

TEST_F(WindowTest, TheDrawerSaysWhatToWatch) {
  for (const auto& [width, height] : {std::pair(1600, 900), std::pair(1280, 720)}) {
    SCOPED_TRACE(testing::Message() << width << " x " << height);
    State start = small_state();
    start.view.width = width, start.view.height = height;
    OPEN_STAGE(start);
    EXPECT_FALSE(stage_->find("watch"));
    ASSERT_TRUE(click("details"));
    EXPECT_TRUE(stage_->find("watch"));
    stage_.reset();
  }
}

TEST_F(WindowTest, EverySizeThemeAndScaleIsDrawn) {
  for (const auto& [width, height] : {std::pair(1600, 900), std::pair(1280, 720)}) {
    for (const bool dark : {true, false}) {
      for (const double scale : {1.0, 1.75}) {
        State start = small_state();
        start.view.width = width;
        start.view.height = height;
        start.view.dark = dark;
        start.view.text_scale = scale;
        OPEN_STAGE(start);
        const scene::Raster picture = stage_->picture();
        EXPECT_EQ(picture.width, width);
        EXPECT_GT(colors_of(picture), 100u) << width << " " << dark << " " << scale;
        const theme::Rgba panel = (dark ? theme::dark() : theme::light())[Token::panel];
        EXPECT_EQ(picture.pixels[0], panel);
        // Nothing that can be used stands outside of the window.
        for (const auto& [name, rect] : stage_->interface().marks()) {
          if (name.starts_with("step/")) continue;  // in a list that scrolls
          if (name.starts_with("param/")) continue;
          EXPECT_GE(rect.x, 0) << name;
          EXPECT_LE(rect.right(), width + 5) << name << " at scale " << scale;
          EXPECT_LE(rect.bottom(), height) << name;
          EXPECT_GE(rect.width, 8) << name;
        }
        stage_.reset();
      }
    }
  }
}

// On a projector with large type the figure's text grows too, as far as the layout has room.
TEST_F(WindowTest, LargeTypeMakesTheFiguresTextLargerToo) {
  double at_one = 0;
  for (const double scale : {1.0, 1.25}) {
    State start = small_problem();
    start.view.width = 1920, start.view.height = 1080;
    start.view.text_scale = scale;
    OPEN_STAGE(start);
    const double now = stage_->interface().pages().get<LadderPage>().canvas().scale();
    if (scale > 1) {
      EXPECT_GT(now, 1.1 * at_one);
    }
    at_one = now;
    stage_.reset();
  }
}

class RoomTest : public StageTest {
 protected:
  static bool is_wordless(std::string_view name) {
    return name.ends_with(" before/cut") || name.ends_with(" after/cut");
  }
  using Marks = std::map<std::string, Rect, std::less<>>;
  // Everything with a name on a page of a window.
  void look(Page page, int width, int height, double text_scale, Marks& marks) {
    State start = small_state();
    start.kernel = "matmul/02_coalesced";
    start.view.page = page;
    start.view.width = width, start.view.height = height, start.view.text_scale = text_scale;
    OPEN_STAGE(start);
    marks = stage_->interface().marks();
    // How many tabs find room, and what is cut of a button without words, depends on how letters are rounded.
    std::erase_if(marks,
                  [](const auto& mark) { return mark.first.starts_with("tab/") || is_wordless(mark.first); });
    stage_.reset();
  }
};

// The ordinary layout at 3/4 of its size, and at no more than its size.
TEST_F(RoomTest, WhatHasNoRoomIsDrawnSmallerAsItIs) {
  for (const Page page : {Page::ladder, Page::compare, Page::playground}) {
    Marks whole, smaller, larger_type;
    look(page, 1280, 720, 1, whole);
    look(page, 960, 540, 1, smaller);
    look(page, 1280, 720, 2.5, larger_type);
    if (IsSkipped()) return;
    // Larger type is larger here too: parts of the layout give way to it, and nothing leaves the window.
    EXPECT_TRUE(std::ranges::any_of(larger_type, [&](const auto& mark) {
      const auto before = whole.find(mark.first);
      return before != whole.end() && mark.second.height > 1.1 * before->second.height;
    }));
    for (const auto& [name, rect] : larger_type) EXPECT_LE(rect.right(), 1280 + 1) << name;
    ASSERT_EQ(smaller.size(), whole.size());
    for (const auto& [name, rect] : whole) {
      ASSERT_TRUE(smaller.contains(name)) << name;
      const Rect& small = smaller.find(name)->second;
      EXPECT_NEAR(small.center().x, 0.75 * rect.center().x, 20) << name;
      EXPECT_NEAR(small.center().y, 0.75 * rect.center().y, 20) << name;
    }
  }
}

// Another shape than the design's: the layout of a window with that much room, and nothing is cut or outside.
TEST_F(RoomTest, ASmallWindowOfAnyShapeShowsTheOrdinaryLayout) {
  for (const Page page : {Page::ladder, Page::compare, Page::playground}) {
    Marks small, roomy;
    look(page, 1024, 600, 1, small);
    look(page, 1365, 800, 1, roomy);
    if (IsSkipped()) return;
    for (const auto& [name, rect] : roomy) EXPECT_TRUE(small.contains(name)) << name;
    for (const auto& [name, rect] : small) {
      EXPECT_FALSE(name.ends_with("/cut")) << name;
      if (name.starts_with("step/") || name.starts_with("param/") || name.starts_with("playground/"))
        continue;
      EXPECT_GE(rect.x, 0) << name;
      EXPECT_LE(rect.right(), 1024 + 5) << name;
      EXPECT_LE(rect.bottom(), 600) << name;
    }
  }
}

// Where "limited by registers" has no room the card says "registers".
TEST_F(WindowTest, NotesOfCardsAreWhole) {
  State start;
  start.kernel = "minplus/04_v2";
  start.size = {{"N", 64}};
  start.view.height = 720;
  start.view.details = true;
  for (const int width : {1200, 1280, 1600}) {
    start.view.width = width;
    OPEN_STAGE(start);
    EXPECT_TRUE(stage_->find("card/Occupancy"));
    EXPECT_FALSE(stage_->find("card/Occupancy/cut")) << width;
    stage_.reset();
  }
}

// Else every key after it would go to a menu that nobody looks at.
TEST_F(WindowTest, EscapeClosesEveryMenuAndNothingElse) {
  State start = small_state();
  start.view.figure = "coalescing";
  OPEN_STAGE(start);
  const std::pair<const char*, const char*> menus[] = {
      {"view", "item/theme"}, {"size", "item/half"}, {"export", "item/save png"}, {"device", "device/cc8.0"}};
  for (const auto& [button, inside] : menus) {
    ASSERT_TRUE(click(button));
    ASSERT_TRUE(stage_->find(inside)) << button;
    ASSERT_TRUE(stage_->press(compat::Key::escape));
    ASSERT_TRUE(stage_->settle());
    EXPECT_FALSE(stage_->find(inside)) << button;
  }
  ASSERT_TRUE(stage_->click_other("figure"));
  ASSERT_TRUE(stage_->find("item/copy figure"));
  ASSERT_TRUE(stage_->press(compat::Key::escape));
  ASSERT_TRUE(stage_->settle());
  EXPECT_FALSE(stage_->find("item/copy figure"));
  EXPECT_EQ(state().view.figure, "coalescing");
  ASSERT_TRUE(stage_->press(compat::Key::two));  // keys work again
  ASSERT_TRUE(stage_->press(compat::Key::one));
  EXPECT_EQ(state().view.figure, "access");
}

TEST_F(WindowTest, ASizeIsTypedWithOrWithoutCommas) {
  State start = small_state();
  start.kernel = "memory/01_coalesced";
  start.size = {{"N", 4096}};
  OPEN_STAGE(start);
  for (const auto& [typed, size] : {std::pair("2,048", 2048), std::pair("8192", 8192)}) {
    ASSERT_TRUE(click("size"));
    ASSERT_TRUE(click("size/N"));
    ASSERT_TRUE(stage_->type(typed));
    ASSERT_TRUE(click("step/memory/01_coalesced"));  // it counts once the field is left, and the menu with it
    EXPECT_EQ(state().size.at("N"), size);
  }
}

TEST_F(WindowTest, ATypedSizeThatCannotBeIsRefusedInOneSentence) {
  State start = small_state();
  start.kernel = "memory/01_coalesced";
  start.size = {{"N", 4096}};
  OPEN_STAGE(start);
  for (const auto& [typed, why] : {std::pair("0", "N stays 4096: a size is 1 or more"),
                                   std::pair("99999999999", "N stays 4096: a size is below 2,147,483,647")}) {
    ASSERT_TRUE(click("size"));
    ASSERT_TRUE(click("size/N"));
    ASSERT_TRUE(stage_->type(typed));
    ASSERT_TRUE(click("step/memory/01_coalesced"));
    EXPECT_EQ(state().size.at("N"), 4096);
    EXPECT_EQ(stage_->interface().message(), why);
  }
}

TEST_F(WindowTest, AnIndexHasNoSizesAndNothingToRun) {
  State start = small_state();
  OPEN_STAGE(start);
  for (const char* name : {"size", "run", "live"}) EXPECT_TRUE(stage_->find(name)) << name;
  stage_.reset();
  start.view.page = Page::playground;
  OPEN_STAGE(start);
  for (const char* name : {"size", "run", "live"}) EXPECT_FALSE(stage_->find(name)) << name;
}

// What is still of the run before looks so, once that takes as long as the spinner's delay.
TEST_F(OwnKernelsTest, ThePictureOfTheRunBeforeStepsBackWhileALongRunStarts) {
  make_home();
  add("slow", "slow",
      "unsigned v = x + 1;\n"
      "if (M > 8) for (int i = 0; i < 2000000; ++i) v ^= v << 13, v ^= v >> 17, v ^= v << 5;\n"
      "out[x * M + y] = v == 0 ? 0 : in[y * N + x];");  // never 0, which no compiler knows
  State start;
  start.kernel = "test/slow";
  start.params = {{"TILE", 16}};  // eight warps a block: its preview takes longer than the spinner's delay
  start.size = {{"M", 8}, {"N", 8}};
  OPEN_STAGE(start, {.home = home_.path().string()});
  EXPECT_FALSE(stage_->find("figure/outdated"));
  stage_->model().set_size("M", 16);
  stage_->model().update();
  bool was_old = false;
  while (!stage_->model().is_current() && !stage_->model().error()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    stage_->model().update();
    const double before = stage_->model().busy_seconds().value_or(0);
    const bool is_old = !stage_->model().is_current();
    ASSERT_TRUE(stage_->frame());
    const double after = stage_->model().busy_seconds().value_or(0);
    if (before <= kBusyAfter && after > kBusyAfter) continue;  // in between
    if (is_old == stage_->model().is_current()) continue;
    EXPECT_EQ(stage_->find("figure/outdated").has_value(), is_old && before > kBusyAfter) << before;
    was_old |= is_old && before > kBusyAfter;
  }
  EXPECT_TRUE(was_old);
  ASSERT_TRUE(stage_->frame());
  EXPECT_FALSE(stage_->find("figure/outdated"));
  stage_->model().cancel();
  ASSERT_TRUE(stage_->settle());
}

// The button to cancel and its spinner stand in the room of Run: nothing beside them is pushed away.
TEST_F(WindowTest, WhileAKernelRunsTheBarKeepsItsButtonsApart) {
  State start = small_problem();
  start.view.width = 1280;
  start.view.height = 720;
  OPEN_STAGE(start);
  const double idle = stage_->find("run")->width;
  for (const char* name : {"M", "N", "K"}) stage_->model().set_size(name, 4096);
  ASSERT_TRUE(stage_->frame());
  while (stage_->model().busy_seconds() && stage_->find("run")->width == idle) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    ASSERT_TRUE(stage_->frame());
  }
  const auto cancel = stage_->find("run"), live = stage_->find("live"), compare = stage_->find("compare");
  ASSERT_TRUE(cancel && live && compare);
  EXPECT_LT(cancel->width, idle);
  EXPECT_GE(live->x, cancel->x + idle);
  ASSERT_TRUE(stage_->click("run"));
  ASSERT_TRUE(stage_->settle());
  EXPECT_TRUE(stage_->model().error());
}

// Devices before 2.0 have room for 512 threads a block: sliders say what does not fit.
TEST_F(WindowTest, AnOldChipRefusesLargeBlocks) {
  State start = small_state();
  start.kernel = "matmul/03_shared_tile";
  start.device = "1.0";
  OPEN_STAGE(start);
  const Model& model = stage_->model();
  EXPECT_FALSE(model.error());
  ASSERT_EQ(model.sliders().size(), 1u);
  const auto legal = [&](std::int64_t value) {
    const auto& choices = model.sliders().front().choices;
    const auto found =
        std::find_if(choices.begin(), choices.end(), [&](const auto& c) { return c.value == value; });
    return found != choices.end() && found->valid && found->reason.empty();
  };
  EXPECT_TRUE(legal(8));
  EXPECT_FALSE(legal(32));
  ASSERT_NE(model.ladder_traffic().of("matmul/03_shared_tile"), nullptr);
  EXPECT_NE(model.ladder_traffic().of("matmul/03_shared_tile")->values, "");  // not those of its file
  stage_->model().choose_device("h100");
  ASSERT_TRUE(stage_->settle());
  EXPECT_TRUE(legal(32));
  EXPECT_FALSE(model.error());
  EXPECT_EQ(model.ladder_traffic().of("matmul/03_shared_tile")->values, "");
}

TEST(Sentence, BeginsWithACapitalWhereItBeginsWithAWord) {
  EXPECT_EQ(sentence("unknown name 'foo'"), "Unknown name 'foo'");
  EXPECT_EQ(sentence("warplens-window.png was saved"), "warplens-window.png was saved");
  EXPECT_EQ(sentence("matmul/01_naive.cu:7: error"), "matmul/01_naive.cu:7: error");
  EXPECT_EQ(sentence("BM is 3"), "BM is 3");
  EXPECT_EQ(sentence(""), "");
}

TEST_F(WindowTest, ALineThatCallsADeviceFunctionStandsForItsAccesses) {
  State start = small_state();
  start.kernel = "matmul/06_vectorized";
  OPEN_STAGE(start);
  const Model& model = stage_->model();
  ASSERT_TRUE(model.access());
  const int caller = figures::kernel_line_of(*model.run(), model.access()->pc),
            helper = figures::line_of(*model.run(), model.access()->pc);
  EXPECT_GT(caller, helper);  // load4 stands above the kernel
  EXPECT_GT(helper, 0);
  stage_->model().move_step(std::ssize(model.events()));
  stage_->model().choose_line(caller);
  ASSERT_TRUE(stage_->settle());
  EXPECT_EQ(figures::kernel_line_of(*model.run(), model.access()->pc), caller);
  stage_->model().choose_line(helper);
  ASSERT_TRUE(stage_->settle());
  EXPECT_EQ(figures::line_of(*model.run(), model.access()->pc), helper);
}

// While somebody edits: a file that cannot be read is named, and the rest goes on.
TEST_F(WindowTest, AKernelFileThatIsBrokenIsNamed) {
  namespace fs = std::filesystem;
  const TestFolder home;
  for (const char* folder : {"kernels", "assets"})
    fs::copy(fs::path(source_path()) / folder, home / folder, fs::copy_options::recursive);
  home.write("kernels/matmul/04_register_1d.cu", "/*---\ntitel = \"x\"\n---*/\n");
  for (const auto& [height, scale] : {std::pair{900, 1.0}, {720, 1.0}, {900, 1.75}}) {
    State start = small_state();
    start.view.width = 16 * height / 9;
    start.view.height = height;
    start.view.text_scale = scale;
    OPEN_STAGE(start, {.home = home.string()});
    const auto lines = stage_->find("file problems");
    ASSERT_TRUE(lines) << scale;
    if (scale > 1 || height < 900) {
      EXPECT_LT(lines->height, 60 * scale);  // the sliders below it stay in sight
    }
    const auto slider = stage_->find("param/BLOCK_X");
    ASSERT_TRUE(slider) << scale;
    EXPECT_LT(slider->bottom(), height) << scale;
    EXPECT_FALSE(stage_->model().error());
    stage_.reset();
  }
}

// Then there is no picture, and no access to go to: what went wrong has the room, whole.
TEST_F(WindowTest, AFaultBeforeTheFirstAccessStandsAlone) {
  const TestFolder folder;
  const auto far = folder.write(
      "far.cu",
      "/*---\ntitle = \"Far\"\nproblem = \"copy\"\n[launch]\nblock = [\"32\"]\ngrid = [\"ceil_div(N, 32)\"]\n"
      "---*/\nextern \"C\" __global__ void kernel(const float* in, float* out, int N) {\n"
      "  out[threadIdx.x] = in[threadIdx.x + 1000000000];\n}\n");
  for (const double scale : {1.0, 1.75}) {
    State own = small_state();
    own.kernel = far.string();
    own.size = {{"N", 64}};
    own.view.text_scale = scale;
    OPEN_STAGE(own);
    ASSERT_TRUE(model().error());
    EXPECT_EQ(model().error()->place.line, 9);
    EXPECT_TRUE(stage_->find("error")) << scale;
    for (const char* none : {"scrubber", "card/All sectors", "figure"})
      EXPECT_FALSE(stage_->find(none)) << none << scale;
    stage_->model().state.view.figure = "ladder";  // of the other steps, or of none
    ASSERT_TRUE(stage_->settle());
    EXPECT_TRUE(stage_->find("notice")) << scale;
    EXPECT_TRUE(stage_->find("figure")) << scale;
    stage_.reset();
  }
}

TEST_F(WindowTest, TheSamePictureComesTwice) {
  OPEN_STAGE(small_state());
  const scene::Raster first = stage_->picture();
  ASSERT_TRUE(stage_->frame());
  EXPECT_TRUE(first.pixels == stage_->picture().pixels);
}

// A file of one's own is a step of no ladder: where the steps stand, it says what is shown.
TEST_F(WindowTest, AFileOfOnesOwnStandsWhereTheStepsDo) {
  namespace fs = std::filesystem;
  const TestFolder folder;
  fs::copy(fs::path(source_path()) / "kernels/matmul/01_naive.cu", folder / "mine.cu");
  for (const double scale : {1.0, 1.75}) {
    State own = small_state();
    own.kernel = (folder / "mine.cu").string();
    own.view.text_scale = scale;
    OPEN_STAGE(own);
    EXPECT_TRUE(model().steps().empty());
    const auto place = stage_->find("own file");
    ASSERT_TRUE(place) << scale;
    EXPECT_GT(place->width, 100);
    EXPECT_GT(place->height, 40);
    stage_.reset();  // one context of ImGui at a time
  }
}

}  // namespace
}  // namespace warplens::app
