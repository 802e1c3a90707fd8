// "Save figure" for slides: size, theme, ground, type, title and the page of a whole step.
#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <thread>

#include "app/window/figure/figure_export.hpp"
#include "app/window/testing/stage_test.hpp"
#include "engine/base/testing/test_folder.hpp"
#include "engine/base/whole_file.hpp"

namespace warplens::app {
namespace {

using testing::HasSubstr, testing::Not;

class ExportDialogTest : public StageTest {
 protected:
  void open_dialog() {
    state().view.export_folder = folder_.string();
    ASSERT_TRUE(click("export"));
    ASSERT_TRUE(click("item/save figure"));
  }
  // What the dialog saves as it stands.
  std::string saved() {
    EXPECT_TRUE(click("export/save"));
    std::string text;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
      text = *read_whole_file(entry);
    folder_.clear();
    return text;
  }
  TestFolder folder_;
};

// The window sleeps where nothing is at work: who has ended must say so.
TEST_F(ExportDialogTest, AFileThatIsWholeWakesTheWindow) {
  std::atomic<int> woken = 0;
  FigureExport exports([&] { ++woken; });
  FigureFile file;
  file.path = (folder_ / "empty.svg").string();
  file.figure.shown.emplace(scene::Size{40, 30});
  exports.start(std::move(file));
  while (exports.is_busy()) std::this_thread::yield();
  const auto progress = exports.poll();
  ASSERT_TRUE(progress && progress->done);
  for (int i = 0; i < 1000 && woken == 0; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_GT(woken, 0);
}

TEST_F(ExportDialogTest, SavesWhatIsShownByItself) {
  OPEN_STAGE(small_problem());
  open_dialog();
  const std::string text = saved();
  EXPECT_THAT(text, HasSubstr("32 sectors, ideal 4"));
  EXPECT_THAT(text, Not(HasSubstr("spacingAndGlyphs\">Naive: "))) << "its title alone says it";
  EXPECT_THAT(text, HasSubstr("<title>Naive: "));
}

// Two clicks a file: none of them is asked for again.
TEST_F(ExportDialogTest, SavesAtOnceAsWasChosenLast) {
  OPEN_STAGE(small_problem());
  open_dialog();
  for (const char* mark : {"export/1280 × 720", "export/White"}) ASSERT_TRUE(click(mark));
  saved();
  const auto save = [&](const char* item) { ASSERT_TRUE(click("export") && click(item)); };
  save("item/save svg");
  const std::string said = stage_->interface().message(), begins = "Saved ", ends = ".svg";
  ASSERT_TRUE(said.starts_with(begins + folder_.string()) && said.ends_with(ends)) << said;
  const std::string name = said.substr(begins.size(), said.size() - begins.size() - ends.size());
  for (const char* item : {"item/save svg", "item/save pdf", "item/save png"}) save(item);
  for (const char* ending : {".svg", "-2.svg", ".pdf", ".png"})
    EXPECT_TRUE(std::filesystem::exists(name + ending)) << name << ending;
  const std::string text = *read_whole_file(name + ends);
  EXPECT_THAT(text, HasSubstr("width=\"1280\" height=\"720\""));
  EXPECT_THAT(text, HasSubstr("fill=\"#ffffff\""));
  state().view.export_folder = (folder_ / "none").string();
  save("item/save svg");
  EXPECT_THAT(stage_->interface().message(), HasSubstr("none"));
}

TEST_F(ExportDialogTest, ShowsWhatItSavesAndGoesToFolders) {
  OPEN_STAGE(small_problem());
  std::filesystem::create_directories(folder_ / "pictures");
  open_dialog();
  EXPECT_TRUE(stage_->find("export/preview"));
  ASSERT_TRUE(click("export/folder pictures/"));
  ASSERT_TRUE(click("export/folder .."));
  EXPECT_TRUE(stage_->find("export/folder pictures/"));
  ASSERT_TRUE(click("export/folder pictures/"));
  ASSERT_TRUE(click("export/save"));
  EXPECT_FALSE(std::filesystem::is_empty(folder_ / "pictures"));
}

// A light picture on a light ground, in a dark window too.
TEST_F(ExportDialogTest, ShowsTheGroundOfThePicture) {
  State start = small_problem();
  start.view.dark = true;
  OPEN_STAGE(start);
  open_dialog();
  const auto corner_is_light = [&] {
    EXPECT_TRUE(stage_->settle());
    const scene::Rect preview = *stage_->find("export/preview");
    const scene::Raster picture = stage_->picture();
    const std::size_t x = static_cast<std::size_t>(preview.x) + 3,
                      y = static_cast<std::size_t>(preview.y) + 3;
    return picture.pixels[y * static_cast<std::size_t>(picture.width) + x].r > 128;
  };
  EXPECT_FALSE(corner_is_light());
  ASSERT_TRUE(click("export/Light"));
  EXPECT_TRUE(corner_is_light());
  ASSERT_TRUE(click("export/Transparent"));
  EXPECT_TRUE(corner_is_light());
  // The next figure is for the same slides.
  saved();
  open_dialog();
  EXPECT_TRUE(corner_is_light());
}

// In another size than on screen, too.
TEST_F(ExportDialogTest, SavesWhatAPlotSays) {
  State start = small_problem();
  start.view.figure = "ladder";
  OPEN_STAGE(start);
  open_dialog();
  const std::string shown = saved();
  ASSERT_THAT(shown, HasSubstr("times as fast in"));
  open_dialog();
  ASSERT_TRUE(click("export/1280 × 720"));
  EXPECT_THAT(saved(), HasSubstr("times as fast in"));
}

TEST_F(ExportDialogTest, SavesASlide) {
  OPEN_STAGE(small_problem());
  open_dialog();
  for (const char* mark : {"export/1280 × 720", "export/White", "export/1.25×", "export/with title"})
    ASSERT_TRUE(click(mark)) << mark;
  const std::string text = saved();
  EXPECT_THAT(text, HasSubstr("width=\"1280\" height=\"720\""));
  EXPECT_THAT(text, HasSubstr("fill=\"#ffffff\""));
  EXPECT_THAT(text, HasSubstr("Naive: 32 sectors"));
}

TEST_F(ExportDialogTest, SavesThePageOfTheStage) {
  OPEN_STAGE(small_problem());
  open_dialog();
  ASSERT_TRUE(click("export/1280 × 720"));
  ASSERT_TRUE(click("export/As on stage"));
  const std::string text = saved();
  for (const char* words :
       {"Matmul: Naive", "1 of 10", "32 sectors: 8 times as many as needed", "lane → sector"})
    EXPECT_THAT(text, HasSubstr(words)) << words;
}

TEST_F(ExportDialogTest, SavesTheWholeStepOnAPage) {
  OPEN_STAGE(small_problem());
  open_dialog();
  ASSERT_TRUE(click("export/1280 × 720"));
  ASSERT_TRUE(click("export/Whole step"));
  ASSERT_TRUE(click("export/Transparent"));
  const std::string text = saved();
  for (const char* words : {"Global sectors of 32 bytes", "Occupancy", "#pragma unroll"})
    EXPECT_THAT(text, HasSubstr(words));
  EXPECT_THAT(text, Not(HasSubstr("<rect width=\"1280\" height=\"720\"")));
}

}  // namespace
}  // namespace warplens::app
