// Files that the editor opens by their names.
#include <gtest/gtest.h>

#include <filesystem>

#include "app/window/testing/test_kernel.hpp"

namespace warplens::app {
namespace {

class EditFilesTest : public StageTest {
 protected:
  void TearDown() override { stage_.reset(); }  // before its folder
  TestFolder folder_;
};

// A state may name a file from the folder that the program was started in.
TEST_F(EditFilesTest, AFileKeepsWhatWasChosenForItWhenTheEditorOpensIt) {
  folder_.write("own.cu", transpose_kernel("own", "out[x * M + y] = in[y * N + x];"));
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder_.path());
  State state = small_problem();
  state.kernel = "own.cu";
  state.size = {{"M", 40}, {"N", 24}};
  state.params = {{"TILE", 16}};
  StageTest::open(state);
  std::filesystem::current_path(before);
  if (IsSkipped() || HasFatalFailure()) return;
  ASSERT_TRUE(stage_->press(compat::Key::f2));
  ASSERT_TRUE(stage_->settle());
  EXPECT_EQ(this->state().view.page, Page::edit);
  EXPECT_EQ(this->state().size, state.size);
  EXPECT_EQ(this->state().params, state.params);
  EXPECT_EQ(this->state().kernel, (folder_ / "own.cu").string());
}

}  // namespace
}  // namespace warplens::app
