// The ladder's page as a whole, by a scripted mouse: what is said once, what has the room, and the one speed.
#include <gmock/gmock.h>

#include <algorithm>
#include <tuple>

#include "app/window/actions/pages.hpp"
#include "app/window/pages/ladder/ladder_page.hpp"
#include "app/window/testing/stage_test.hpp"
#include "viz/figures/testing/scene_words.hpp"

namespace warplens::app {
namespace {

class LadderPageTest : public StageTest {
 protected:
  static State of_size(int width, int height) {
    State state = small_problem();
    state.view.width = width, state.view.height = height;
    return state;
  }
  const FigureCanvas& canvas() { return stage_->interface().pages().get<LadderPage>().canvas(); }
  bool has(std::string_view mark) { return stage_->find(mark).has_value(); }
  double share_of_window(std::string_view mark) {
    const auto rect = stage_->find(mark);
    return rect ? rect->width * rect->height / (state().view.width * state().view.height) : 0;
  }
  // Screen pixels from one element of C to the next.
  double cell() {
    const std::vector<figures::CellId> wanted = {{"C", 0, 0}, {"C", 0, 1}};
    const auto places = canvas().places(wanted);
    return places.size() < 2 ? 0 : (places[1].x - places[0].x) * canvas().scale();
  }
  // What stands behind a mark's first words: "speed/value 487 GFLOP/s".
  std::string said(std::string_view mark) {
    for (const auto& [name, rect] : stage_->interface().marks())
      if (name.starts_with(mark)) return name.substr(mark.size());
    return "";
  }
  void move(const std::string& parameter, std::int64_t value) {
    model().set_parameter(parameter, value);
    ASSERT_TRUE(stage_->settle());
  }
};

// Its cells are those of a tile of 32 x 32.
TEST_F(LadderPageTest, ThePictureHasTheRoom) {
  struct Window {
    int width, height;
    double cell;  // least size
  };
  for (const Window& window : {Window{1600, 900, 10}, Window{1280, 720, 8}}) {
    SCOPED_TRACE(testing::Message() << window.width << " x " << window.height);
    OPEN_STAGE(of_size(window.width, window.height));
    EXPECT_GE(cell(), window.cell);
    ASSERT_TRUE(click("source"));
    EXPECT_FALSE(has("listing/source"));
    ASSERT_TRUE(stage_->press(compat::Key::b, true));
    ASSERT_TRUE(stage_->settle());
    EXPECT_TRUE(has("listing/source"));
    stage_.reset();
  }
}

// Beside the source it has 55 % of the window, and 75 % without it.
TEST_F(LadderPageTest, ThePictureHasMostOfTheWindowOnEachLadder) {
  const catalog::Values square{{"M", 256}, {"N", 256}}, cube{{"M", 256}, {"N", 256}, {"K", 256}};
  const std::pair<const char*, catalog::Values> kernels[] = {{"matmul/01_naive", cube},
                                                             {"matmul/05_register_2d", cube},
                                                             {"transpose/01_naive", square},
                                                             {"reduction/01_interleaved", {{"N", 4096}}},
                                                             {"tensor/18_stmatrix", cube}};
  for (const auto& [width, height] : {std::pair(1600, 900), std::pair(1280, 720), std::pair(1366, 768)}) {
    OPEN_STAGE(of_size(width, height));
    for (const auto& [kernel, size] : kernels)
      for (const bool dark : {true, false}) {
        SCOPED_TRACE(testing::Message()
                     << kernel << " at " << width << " x " << height << (dark ? "" : ", light"));
        State next = of_size(width, height);
        next.kernel = kernel, next.size = size, next.view.dark = dark;
        ASSERT_TRUE(model().adopt(next));
        ASSERT_TRUE(stage_->settle());
        EXPECT_GE(share_of_window("picture"), 0.55);
        state().view.source = false;
        ASSERT_TRUE(stage_->settle());
        EXPECT_GE(share_of_window("picture"), 0.75);
      }
    stage_.reset();
  }
}

// A column of a tile is in one bank: the slider beside the picture frees it.
TEST_F(LadderPageTest, AFixThatIsASliderIsSetByTheButton) {
  State start;
  start.kernel = "transpose/02_tiled", start.params = {{"PAD", 0}}, start.size = {{"M", 256}, {"N", 256}};
  OPEN_STAGE(start);
  ASSERT_TRUE(has("fix/does it"));
  constexpr int kMostFrames = 20'000;  // until it is predicted
  for (int i = 0; i < kMostFrames && said("fix words/") == "PAD = 1"; ++i) ASSERT_TRUE(stage_->frame());
  EXPECT_THAT(said("fix words/"), testing::MatchesRegex("PAD = 1: [0-9]+ % less time"));
  ASSERT_TRUE(click("fix"));
  EXPECT_EQ(state().kernel, "transpose/02_tiled");
  EXPECT_EQ(state().params.at("PAD"), 1);
  EXPECT_TRUE(has("fix/goes on"));
}

// Where it is found again, whatever a kernel has figures for, and which of them is open.
// A sentence that has no room is left out as a whole: the end of one that is cut nobody can guess.
TEST_F(LadderPageTest, NoSentenceBelowTheHeadlineIsCut) {
  State start = of_size(1280, 720);
  start.kernel = "minplus/01_v0", start.size = {{"N", 512}};
  OPEN_STAGE(start);
  std::string said;
  for (const auto& [mark, rect] : stage_->interface().marks())
    if (mark.starts_with("reason/")) said = mark;
  EXPECT_THAT(said, ::testing::HasSubstr("in groups of 16 lanes"));
  EXPECT_FALSE(said.ends_with("…")) << said;
}

TEST_F(LadderPageTest, TheMenuOfOtherFiguresStaysInItsPlace) {
  for (const auto& [width, height] : {std::pair(1600, 900), std::pair(1280, 720)}) {
    State start = small_problem();
    start.view.width = width, start.view.height = height;
    stage_.reset();
    OPEN_STAGE(start);
    const auto place = stage_->find("more figures");
    ASSERT_TRUE(place);
    for (const char* kernel : {"matmul/02_coalesced", "matmul/10_async_pipeline"})
      for (const char* figure : {"banks", "occupancy", "access", "coalescing"}) {
        model().choose_kernel(kernel);
        state().view.figure = figure;
        ASSERT_TRUE(stage_->settle());
        const auto now = stage_->find("more figures");
        ASSERT_TRUE(now);
        EXPECT_EQ(now->x, place->x) << kernel << " " << figure;
      }
  }
}

// It says of what there is less, however narrow the list is, and that a longer bar is that.
TEST_F(LadderPageTest, BarsOfCountsSayThatTheyAreOfFewer) {
  for (const auto& [width, height] : {std::pair(1600, 900), std::pair(1280, 720)}) {
    State start = small_problem();
    start.view.steps_by = StepsBy::sectors;
    start.view.width = width, start.view.height = height;
    stage_.reset();
    OPEN_STAGE(start);
    EXPECT_TRUE(has("steps by/fewer sectors") || has("steps by/fewer"));
    EXPECT_TRUE(has("steps source/longer bar: fewer") || has("steps source/emulated; longer bar: fewer"));
  }
}

// What follows in the ladder has no such conflict either, and is quicker for another reason: the kernel's own slider comes first.
TEST_F(LadderPageTest, AFixIsTheSliderThatRemovesWhatIsSaid) {
  State start;
  start.kernel = "matmul/07_conflict_free", start.params = {{"PAD", 0}};
  start.size = {{"M", 2048}, {"N", 2048}, {"K", 2048}}, start.view.figure = "banks";
  OPEN_STAGE(start);
  constexpr int kMostFrames = 20'000;  // until it is predicted
  for (int i = 0; i < kMostFrames && !said("fix words/").starts_with("PAD = "); ++i)
    ASSERT_TRUE(stage_->frame());
  EXPECT_THAT(said("fix words/"), testing::MatchesRegex("PAD = 4: [0-9]+ % less time"));
  ASSERT_TRUE(click("fix"));
  EXPECT_EQ(state().kernel, "matmul/07_conflict_free");
  EXPECT_EQ(state().params.at("PAD"), 4);
}

// It is not what failed.
TEST_F(LadderPageTest, ACountThatWasStoppedSaysSoAndHowToGoOn) {
  State start;
  start.size = {{"M", 2000}, {"N", 2000}, {"K", 2000}};
  if (const std::string why = why_no_stage(); !why.empty()) GTEST_SKIP() << why;
  auto stage = Stage::open<DrivenStage>({.home = source_path()}, start);
  ASSERT_TRUE(stage) << to_line(stage.error());
  stage_ = *std::move(stage);
  ASSERT_TRUE(stage_->frame());
  ASSERT_TRUE(model().busy_seconds());
  ASSERT_TRUE(stage_->press(compat::Key::escape));
  ASSERT_TRUE(stage_->settle());
  ASSERT_TRUE(has("error"));
  EXPECT_TRUE(has("error/stopped"));
  EXPECT_THAT(to_line(*model().error()), testing::HasSubstr("F5"));
  EXPECT_FALSE(has("speed/none/Nothing ran"));
  EXPECT_TRUE(has("speed/none/Stopped"));
  model().set_size("M", 64), model().set_size("N", 64), model().set_size("K", 64);
  ASSERT_TRUE(stage_->settle());
  EXPECT_FALSE(has("error"));
}

TEST_F(LadderPageTest, AnotherLadderLeavesALiveThatHasNoGpu) {
  OPEN_STAGE(small_problem());
  state().view.figure = "live";
  ASSERT_TRUE(stage_->settle());
  EXPECT_TRUE(has("live panel"));
  model().choose_ladder("transpose");
  ASSERT_TRUE(stage_->settle());
  EXPECT_FALSE(has("live panel"));
  EXPECT_TRUE(has("picture"));
}

TEST_F(LadderPageTest, TheDrawerIsClosedAtFirstAndRemembered) {
  OPEN_STAGE(small_problem());
  EXPECT_TRUE(has("details/closed"));
  EXPECT_FALSE(has("card/All sectors"));
  EXPECT_FALSE(has("lane lines"));
  ASSERT_TRUE(click("details"));
  EXPECT_TRUE(has("card/All sectors"));
  EXPECT_THAT(to_toml(state()), testing::HasSubstr("details = true"));
}

TEST_F(LadderPageTest, TheFixIsAButtonThatDoesIt) {
  State start;
  start.size = {{"M", 512}, {"N", 512}, {"K", 512}};
  OPEN_STAGE(start);
  EXPECT_EQ(said("says/"), "32 sectors: 8 times as many as needed");
  ASSERT_TRUE(has("fix/does it"));
  ASSERT_TRUE(click("fix"));
  EXPECT_EQ(state().kernel, "matmul/02_coalesced");
  EXPECT_FALSE(has("fix/does it"));
  ASSERT_TRUE(has("fix/goes on"));
  ASSERT_TRUE(click("fix"));
  EXPECT_EQ(state().kernel, "matmul/03_shared_tile");
}

// A picture says nothing that the headline above it says.
TEST_F(LadderPageTest, WhatTheHeadlineSaysIsSaidOnce) {
  for (const char* figure : {"access", "coalescing", "flow"}) {
    State start = small_problem();
    start.view.figure = figure;
    OPEN_STAGE(start);
    const explain::Explanation& headline = canvas().said().explanation;
    ASSERT_FALSE(headline.what.empty()) << figure;
    const auto is_said = [&](const explain::Claim& claim) {
      return claim.shown.find(' ') != std::string::npos &&
             headline.what.find(claim.shown) != std::string::npos;
    };
    for (const auto& word : figures::words_in(*canvas().shown(), canvas().fonts()))
      for (const explain::Claim& claim : headline.claims) {
        const bool is_in_picture = word.text.find(claim.shown) != std::string::npos;
        EXPECT_FALSE(is_said(claim) && is_in_picture) << figure << ": " << word.text;
      }
    stage_.reset();
  }
}

// From a file the picture stands alone: it says what the headline says in the window.
TEST_F(LadderPageTest, AFileHasTheWordsOfThePicture) {
  OPEN_STAGE(small_problem());
  const auto alone = stage_->interface().pages().get<LadderPage>().scene();
  ASSERT_TRUE(alone && canvas().shown());
  EXPECT_GT(figures::words_in(*alone, canvas().fonts()).size(),
            figures::words_in(*canvas().shown(), canvas().fonts()).size());
}

TEST_F(LadderPageTest, OneSpeedIsAlwaysThereWithWhatASliderMadeOfIt) {
  State start;
  start.kernel = "matmul/03_shared_tile";
  start.size = {{"M", 512}, {"N", 512}, {"K", 512}};
  OPEN_STAGE(start);
  EXPECT_TRUE(has("speed/recorded"));
  EXPECT_FALSE(has("speed/change"));
  const std::string before = said("speed/value ");
  EXPECT_FALSE(before.empty());
  const auto change = [&] { return stage_->interface().pages().get<LadderPage>().speed().change(); };
  move("TILE", 8);
  EXPECT_TRUE(has("speed/change"));
  ASSERT_TRUE(change());
  EXPECT_FALSE(change()->is_shown) << "the speed before was the recorded one";
  EXPECT_NE(said("speed/value "), before);
  move("TILE", 24);  // which nobody measured
  EXPECT_TRUE(has("speed/predicted"));
  EXPECT_TRUE(has("speed/change"));
  ASSERT_TRUE(change());
  EXPECT_TRUE(change()->is_shown);
  EXPECT_FALSE(said("speed/value ").empty());
  ASSERT_TRUE(stage_->press(compat::Key::x));
  ASSERT_TRUE(stage_->settle());
  EXPECT_EQ(state().params.at("TILE"), 8);
  move("TILE", 32);
  EXPECT_EQ(said("speed/value "), before);
  model().set_size("M", 500);
  ASSERT_TRUE(stage_->settle());
  EXPECT_TRUE(has("speed/predicted"));
  EXPECT_FALSE(has("speed/change")) << "another size is another question";
}

// Whoever begins at once: the speed of the step on screen is known before the list has counted it.
TEST_F(LadderPageTest, AStepHasATipBeforeTheListHasCounted) {
  State begun = small_problem();
  begun.kernel = "matmul/10_async_pipeline";           // the list counts those before it first
  for (auto& [name, value] : begun.size) value = 500;  // of which no speed is recorded
  OPEN_STAGE(small_problem());                         // where it can be drawn at all
  stage_.reset();
  auto stage = Stage::open<DrivenStage>({.home = source_path()}, begun);
  ASSERT_TRUE(stage) << to_line(stage.error());
  stage_ = *std::move(stage);
  bool is_known_first = false;
  while (!is_known_first && model().ladder_traffic().of(begun.kernel) == nullptr) {
    ASSERT_TRUE(stage_->frame());
    is_known_first = has("speed/predicted") && model().ladder_traffic().of(begun.kernel) == nullptr;
  }
  EXPECT_TRUE(is_known_first);
}

// An illegal value explains itself where it is pointed at, and nowhere else.
TEST_F(LadderPageTest, SlidersAreQuiet) {
  OPEN_STAGE(small_problem());
  EXPECT_FALSE(has("why not/BLOCK_X"));
  const auto track = stage_->find("param/BLOCK_X");
  ASSERT_TRUE(track);
  ASSERT_TRUE(stage_->move_to({track->right(), track->center().y}));
  EXPECT_TRUE(has("why not/BLOCK_X"));
  ASSERT_TRUE(stage_->click_at({track->right(), track->center().y}));
  EXPECT_EQ(state().params.at("BLOCK_X"), 32);
  EXPECT_TRUE(stage_->interface().message().starts_with("BLOCK_X = ")) << stage_->interface().message();
}

// Each field that was left had a run of its own, with matrices that nobody asked for.
TEST_F(LadderPageTest, WhatIsTypedForTheFirstOfEqualSizesIsThatOfAll) {
  OPEN_STAGE(small_problem());
  ASSERT_TRUE(click("size"));
  ASSERT_TRUE(click("size/M"));
  ASSERT_TRUE(stage_->type("96"));
  ASSERT_TRUE(click("size/N"));
  EXPECT_EQ(state().size.at("M"), 64);  // nothing runs while sizes are typed
  ASSERT_TRUE(click("step/matmul/01_naive"));
  EXPECT_EQ(state().size, (catalog::Values{{"K", 96}, {"M", 96}, {"N", 96}}));
}

}  // namespace
}  // namespace warplens::app
