// Files that are saved and opened from the window, and what it says of them.
#include "app/window/file_wishes.hpp"

#include <gmock/gmock.h>

#include "app/window/figure/file_dialog.hpp"
#include "app/window/testing/stage_test.hpp"
#include "engine/base/testing/test_folder.hpp"

namespace warplens::app {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// In a folder of its own, where the program was started.
class FileWishesTest : public StageTest {
 protected:
  void SetUp() override {
    before_ = fs::current_path();
    fs::current_path(folder_.path());
  }
  void TearDown() override { fs::current_path(before_); }
  std::string said() { return stage_->interface().message(); }

  fs::path before_;
  TestFolder folder_;
};

// As docs/programs.md says; the editor took it for a kernel and F3 knew of no program.
TEST_F(FileWishesTest, AProgramIsOfferedToBeRunFromTheEditorToo) {
  OPEN_STAGE(small_problem());
  folder_.write("twice.cu",
                "__global__ void twice(float* a) { a[threadIdx.x] *= 2; }\n"
                "int main() { twice<<<1, 32>>>(nullptr); return 0; }\n");
  state().view.page = Page::edit;
  Wishes wishes;
  wishes.open_file = (folder_ / "twice.cu").string();
  grant_files(wishes, model(), stage_->interface(), [] { return scene::Raster(); });
  ASSERT_TRUE(stage_->settle());
  EXPECT_EQ(state().view.page, Page::program);
  EXPECT_TRUE(stage_->find("program/offer run"));
}

TEST_F(FileWishesTest, TheStateIsSavedAndOpenedAndTheWindowSaysWhere) {
  State small = small_problem();
  small.view.width = 1280, small.view.height = 720;
  OPEN_STAGE(small);
  const std::string file = (folder_ / "warplens-state.toml").string();
  ASSERT_TRUE(stage_->press(compat::Key::o, true));
  ASSERT_TRUE(stage_->grant());
  EXPECT_EQ(said(), "No state is saved as " + file + "; save one first");
  ASSERT_TRUE(stage_->press(compat::Key::s, true));
  ASSERT_TRUE(stage_->grant());
  EXPECT_EQ(said(), "Saved " + file);
  EXPECT_TRUE(fs::exists(file));
  // It hides the figure's lower edge rather than what may be clicked next.
  const auto message = stage_->find("message"), figure = stage_->find("figure");
  ASSERT_TRUE(message && figure);
  EXPECT_GE(message->y, figure->y);
  EXPECT_LE(message->bottom(), figure->bottom());
  model().choose_kernel("matmul/02_coalesced");
  ASSERT_TRUE(stage_->press(compat::Key::o, true));
  ASSERT_TRUE(stage_->grant());
  EXPECT_EQ(said(), "Opened " + file);
  EXPECT_EQ(state().kernel, small.kernel);
}

TEST_F(FileWishesTest, AFileIsChosenFromAListAndFoundAgainAmongTheRecentOnes) {
  folder_.write("steps/coalesced.toml", "kernel = \"matmul/02_coalesced\"\nsize = 64\n");
  folder_.write("steps/notes.txt", "no state");
  OPEN_STAGE(small_problem());
  stage_->interface().recent_files().keep_in(folder_ / "recent.txt");
  ASSERT_TRUE(stage_->press(compat::Key::o, true, true));
  ASSERT_TRUE(click("file/steps"));
  EXPECT_FALSE(stage_->find("file/notes.txt"));
  ASSERT_TRUE(click("file/coalesced.toml"));
  ASSERT_TRUE(stage_->grant());
  EXPECT_EQ(state().kernel, "matmul/02_coalesced");
  EXPECT_EQ(said(), "Opened " + (folder_ / "steps/coalesced.toml").string());
  RecentFiles next;
  next.keep_in(folder_ / "recent.txt");
  ASSERT_EQ(next.all().size(), 1u);
  EXPECT_EQ(next.all().front(), folder_ / "steps/coalesced.toml");
  // In its own folder it is listed once, in another one among the recent files.
  const std::string again = "recent/" + (folder_ / "steps/coalesced.toml").string();
  ASSERT_TRUE(stage_->press(compat::Key::o, true, true));
  ASSERT_TRUE(stage_->settle());
  EXPECT_TRUE(stage_->find("file/coalesced.toml"));
  EXPECT_FALSE(stage_->find(again));
  ASSERT_TRUE(click("files/up"));
  EXPECT_TRUE(stage_->find("file/steps"));
  EXPECT_TRUE(stage_->find(again));
}

// On a light page a dialog without an edge would have none.
TEST_F(FileWishesTest, ADialogHasAnEdge) {
  State start = small_problem();
  start.view.dark = false;
  OPEN_STAGE(start);
  ASSERT_TRUE(stage_->press(compat::Key::o, true, true));
  ASSERT_TRUE(stage_->settle());
  const auto dialog = stage_->find("dialog");
  ASSERT_TRUE(dialog);
  const scene::Raster picture = stage_->picture();
  const auto pixel = [&](double x, double y) {
    return picture.pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(picture.width) +
                          static_cast<std::size_t>(x)];
  };
  const double y = dialog->center().y;
  EXPECT_FALSE(pixel(dialog->x, y) == pixel(dialog->x + 8, y));
}

