#include "engine/base/testing/test_folder.hpp"

#include <gtest/gtest.h>

#include <optional>

namespace warplens {
namespace {
namespace fs = std::filesystem;

TEST(TestFolder, IsEmptyAndOfItsOwnAndGoneAtTheEnd) {
  const TestFolder other;
  std::optional<TestFolder> folder(std::in_place);
  const fs::path path = folder->path();
  EXPECT_NE(path, other.path());
  EXPECT_TRUE(fs::is_empty(path));
  EXPECT_EQ(fs::file_size(folder->write("deep/er/file", "text")), 4u);
  folder->clear();
  EXPECT_TRUE(fs::is_empty(path));
  folder->write("file", "text");
  folder.reset();
  EXPECT_FALSE(fs::exists(path));
  EXPECT_TRUE(fs::is_empty(other.path()));
}

}  // namespace
}  // namespace warplens
