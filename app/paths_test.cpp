#include "app/paths.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

namespace warplens::app {
namespace {

namespace fs = std::filesystem;

// A folder that goes away with the test.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (fs::temp_directory_path() / "warplens_paths_XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~ScratchFolder() { fs::remove_all(path_); }
  // A folder below, with what a home needs.
  fs::path home(const std::string& name) const {
    fs::create_directories(path_ / name / "kernels");
    fs::create_directories(path_ / name / "assets");
    std::ofstream(path_ / name / "assets" / "devices.toml") << "\n";
    return path_ / name;
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

TEST(FindHome, TakesAFolderThatTheUserNamedAsItIs) {
  Environment environment;
  environment.warplens_home = "/from/the/environment";
  EXPECT_EQ(*find_home(environment, {.home = "/from/the/option"}), "/from/the/option");
  EXPECT_EQ(*find_home(environment, {}), "/from/the/environment");
}

TEST(FindHome, PrefersWhatStandsBesideTheProgramToTheSourceTree) {
  const ScratchFolder scratch;
  Environment environment;
  environment.executable = scratch.path() / "bin" / "warplens";
  environment.source_tree = scratch.home("source");
  EXPECT_EQ(*find_home(environment, {}), environment.source_tree);
  const fs::path installed = scratch.home("share/warplens");
  EXPECT_EQ(*find_home(environment, {}), installed);
}

TEST(FindHome, SaysWhereItLooked) {
  Environment environment;
  environment.executable = "/opt/thing/bin/warplens";
  environment.source_tree = "/gone";
  const auto home = find_home(environment, {});
  ASSERT_FALSE(home);
  EXPECT_EQ(to_line(home.error()),
            "no folder with kernels/ and assets/devices.toml (looked in /opt/thing/share/warplens, "
            "/opt/thing, /gone); "
            "name it with --home DIR or WARPLENS_HOME");
}

TEST(CacheFolder, FollowsTheOptionThenTheXdgFolderThenTheHome) {
  Environment environment;
  EXPECT_EQ(cache_folder(environment, {}), "");
  environment.home = "/home/ada";
  EXPECT_EQ(cache_folder(environment, {}), "/home/ada/.cache/warplens");
  environment.xdg_cache_home = "relative";
  EXPECT_EQ(cache_folder(environment, {}), "/home/ada/.cache/warplens");
  environment.xdg_cache_home = "/fast";
  EXPECT_EQ(cache_folder(environment, {}), "/fast/warplens");
  EXPECT_EQ(cache_folder(environment, {.cache = "/here"}), "/here");
  EXPECT_EQ(cache_folder(environment, {.cache = "/here", .no_cache = true}), "");
}

TEST(ReadFile, ReadsEveryByte) {
  const ScratchFolder scratch;
  const std::string text("a\0b\r\n", 5);
  std::ofstream(scratch.path() / "file", std::ios::binary) << text;
  std::ofstream(scratch.path() / "empty");
  EXPECT_EQ(*read_file(scratch.path() / "file"), text);
  EXPECT_EQ(*read_file(scratch.path() / "empty"), "");
}

TEST(ReadFile, SaysWhyItCannot) {
  const auto missing = read_file("/nonexistent/file");
  ASSERT_FALSE(missing);
  EXPECT_EQ(to_line(missing.error()),
            "cannot read /nonexistent/file: No such file or directory; check the path");
  const ScratchFolder scratch;
  const auto folder = read_file(scratch.path());
  ASSERT_FALSE(folder);
  EXPECT_NE(folder.error().message.find("it is a folder"), std::string::npos);
}

}  // namespace
}  // namespace warplens::app
