#include "app/state.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>

namespace warplens::app {
namespace {

using ::testing::HasSubstr;

State unusual() {
  State state;
  state.kernel = "a folder/with \"quotes\" and \\ and \x01.cu";
  state.params = {{"BM", 64}, {"TILE", -3}};
  state.size = {{"M", 35}, {"N", 79}, {"K", 9'000'000'000}};
  state.device = "cc1.3";
  state.selection = {.block = 123'456'789'012, .warp = 31, .step = 4'000'000'000, .lane = 17};
  state.view = {.page = Page::compare,
                .figure = "bank-map",
                .code = CodeView::both,
                .counter = Counter::wavefronts,
                .dark = false,
                .text_scale = 1.7,
                .presenter = true,
                .speed = 0.3,
                .left_width = 301.25,
                .right_width = 500,
                .width = 1280,
                .height = 720};
  state.compare = {.left = {"matmul/01_naive", {{"BLOCK_X", 16}}},
                   .right = {"matmul/03_shared_tile", {{"TILE", 8}}},
                   .figure = "banks",
                   .part = ComparePart::source,
                   .pace = Pace::number,
                   .block = 7,
                   .warp = 3,
                   .step = 99};
  state.playground = {.index = "lane \"^\" 1",
                      .stride = -33,
                      .offset = 5,
                      .memory = Memory::shared,
                      .store = true,
                      .width = 16,
                      .mask = 0xfffffffe};
  return state;
}

TEST(State, ComesBackFromItsText) {
  for (const State& state : {State{}, unusual()}) {
    const auto read = parse_state(to_toml(state), "state.toml");
    ASSERT_TRUE(read) << to_line(read.error());
    EXPECT_EQ(*read, state);
  }
}

TEST(State, KeepsTheDefaultsOfWhatAFileLeavesOut) {
  const auto read = parse_state("kernel = \"transpose/02_tiled\"\n[selection]\nwarp = 3\n", "state.toml");
  ASSERT_TRUE(read);
  State expected;
  expected.kernel = "transpose/02_tiled";
  expected.selection.warp = 3;
  EXPECT_EQ(*read, expected);
}

struct BadState {
  const char* name;
  const char* text;
  int line;
  const char* message;
};
class RefusesState : public ::testing::TestWithParam<BadState> {};

TEST_P(RefusesState, WithItsLine) {
  const auto read = parse_state(GetParam().text, "bad.toml");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().place.file, "bad.toml");
  EXPECT_EQ(read.error().place.line, GetParam().line);
  EXPECT_THAT(read.error().message, HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    State, RefusesState,
    ::testing::Values(BadState{"NoToml", "kernel = \n", 1, ""},
                      BadState{"UnknownKey", "kernle = \"a\"\n", 1, "kernle"},
                      BadState{"UnknownViewKey", "[view]\n\nzoom = 2\n", 3, "zoom"},
                      BadState{"TypeOfText", "kernel = 7\n", 1, "not a text"},
                      BadState{"LaneOutOfRange", "[selection]\nlane = 32\n", 2, "from 0 to 31"},
                      BadState{"NegativeBlock", "[selection]\nblock = -1\n", 2, "from 0"},
                      BadState{"ScaleOutOfRange", "[view]\ntext_scale = 9\n", 2, "0.75 to 2.5"},
                      BadState{"NanScale", "[view]\ntext_scale = nan\n", 2, "0.75 to 2.5"},
                      BadState{"Theme", "[view]\ntheme = \"blue\"\n", 2, "no theme"},
                      BadState{"Code", "[view]\ncode = \"sass\"\n", 2, "source, ptx, both"},
                      BadState{"Fraction", "[params]\nTILE = 16.5\n", 2, "whole number"},
                      BadState{"Page", "[view]\npage = \"home\"\n", 2, "ladder, compare, playground"},
                      BadState{"Op", "[playground]\nop = \"add\"\n", 2, "no operation"},
                      BadState{"Width", "[playground]\nwidth = 12\n", 2, "no width"},
                      BadState{"Mask", "[playground]\nmask = 4294967296\n", 2, "from 0 to 4294967295"},
                      BadState{"CompareKey", "[compare]\nmiddle = \"a\"\n", 2, "middle"},
                      BadState{"ParamsNoTable", "params = 3\n", 1, "not a table"}),
    [](const auto& test) { return test.param.name; });

TEST(State, IsWrittenIntoAFolderThatWasNotThere) {
  std::string name = (std::filesystem::temp_directory_path() / "warplens_state_XXXXXX").string();
  const std::filesystem::path folder = mkdtemp(name.data());
  const auto file = folder / "deep" / "window.toml";
  ASSERT_TRUE(write_state(file, unusual()));
  ASSERT_TRUE(write_state(file, unusual()));  // over an older one
  const auto read = read_state(file);
  ASSERT_TRUE(read) << to_line(read.error());
  EXPECT_EQ(*read, unusual());
  std::filesystem::remove_all(folder);
}

TEST(RememberedState, FollowsTheUsersConfigFolder) {
  Environment environment;
  EXPECT_EQ(remembered_state(environment), "");
  environment.home = "/home/someone";
  EXPECT_EQ(remembered_state(environment), "/home/someone/.config/warplens/window.toml");
  environment.xdg_config_home = "relative";
  EXPECT_EQ(remembered_state(environment), "/home/someone/.config/warplens/window.toml");
  environment.xdg_config_home = "/config";
  EXPECT_EQ(remembered_state(environment), "/config/warplens/window.toml");
}

}  // namespace
}  // namespace warplens::app
