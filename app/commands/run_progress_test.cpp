#include "app/commands/run_progress.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>

#include "engine/base/process.hpp"

namespace warplens::app {
namespace {

// What stderr is told by a run of so many milliseconds, where it is no terminal.
std::string told(std::chrono::milliseconds every, std::chrono::milliseconds length) {
  const Descriptor file = memory_file();
  const int own = dup(STDERR_FILENO);
  dup2(file.number(), STDERR_FILENO);
  {
    const RunProgress progress(every);
    std::this_thread::sleep_for(length);
  }
  std::fflush(stderr);
  dup2(own, STDERR_FILENO);
  close(own);
  return file.text();
}

TEST(RunProgress, SaysIntoAPipeNowAndThenThatItRuns) {
  using std::chrono::milliseconds;
  const std::string text = told(milliseconds(20), milliseconds(200));
  EXPECT_THAT(text, testing::StartsWith("warplens: running for 0 s\nwarplens: running for 0 s\n"));
  EXPECT_EQ(told(milliseconds(10'000), milliseconds(20)), "");
}

}  // namespace
}  // namespace warplens::app
