#include "app/base/paths.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "engine/base/testing/test_folder.hpp"
#include "engine/base/whole_file.hpp"

namespace warplens::app {
namespace {

namespace fs = std::filesystem;

// A folder below, with what a home needs.
fs::path make_home(const TestFolder& scratch, const std::string& name) {
  fs::create_directories(scratch / name / "kernels");
  scratch.write(fs::path(name) / "assets" / "devices.toml", "\n");
  return scratch / name;
}

TEST(FindHome, TakesAFolderThatTheUserNamedAsItIs) {
  Environment environment;
  environment.warplens_home = "/from/the/environment";
  EXPECT_EQ(*find_home(environment, {.home = "/from/the/option"}), "/from/the/option");
  EXPECT_EQ(*find_home(environment, {}), "/from/the/environment");
}

TEST(FindHome, PrefersWhatStandsBesideTheProgramToTheSourceTree) {
  const TestFolder scratch;
  Environment environment;
  environment.executable = scratch / "bin" / "warplens";
  environment.source_tree = make_home(scratch, "source");
  EXPECT_EQ(*find_home(environment, {}), environment.source_tree);
  const fs::path installed = make_home(scratch, "share/warplens");
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

TEST(DataFolder, FollowsTheXdgFolderThenTheHome) {
  Environment environment;
  EXPECT_EQ(data_folder(environment), "");
  environment.home = "/home/ada";
  EXPECT_EQ(data_folder(environment), "/home/ada/.local/share/warplens");
  environment.xdg_data_home = "/fast";
  EXPECT_EQ(data_folder(environment), "/fast/warplens");
}

TEST(EditorCommand, IsWhatTheUserNamesAndIsThere) {
  const TestFolder scratch;
  for (const char* name : {"code", "vim", "x-terminal-emulator", "xdg-open"}) scratch.write(name, "");
  const auto at = [&](const char* name) { return (scratch / name).string(); };
  Environment environment;
  EXPECT_TRUE(editor_command(environment).empty());
  environment.path = "/nowhere:" + scratch.path().string();
  EXPECT_EQ(editor_command(environment), std::vector{at("xdg-open")});
  environment.editor = "vim -u NONE";
  EXPECT_EQ(editor_command(environment),
            (std::vector<std::string>{at("x-terminal-emulator"), "-e", at("vim"), "-u", "NONE"}));
  environment.visual = "gone";
  EXPECT_EQ(editor_command(environment).front(), at("x-terminal-emulator"));
  environment.visual = at("code") + " --wait";
  EXPECT_EQ(editor_command(environment), (std::vector<std::string>{at("code"), "--wait"}));
}

TEST(ReadFile, ReadsEveryByte) {
  const TestFolder scratch;
  const std::string text("a\0b\r\n", 5);
  EXPECT_EQ(*read_whole_file(scratch.write("file", text)), text);
  EXPECT_EQ(*read_whole_file(scratch.write("empty", "")), "");
}

TEST(ReadFile, SaysWhyItCannot) {
  const auto missing = read_whole_file("/nonexistent/file");
  ASSERT_FALSE(missing);
  EXPECT_EQ(to_line(missing.error()),
            "cannot read /nonexistent/file: No such file or directory; check the path");
  const TestFolder scratch;
  const auto folder = read_whole_file(scratch.path());
  ASSERT_FALSE(folder);
  EXPECT_NE(folder.error().message.find("it is a folder"), std::string::npos);
}

}  // namespace
}  // namespace warplens::app