TEST_F(FileWishesTest, TheStateIsSavedUnderANameThatIsTyped) {
  OPEN_STAGE(small_problem());
  ASSERT_TRUE(stage_->press(compat::Key::s, true, true));
  ASSERT_TRUE(click("files/save"));
  ASSERT_TRUE(stage_->grant());
  EXPECT_TRUE(fs::exists(folder_ / "warplens-state.toml"));
}

// Where zenity is installed the desktop's own dialog is asked; here a script that answers as it does.
TEST_F(FileWishesTest, TheDesktopsDialogIsAskedWhereThereIsOne) {
  const fs::path state_file = folder_.write("a.toml", "kernel = \"matmul/02_coalesced\"\nsize = 64\n");
  folder_.write_script("bin/zenity", "echo " + state_file.string());
  OPEN_STAGE(small_problem());
  stage_->interface().set_search_path((folder_ / "bin").string());
  ASSERT_TRUE(stage_->press(compat::Key::o, true, true));
  ASSERT_TRUE(stage_->settle());
  ASSERT_TRUE(stage_->grant());
  EXPECT_EQ(state().kernel, "matmul/02_coalesced");
}

TEST_F(FileWishesTest, TheFigureIsSavedAndCopied) {
  OPEN_STAGE(small_problem());
  ASSERT_TRUE(stage_->press(compat::Key::e, true));
  ASSERT_TRUE(stage_->grant());
  EXPECT_EQ(said(), "Saved " + (folder_ / "matmul-01_naive-access.png").string());
  EXPECT_GT(fs::file_size(folder_ / "matmul-01_naive-access.png"), 1000u);
  ASSERT_TRUE(stage_->press(compat::Key::e, true));  // the first one stays
  ASSERT_TRUE(stage_->grant());
  EXPECT_EQ(said(), "Saved " + (folder_ / "matmul-01_naive-access-2.png").string());
  ASSERT_TRUE(stage_->press(compat::Key::c, true));
  ASSERT_TRUE(stage_->settle());
  EXPECT_THAT(said(), HasSubstr("Copied the figure"));
  ASSERT_TRUE(stage_->press(compat::Key::c, true, true));
  EXPECT_EQ(said(), "Copied the numbers as a table");
}

// Only the mouse chose a file.
TEST_F(FileWishesTest, AFileIsFoundByItsFirstLettersByArrowsAndByItsPath) {
  const fs::path file =
      folder_.write("steps/coalesced.toml", "kernel = \"matmul/02_coalesced\"\nsize = 64\n");
  folder_.write("steps/almost.toml", "kernel = \"matmul/01_naive\"\nsize = 64\n");
  OPEN_STAGE(small_problem());
  const auto opened_by = [&](auto keys) {
    model().choose_kernel("matmul/01_naive");
    EXPECT_TRUE(stage_->press(compat::Key::o, true, true));
    EXPECT_TRUE(stage_->settle());
    keys();
    EXPECT_TRUE(stage_->press(compat::Key::enter));
    EXPECT_TRUE(stage_->settle());
    EXPECT_TRUE(stage_->grant());
    return state().kernel;
  };
  EXPECT_EQ(opened_by([&] {
              EXPECT_TRUE(stage_->type("STE"));
              EXPECT_TRUE(stage_->press(compat::Key::enter));
              EXPECT_TRUE(stage_->settle());
              EXPECT_TRUE(stage_->find("file/coalesced.toml"));
              EXPECT_TRUE(stage_->press(compat::Key::down));
            }),
            "matmul/02_coalesced");
  EXPECT_EQ(opened_by([&] { EXPECT_TRUE(stage_->type(file.string())); }), "matmul/02_coalesced");
  // A folder, and how a name in it begins.
  EXPECT_EQ(opened_by([&] { EXPECT_TRUE(stage_->type((file.parent_path() / "coal").string())); }),
            "matmul/02_coalesced");
  EXPECT_EQ(opened_by([&] {
              EXPECT_TRUE(stage_->press(compat::Key::backspace));
              EXPECT_TRUE(click("files/up"));  // by the mouse; what is typed then finds it again
              EXPECT_TRUE(stage_->type("steps/c"));
              EXPECT_TRUE(stage_->find("file/coalesced.toml"));
              EXPECT_FALSE(stage_->find("file/almost.toml"));
            }),
            "matmul/02_coalesced");
}

}  // namespace
}  // namespace warplens::app
