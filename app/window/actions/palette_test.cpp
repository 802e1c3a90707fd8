// Keys, the palette that finds what they do, and copying: the window driven as a user would drive it.
#include "app/window/actions/palette.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <set>

#include "app/window/actions/shortcuts.hpp"
#include "app/window/figure/figure_canvas.hpp"
#include "app/window/platform/clipboard.hpp"
#include "app/window/testing/stage_test.hpp"
#include "engine/base/testing/places.hpp"
#include "engine/base/testing/test_folder.hpp"
#include "engine/base/whole_file.hpp"
#include "viz/paint/testing/decode_png.hpp"

namespace warplens::app {
namespace {

// docs/keyboard.md.
std::string keyboard_markdown() {
  std::string text =
      "# Keys\n\nEverything that the window can be told to do. The command palette (Ctrl+K) finds each of "
      "them "
      "by a few\nletters, and with them every step, figure, device, size and parameter value, and each word "
      "of the "
      "glossary. This\npage is made from the program's own table; a test holds it to that.\n";
  std::string_view group;
  for (const Action& action : actions()) {
    if (action.group != group)
      text += fmt::format("\n## {}\n\n| keys | what they do |\n|---|---|\n", group = action.group);
    if (!title_of(action).empty()) text += fmt::format("| {} | {} |\n", keys_of(action), title_of(action));
  }
  return text;
}

using compat::Key, ::testing::ElementsAre, ::testing::HasSubstr, ::testing::StartsWith;

TEST(PaletteMatch, FindsLettersInTheirOrder) {
  EXPECT_TRUE(fuzzy_match("", "anything"));
  EXPECT_TRUE(fuzzy_match("t16", "TILE = 16"));
  EXPECT_FALSE(fuzzy_match("61t", "TILE = 16"));
  EXPECT_FALSE(fuzzy_match("tiles", "TILE"));
  EXPECT_THAT(fuzzy_match("smt", "Shared-memory tiling")->positions, ElementsAre(0, 7, 14));
  EXPECT_THAT(fuzzy_match("tile 16", "TILE = 16")->positions, ElementsAre(0, 1, 2, 3, 7, 8));
}

TEST(PaletteMatch, PrefersRunsAndBeginnings) {
  const auto better = [](const char* query, const char* more, const char* less) {
    return fuzzy_match(query, more)->score > fuzzy_match(query, less)->score;
  };
  EXPECT_TRUE(better("bank", "Banks", "Bring a nice king"));
  EXPECT_TRUE(better("ban", "Banks", "Turban"));
  EXPECT_TRUE(better("size 64", "Size 64", "Size 640"));
  EXPECT_TRUE(better("wt", "Warp tile", "Swath"));
}

TEST(Actions, EachHasItsNameAndItsKeysForItself) {
  std::set<std::string> ids, keys;
  for (const Action& action : actions()) {
    EXPECT_TRUE(ids.insert(std::string(action.id)).second) << action.id;
    EXPECT_EQ(find_action(action.id), &action);
    for (const Chord& chord : action.chords) {
      const std::string text = to_string(chord);
      if (!text.empty() && !(text == "+" && keys.contains(text))) {
        EXPECT_TRUE(keys.insert(text).second) << text;
      }
    }
  }
  EXPECT_EQ(find_action("dance"), nullptr);
  EXPECT_EQ(keys_of(*find_action("palette")), "Ctrl+K or Ctrl+P or /");
}

TEST(Actions, TheDocumentationIsTheTable) {
  const auto page = read_whole_file(source_path("docs/keyboard.md"));
  const std::string text = keyboard_markdown();
  if (page && *page == text) return;
  const std::string wanted = ::testing::TempDir() + "/keyboard.md";
  std::ofstream(wanted) << text;
  ADD_FAILURE() << "docs/keyboard.md is not what the program does: copy " << wanted << " over it";
}

class PaletteTest : public StageTest {
 protected:
  Palette& palette() { return stage_->interface().palette(); }
  void search(const char* text) {
    ASSERT_TRUE(stage_->press(Key::k, true));
    ASSERT_TRUE(stage_->frame());
    ASSERT_TRUE(palette().is_open());
    ASSERT_TRUE(stage_->type(text));
    ASSERT_EQ(palette().query(), text);
    ASSERT_TRUE(stage_->press(Key::enter));
    ASSERT_TRUE(stage_->settle());
    EXPECT_FALSE(palette().is_open());
  }
};

TEST_F(PaletteTest, DoesWhatIsFound) {
  OPEN_STAGE(small_problem());
  search("shared-mem");
  EXPECT_EQ(state().kernel, "matmul/03_shared_tile");
  search("tile16");
  EXPECT_EQ(state().params.at("TILE"), 16);
  search("bank map");
  EXPECT_EQ(state().view.figure, "bank-map");
  search("size128");
  EXPECT_EQ(state().size.at("K"), 128);
  search("present");
  EXPECT_TRUE(state().view.presenter);
  search("padded");
  EXPECT_EQ(state().view.page, Page::playground);
  EXPECT_EQ(state().playground.stride, 33);
}

// What a class shall see is found by its name, and by others that people give it.
TEST_F(PaletteTest, FindsTopics) {
  OPEN_STAGE(small_problem());
  search("bank conflict");
  EXPECT_EQ(state().kernel, "transpose/02_tiled");
  EXPECT_EQ(state().view.figure, "banks");
  search("missing barrier");
  EXPECT_EQ(std::filesystem::path(state().kernel).filename(), "race.cu");
}

// A word of the glossary leads to its sentence, wherever that stands in the sheet.
TEST_F(PaletteTest, FindsWordsOfTheGlossary) {
  OPEN_STAGE(small_problem());
  ASSERT_TRUE(stage_->press(Key::k, true));
  ASSERT_TRUE(stage_->type("bank"));
  ASSERT_TRUE(stage_->find("palette/Glossary: Bank conflict"));
  ASSERT_TRUE(stage_->press(Key::escape));
  ASSERT_TRUE(stage_->settle());
  for (const char* word : {"glossary bank conflict", "glossary accumulator", "glossary wgmma"}) {
    SCOPED_TRACE(word);
    search(word);
    const auto sheet = stage_->find("help"), shown = stage_->find("help/word");
    ASSERT_TRUE(sheet && shown);
    EXPECT_GE(shown->y, sheet->y);
    EXPECT_LE(shown->bottom(), sheet->bottom());
    ASSERT_TRUE(stage_->press(Key::escape));
    ASSERT_TRUE(stage_->settle());
    EXPECT_FALSE(stage_->find("help"));
  }
  ASSERT_TRUE(stage_->press(Key::f1));
  ASSERT_TRUE(stage_->frame());
  EXPECT_FALSE(stage_->find("help/word")) << "what was asked for before";
}

TEST_F(PaletteTest, MovesByKeysAndClosesWithoutDoingAnything) {
  OPEN_STAGE(small_problem());
  const State before = state();
  ASSERT_TRUE(stage_->type("/"));
  ASSERT_TRUE(palette().is_open());
  ASSERT_TRUE(stage_->type("t"));  // a letter of the query, not the theme's key
  EXPECT_EQ(palette().query(), "t");
  ASSERT_TRUE(stage_->press(Key::escape));
  ASSERT_TRUE(stage_->frame());
  EXPECT_FALSE(palette().is_open());
  EXPECT_EQ(state(), before);
  ASSERT_TRUE(stage_->press(Key::p, true));
  ASSERT_TRUE(palette().is_open());
  ASSERT_TRUE(stage_->press(Key::down));  // the second of all: the step before
  ASSERT_TRUE(stage_->press(Key::up));
  ASSERT_TRUE(stage_->press(Key::enter));
  EXPECT_EQ(state().kernel, "matmul/02_coalesced");
}

TEST_F(PaletteTest, FindsWhatTheComparisonCanBeTold) {
  State start = small_problem();
  start.view.page = Page::compare;
  start.compare.left = {"matmul/01_naive", {}};
  start.compare.right = {"matmul/03_shared_tile", {}};
  OPEN_STAGE(start);
  search("right tile8");
  EXPECT_EQ(state().compare.right.params.at("TILE"), 8);
  search("left coalesced");
  EXPECT_EQ(state().compare.left.kernel, "matmul/02_coalesced");
  search("coalescing");
  EXPECT_EQ(state().compare.figure, "coalescing");
  EXPECT_EQ(state().view.page, Page::compare);
}

TEST(Actions, FiguresHaveTheirKeysAndTitles) {
  for (const Action& action : actions()) {
    if (!action.figure || *action.figure >= figures::pictures().size()) continue;
    EXPECT_EQ(title_of(action), figures::pictures()[*action.figure].title);
    EXPECT_EQ(keys_of(action), std::to_string(*action.figure + 1));
  }
}

// Who opens one reads all of it.
TEST_F(PaletteTest, MenusAreShortAndSayAThingOnce) {
  OPEN_STAGE(small_problem());
  std::set<std::string> known;
  for (const char* menu : {"file", "view", "export"}) {
    ASSERT_TRUE(click(menu));
    std::size_t count = 0;
    for (const auto& [mark, rect] : stage_->interface().marks()) {
      if (!mark.starts_with("item/")) continue;
      ++count;
      EXPECT_TRUE(find_action(mark.substr(5))) << mark << " of " << menu << " is no action";
      EXPECT_TRUE(known.insert(mark).second) << mark << " of " << menu;
    }
    EXPECT_GT(count, 4u) << menu;
    EXPECT_LE(count, 12u) << menu;
    ASSERT_TRUE(stage_->press(Key::escape));
    ASSERT_TRUE(stage_->settle());
  }
  EXPECT_TRUE(known.contains("item/start"));
  EXPECT_EQ(find_action("open file")->group, "File");
}

TEST_F(PaletteTest, FiguresThatFindNoRoomStandBelowWhatTheyAreOf) {
  State start = small_problem();
  start.view.width = 1280, start.view.height = 720;
  OPEN_STAGE(start);
  ASSERT_TRUE(click("more figures"));
  const char* order[] = {"more figures/The kernel", "item/Occupancy", "item/Timeline",
                         "more figures/All steps", "item/Roofline"};
  double y = 0;
  for (const char* mark : order) {
    const auto rect = stage_->find(mark);
    ASSERT_TRUE(rect) << mark;
    EXPECT_GT(rect->y, y) << mark;
    y = rect->y;
  }
  ASSERT_TRUE(click("item/Roofline"));
  EXPECT_EQ(state().view.figure, "roofline");
}

// Whoever goes through them finds each where it was: tabs from the left, the others in the menu.
TEST_F(PaletteTest, AFigureFromTheMenuMovesNoOther) {
  State start = small_problem();
  start.view.width = 1280, start.view.height = 720;
  OPEN_STAGE(start);
  using Places = std::vector<std::pair<std::string, double>>;
  const auto places = [&](std::string_view kind, bool down) {
    Places all;
    for (const auto& [mark, rect] : stage_->interface().marks())
      if (mark.starts_with(kind)) all.emplace_back(mark, down ? rect.y : rect.x);
    return all;
  };
  const auto items = [&] {
    EXPECT_TRUE(click("more figures"));
    const Places all = places("item/", true);
    EXPECT_TRUE(stage_->press(Key::escape));
    EXPECT_TRUE(stage_->settle());
    return all;
  };
  const Places tabs = places("tab/", false), offered = items();
  ASSERT_GT(tabs.size(), 1u);
  ASSERT_GT(offered.size(), 2u);
  for (const auto& [mark, y] : offered) {
    SCOPED_TRACE(mark);
    ASSERT_TRUE(click("more figures"));
    ASSERT_TRUE(click(mark));
    EXPECT_TRUE(stage_->find("tab/" + state().view.figure)) << "the open one is in sight";
    EXPECT_EQ(items(), offered);
    for (const auto& [tab, x] : tabs)
      if (const auto now = stage_->find(tab)) {
        EXPECT_EQ(now->x, x) << tab;
      }
  }
  ASSERT_TRUE(stage_->press(Key::one));
  EXPECT_EQ(places("tab/", false), tabs) << "those that had given way are back";
}

TEST_F(PaletteTest, AClickDoesItToo) {
  OPEN_STAGE(small_problem());
  ASSERT_TRUE(stage_->press(Key::k, true));
  ASSERT_TRUE(stage_->type("occupancy"));
  ASSERT_TRUE(click("palette/Occupancy"));
  EXPECT_EQ(state().view.figure, "occupancy");
}

TEST_F(PaletteTest, TheHelpSheetOpensAndCloses) {
  OPEN_STAGE(small_problem());
  ASSERT_TRUE(stage_->press(Key::f1));
  ASSERT_TRUE(stage_->frame());
  EXPECT_TRUE(stage_->find("help"));
  ASSERT_TRUE(stage_->press(Key::escape));
  ASSERT_TRUE(stage_->frame());
  EXPECT_FALSE(stage_->find("help"));
  ASSERT_TRUE(stage_->type("?"));
  EXPECT_TRUE(stage_->find("help"));
  ASSERT_TRUE(stage_->type("?"));
  ASSERT_TRUE(stage_->frame());
  EXPECT_FALSE(stage_->find("help"));
}

TEST_F(PaletteTest, KeysReachEverythingAnInstructorDoesStanding) {
  State start = small_problem();
  OPEN_STAGE(start);
  ASSERT_TRUE(stage_->press(Key::three));
  EXPECT_EQ(state().view.figure, "banks");
  ASSERT_TRUE(stage_->press(Key::down));
  EXPECT_EQ(state().selection.warp, 1u);
  ASSERT_TRUE(stage_->press(Key::up));
  EXPECT_EQ(state().selection.warp, 0u);
  ASSERT_TRUE(stage_->press(Key::down, true));
  EXPECT_EQ(state().selection.block, 1u);
  ASSERT_TRUE(stage_->settle());
  const std::uint32_t opening = state().selection.step;
  ASSERT_TRUE(stage_->press(Key::right, true));
  EXPECT_EQ(state().selection.step, opening + 16);
  ASSERT_TRUE(stage_->press(Key::c));
  EXPECT_EQ(state().view.page, Page::compare);
  ASSERT_TRUE(stage_->settle());
  ASSERT_TRUE(stage_->press(Key::page_down));
  EXPECT_EQ(state().compare.right.kernel, "matmul/03_shared_tile");
  ASSERT_TRUE(stage_->settle());
  EXPECT_EQ(state().compare.step, kOpeningAccess);
  ASSERT_TRUE(stage_->press(Key::right));
  const std::uint32_t moved = state().compare.step;
  EXPECT_NE(moved, kOpeningAccess);
  ASSERT_TRUE(stage_->press(Key::right));
  EXPECT_EQ(state().compare.step, moved + 1);
  ASSERT_TRUE(stage_->press(Key::g));
  EXPECT_EQ(state().view.page, Page::playground);
  ASSERT_TRUE(stage_->press(Key::escape));
  EXPECT_EQ(state().view.page, Page::ladder);
  ASSERT_TRUE(stage_->type("+"));
  EXPECT_EQ(state().view.text_scale, 1.125);
}

// What was compared before is of other steps by then.
TEST_F(PaletteTest, CompareOpensWithTheChosenStep) {
  OPEN_STAGE(small_problem());
  const auto compared_from = [&](const char* kernel) {
    state().kernel = kernel;
    EXPECT_TRUE(stage_->settle());
    EXPECT_TRUE(stage_->press(Key::c));
    EXPECT_TRUE(stage_->settle());
    const auto sides = std::pair(state().compare.left.kernel, state().compare.right.kernel);
    EXPECT_TRUE(stage_->press(Key::escape));
    return sides;
  };
  using Sides = std::pair<std::string, std::string>;
  EXPECT_EQ(compared_from("matmul/01_naive"), Sides("matmul/01_naive", "matmul/02_coalesced"));
  EXPECT_EQ(compared_from("matmul/02_coalesced"), Sides("matmul/01_naive", "matmul/02_coalesced"));
  EXPECT_EQ(compared_from("matmul/04_register_1d"), Sides("matmul/03_shared_tile", "matmul/04_register_1d"));
}

class FakeClipboard final : public PictureClipboard {
 public:
  Status offer(const paint::Bytes& png) override {
    offered = png;
    if (fails) return Error{"the other program is gone", ""};
    return Done{};
  }
  paint::Bytes offered;
  bool fails = false;
};

TEST_F(PaletteTest, AFigureIsCopiedAsAPictureOrAsText) {
  OPEN_STAGE(small_problem());
  const auto clipboard = std::make_shared<FakeClipboard>();
  stage_->interface().copier().set_clipboard(clipboard);
  ImGui::SetClipboardText("before");
  ASSERT_TRUE(stage_->press(Key::c, true));
  ASSERT_TRUE(stage_->settle());
  const auto picture = paint::decode_png(clipboard->offered);
  ASSERT_TRUE(picture);
  EXPECT_GT(picture->width, 1000);
  EXPECT_STREQ(ImGui::GetClipboardText(), "before");
  EXPECT_EQ(state().view.page, Page::ladder);  // C with control is not the key of the comparison
  clipboard->fails = true;
  ASSERT_TRUE(stage_->press(Key::c, true));
  ASSERT_TRUE(stage_->settle());
  EXPECT_THAT(ImGui::GetClipboardText(), HasSubstr("<svg"));
  stage_->interface().copier().set_clipboard(nullptr);
  ImGui::SetClipboardText("before");
  ASSERT_TRUE(stage_->press(Key::c, true));
  ASSERT_TRUE(stage_->settle());
  EXPECT_THAT(ImGui::GetClipboardText(), HasSubstr("<svg"));
}

TEST_F(PaletteTest, NumbersAreCopiedAsATable) {
  OPEN_STAGE(small_problem());
  ASSERT_TRUE(stage_->press(Key::c, true, true));
  const std::string text = ImGui::GetClipboardText();
  EXPECT_THAT(text, StartsWith("quantity\tmatmul/01_naive BLOCK_X=32 BLOCK_Y=32\n"));
  const auto sectors = stage_->model().run()->report.counts.global_load.sectors;
  EXPECT_THAT(text, HasSubstr("\nGlobal load sectors\t" + std::to_string(sectors) + "\n"));
  EXPECT_THAT(text, HasSubstr("\nActive lanes\t32 of 32\n"));
}

TEST_F(PaletteTest, SaysWhyAValueCannotBeChosen) {
  OPEN_STAGE(small_problem());  // BLOCK_X and BLOCK_Y are 32: 64 would be 2048 threads
  EXPECT_FALSE(stage_->find("message"));
  search("why not BLOCK_X = 64");
  EXPECT_EQ(state().params.at("BLOCK_X"), 32);
  EXPECT_TRUE(stage_->find("message"));
}

TEST(Clipboard, FeedsAProgramWithoutAShell) {
  const TestFolder folder;
  const std::string file = (folder / "fed").string();
  const paint::Bytes bytes = {'p', 'n', 'g', 0, 0xff};
  ASSERT_TRUE(feed_program({"/usr/bin/tee", file}, bytes));
  const auto written = read_whole_file(file);
  ASSERT_TRUE(written);
  EXPECT_EQ(*written, std::string("png\0\xff", 5));
  EXPECT_FALSE(feed_program({"/usr/bin/false"}, bytes));
  EXPECT_FALSE(feed_program({"/no/such/program"}, bytes));
}

TEST(Clipboard, IsTheFirstProgramOnThePathThatTheDisplayCanUse) {
  const TestFolder folder;
  for (const char* name : {"xclip", "wl-copy"})
    folder.write_script(name, "cat > \"$0.out\"; echo \"$@\" > \"$0.words\"\n");
  Environment environment;
  environment.path = "/nowhere:" + folder.string();
  EXPECT_EQ(system_clipboard(environment), nullptr);  // no display
  environment.display = ":0";
  auto clipboard = system_clipboard(environment);
  ASSERT_NE(clipboard, nullptr);
  ASSERT_TRUE(clipboard->offer({'x'}));
  EXPECT_EQ(*read_whole_file(folder / "xclip.out"), "x");
  EXPECT_THAT(*read_whole_file(folder / "xclip.words"), HasSubstr("image/png"));
  environment.wayland = "wayland-0";
  clipboard = system_clipboard(environment);
  ASSERT_TRUE(clipboard->offer({'w'}));
  EXPECT_EQ(*read_whole_file(folder / "wl-copy.out"), "w");
  environment.path = "/nowhere";
  EXPECT_EQ(system_clipboard(environment), nullptr);
}

}  // namespace
}  // namespace warplens::app
