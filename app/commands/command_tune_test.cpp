// `warplens tune` as a user starts it; its picks are tested in gpu/tuning_test.cpp.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "app/testing/child_process.hpp"
#include "engine/base/testing/test_folder.hpp"
#include "engine/compile/build.hpp"

namespace warplens::app {
namespace {

TEST(Tune, CompilesEverySetIntoTheCache) {
  if (!compile::Compiler(compile::Compiler::Options{}).available())
    GTEST_SKIP() << "no NVRTC on this machine";
  const TestFolder folder;
  const ChildResult compiled = run_child(
      {program_path("warplens"), "tune", "first/04_vector_add", "--compile", "--cache", folder.string()},
      {{"WARPLENS_HOME", ""}});
  EXPECT_EQ(compiled.exit_code, 0) << compiled.err;
  const auto is_build = [](const std::filesystem::directory_entry& entry) {
    return entry.path().extension() == ".build";
  };
  const auto builds =
      std::ranges::count_if(std::filesystem::recursive_directory_iterator(folder.path()), is_build);
  EXPECT_GT(builds, 1);
  EXPECT_EQ(compiled.out, "first/04_vector_add: " + std::to_string(builds) + " sets compiled\n");
}

}  // namespace
}  // namespace warplens::app
