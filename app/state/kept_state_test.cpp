#include "app/state/kept_state.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "engine/base/testing/test_folder.hpp"

namespace warplens::app {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

State at_stop(std::size_t stop) {
  State state;
  state.lesson = {.file = "01_first", .stop = stop, .answered = true};
  return state;
}

bool wait_for_file(const fs::path& file) {
  for (int i = 0; i < 1000 && !fs::exists(file); ++i) std::this_thread::sleep_for(10ms);
  return fs::exists(file);
}

// A process that keeps this state, and ends without a word.
void die_with(const fs::path& folder, const State& state) {
  const pid_t child = fork();
  if (child == 0) {
    KeptState kept(folder);
    kept.keep(state);
    kill(getpid(), wait_for_file(kept.file()) ? SIGKILL : SIGTERM);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

TEST(KeptState, WhatAProcessLeavesThatDiedIsTakenOnce) {
  const TestFolder folder;
  EXPECT_FALSE(take_left_state(folder / "open"));
  die_with(folder / "open", at_stop(3));
  const auto left = take_left_state(folder / "open");
  ASSERT_TRUE(left);
  EXPECT_EQ(*left, at_stop(3));
  EXPECT_FALSE(take_left_state(folder / "open"));
  EXPECT_TRUE(fs::is_empty(folder / "open"));
}

TEST(KeptState, AWindowThatIsStillOpenLeavesNothing) {
  const TestFolder folder;
  KeptState kept(folder.path());
  kept.keep(at_stop(1));
  ASSERT_TRUE(wait_for_file(kept.file()));
  EXPECT_FALSE(take_left_state(folder.path()));
  EXPECT_TRUE(fs::exists(kept.file()));
}

TEST(KeptState, ACleanEndLeavesNothing) {
  const TestFolder folder;
  {
    KeptState kept(folder.path());
    kept.keep(at_stop(1));
    kept.forget();
  }
  EXPECT_FALSE(take_left_state(folder.path()));
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(KeptState, AFileThatIsBrokenIsNoState) {
  const TestFolder folder;
  folder.write("window-a.lock", "");
  folder.write("window-a.toml", "kernel = ");
  EXPECT_FALSE(take_left_state(folder.path()));
}

TEST(KeptState, WithoutAFolderNothingIsKept) {
  KeptState kept{fs::path()};
  kept.keep(at_stop(1));
  EXPECT_TRUE(kept.file().empty());
  EXPECT_FALSE(take_left_state(fs::path()));
}

}  // namespace
}  // namespace warplens::app
