// Twenty-one programs that want more than they may have: each ends within its limit, with a line, and reaches nothing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>

#include "app/testing/child_process.hpp"
#include "engine/base/testing/places.hpp"
#include "engine/base/testing/test_folder.hpp"
#include "engine/base/whole_file.hpp"
#include "engine/program/start.hpp"

namespace warplens::app {
namespace {

using testing::HasSubstr, testing::Not;

class HostileTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (!program::can_confine_programs()) GTEST_SKIP() << "this Linux has no Landlock";
    folder_.write("secret", "of the user\n");
  }
  // In seconds: how long it may run.
  ChildResult run(const std::string& what, const std::string& limit) {
    return run_child({program_path("warplens"), "exec", "--time", limit, program_path("hostile"), what,
                      (folder_ / "secret").string()},
                     {{"WARPLENS_HOME", source_path()}});
  }
  TestFolder folder_;
};

class Reaching : public HostileTest {};
TEST_P(Reaching, IsKeptOut) {
  const ChildResult result = run(GetParam(), "10");
  EXPECT_THAT(result.out, Not(HasSubstr("reached")));
  EXPECT_THAT(result.err, HasSubstr("warplens: ")) << "a line";
  EXPECT_EQ(*read_whole_file(folder_ / "secret"), "of the user\n");
  struct stat rights {};
  ASSERT_EQ(stat((folder_ / "secret").c_str(), &rights), 0);
  EXPECT_EQ(rights.st_mode & 0002, 0u);
  EXPECT_EQ(rights.st_nlink, 1u);
}
INSTANTIATE_TEST_SUITE_P(All, Reaching,
                         testing::Values("read", "write", "make", "delete", "link", "rights", "connect",
                                         "local", "fork", "exec", "ptrace", "signal", "memory", "mount",
                                         "shrink", "lie", "nonsense", "hang_up"));

class Endless : public HostileTest {};
TEST_P(Endless, EndsWithItsLimit) {
  const auto begin = std::chrono::steady_clock::now();
  const ChildResult result = run(GetParam(), "0.5");
  EXPECT_THAT(result.err, HasSubstr("stopped: it took longer than 0.5 seconds; allow more with --time"));
  EXPECT_NE(result.exit_code, 0);
  EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(), 15);
}
INSTANTIATE_TEST_SUITE_P(All, Endless, testing::Values("spin", "ignore", "flood"));

}  // namespace
}  // namespace warplens::app
