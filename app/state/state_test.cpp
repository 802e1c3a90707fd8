#include "app/state/state.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <sstream>
#include <tuple>

#include "app/workspace.hpp"
#include "engine/base/test_folder.hpp"

namespace warplens::app {
namespace {

using ::testing::HasSubstr;

State unusual() {
  State state;
  state.kernel = "a folder/with \"quotes\" and \\ and \x01.cu";
  state.params = {{"BM", 64}, {"TILE", -3}};
  state.size = {{"M", 35}, {"N", 79}, {"K", 9'000'000'000}};
  state.device = "cc1.3";
  state.engine = Engine::gpu;
  state.gpu = 3;
  state.accesses = Accesses::recorded;
  state.selection = {.block = 123'456'789'012, .warp = 31, .step = 4'000'000'000, .lane = 17};
  state.view = {.page = Page::compare,
                .figure = "bank-map",
                .code = CodeView::both,
                .counter = Counter::wavefronts,
                .steps_by = StepsBy::sectors,
                .dark = false,
                .text_scale = 1.7,
                .presenter = true,
                .speed = 0.3,
                .left_width = 301.25,
                .right_width = 500,
                .width = 1280,
                .height = 720,
                .export_folder = "/a folder/\"quoted\""};
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
  state.drawing = {.colors = "lanes", .whole = true, .width = 900, .height = 600};
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
                      BadState{"SizeZero", "[size]\nN = 4\nM = 0\n", 3, "size M is 0"},
                      BadState{"Page", "[view]\npage = \"home\"\n", 2, "ladder, compare, playground"},
                      BadState{"Op", "[playground]\nop = \"add\"\n", 2, "no operation"},
                      BadState{"Width", "[playground]\nwidth = 12\n", 2, "no width"},
                      BadState{"Mask", "[playground]\nmask = 4294967296\n", 2, "from 0 to 4294967295"},
                      BadState{"CompareKey", "[compare]\nmiddle = \"a\"\n", 2, "middle"},
                      BadState{"Engine", "engine = \"cpu\"\n", 1, "emulator, gpu"},
                      BadState{"SizesWithoutNames", "size = 512\n", 1, "no names"},
                      BadState{"SizeOfAFraction", "size = 1.5\n", 1, "no size"},
                      BadState{"ParamsNoTable", "params = 3\n", 1, "not a table"}),
    [](const auto& test) { return test.param.name; });

// The short form, with the kernels of the repository.
class ShortState : public ::testing::Test {
 protected:
  Result<State> parse(std::string_view text) {
    const KnownNames known{*catalog_, *devices_};
    return parse_state(text, "short.toml", &known);
  }
  Workspace workspace_ = *Workspace::open({.home = WARPLENS_SOURCE_DIR});
  Result<catalog::Catalog> catalog_ = workspace_.catalog();
  Result<device::DeviceTable> devices_ = workspace_.devices();
};

TEST_F(ShortState, SaysTheSameAsTheLongOne) {
  const auto read = parse(
      "figure = \"banks\"\nkernel = \"matmul/03_shared_tile\"\nsize = \"40,50,60\"\nblock = \"2,1\"\n"
      "warp = 3\nstep = 9\ndevice = \"cc8.0\"\n[params]\nTILE = 16\n");
  ASSERT_TRUE(read) << to_line(read.error());
  State expected;
  expected.kernel = "matmul/03_shared_tile";
  expected.params = {{"TILE", 16}};
  expected.size = {{"M", 40}, {"N", 50}, {"K", 60}};
  expected.device = "cc8.0";
  expected.selection = {.block = 4 + 2, .warp = 3, .step = 9};  // the grid is 4 x 3
  expected.view.figure = "banks";
  EXPECT_EQ(*read, expected);
}

TEST_F(ShortState, TakesOneNumberForAllSizesAndALadderForItsFirstStep) {
  const auto read = parse("kernel = \"transpose\"\nsize = 96\n");
  ASSERT_TRUE(read) << to_line(read.error());
  EXPECT_EQ(read->kernel, "transpose/01_naive");
  EXPECT_EQ(read->size, (catalog::Values{{"M", 96}, {"N", 96}}));
}

TEST_F(ShortState, AnAccessOfItsOwnOpensThePlayground) {
  const auto read = parse("figure = \"banks\"\nindex = \"33 * lane\"\nop = \"st\"\nbytes = 8\n");
  ASSERT_TRUE(read) << to_line(read.error());
  EXPECT_EQ(read->view.page, Page::playground);
  EXPECT_EQ(read->playground.index, "33 * lane");
  EXPECT_EQ(read->playground.memory, Memory::shared);
  EXPECT_TRUE(read->playground.store);
  EXPECT_EQ(read->playground.width, 8);
}

TEST_F(ShortState, EveryTourStateIsOneOfTheWindow) {
  std::size_t files = 0;
  const KnownNames known{*catalog_, *devices_};
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(WARPLENS_SOURCE_DIR) + "/assets/tour")) {
    const auto state = read_state(entry.path(), &known);
    EXPECT_TRUE(state) << to_line(state.error());
    ++files;
  }
  EXPECT_GE(files, 10u);
}

TEST_F(ShortState, SaysTheLineOfWhatIsNotThere) {
  const std::tuple<const char*, int, const char*> wrong[] = {
      {"step = 1\nkernel = \"matmul/99\"\n", 2, "matmul/99"},
      {"device = \"h1000\"\n", 1, "h1000"},
      {"step = 2\nsize = \"1,2\"\n", 2, ""},
      {"size = 64\nblock = \"2,0\"\n", 2, "no block of the grid"},
      {"size = 64\nblock = \"1,\"\n", 2, "no block of the grid"},
      {"step = 2\n\n[params]\nTILE = 5\n", 3, "TILE"},
      {"[size]\nM = 8\nQ = 5\n", 3, "sgemm has no size Q"},
      {"size = 64\nblock = 99999999\n", 2, "no block 99999999"},
      {"size = 64\n[selection]\nstep = 1\nblock = 4\n", 4, "no block 4"},
      {"kernel = \"reduction/06_shuffle\"\n[selection]\nwarp = 8\n", 3, "no warp 8"},
      {"[params]\nBLOCK_X = 99999999\n", 1, "BLOCK_X=99999999"},
      {"[view]\npage = \"compare\"\n[compare]\nright = \"transpose/01_naive\"\n", 4, "solves transpose"},
      {"[view]\npage = \"compare\"\n[compare]\nleft = \"matmul/77\"\n", 4, "matmul/77"},
      {"[view]\npage = \"compare\"\n[compare]\nright = \"matmul/03_shared_tile\"\nright_params = {TILE = "
       "7}\n",
       5, "TILE=7"},
      // naive has 4 blocks at this size and 03 as many; 8 x 8 threads a block make it 64
      {"size = 64\n[view]\npage = \"compare\"\n[compare]\nwarp = 1\nblock = 4\n", 6, "no block 4"},
      {"size = 64\n[view]\npage = \"compare\"\n[compare]\nright = \"matmul/03_shared_tile\"\nright_params = "
       "{TILE = 8}\nblock = 64\n",
       7, "no block 64"},
      {"kernel = \"reduction/06_shuffle\"\n[view]\npage = \"compare\"\n[compare]\nwarp = 8\n", 5,
       "no warp 8"},
      {"[view]\nfigure = \"acess\"\n", 2, "no figure 'acess'"},
      {"[compare]\nfigure = \"ladder\"\n", 2, "no figure 'ladder' of two steps"},
      {"figure = \"access\"\ncolors = \"pink\"\n", 2, "classic"}};
  for (const auto& [text, line, message] : wrong) {
    const auto read = parse(text);
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.error().place.file, "short.toml");
    EXPECT_EQ(read.error().place.line, line) << text;
    EXPECT_THAT(read.error().message, HasSubstr(message));
  }
}

// docs/state-files.md: its examples are states, and every key that the window writes is told of there.
TEST_F(ShortState, IsDocumentedWithExamplesThatWork) {
  const auto page = read_file(std::string(WARPLENS_SOURCE_DIR) + "/docs/state-files.md");
  ASSERT_TRUE(page);
  const std::string_view open = "```toml\n", close = "```";
  std::size_t examples = 0;
  for (auto at = page->find(open); at != std::string::npos; at = page->find(open, at), ++examples) {
    const auto begin = at + open.size();
    at = page->find(close, begin);
    ASSERT_NE(at, std::string::npos);
    const auto state = parse(page->substr(begin, at - begin));
    EXPECT_TRUE(state) << to_line(state.error()) << "\n" << page->substr(begin, at - begin);
  }
  EXPECT_GE(examples, 4u);
  std::istringstream lines(to_toml(unusual()));
  const std::set<std::string> of_tables = {"BM", "TILE", "BLOCK_X", "M", "N", "K"};
  for (std::string line; std::getline(lines, line);) {
    const std::string key = line.substr(0, line.find(' '));
    if (line.find(" = ") == std::string::npos || of_tables.contains(key)) continue;
    EXPECT_THAT(*page, HasSubstr("`" + key + "`"));
  }
}

// Another problem's comparison is the window's to remember while the page is not shown.
TEST_F(ShortState, LeavesWhatIsNotShownAlone) {
  const auto read = parse("kernel = \"transpose\"\n[compare]\nright = \"matmul/01_naive\"\n");
  ASSERT_TRUE(read) << to_line(read.error());
  EXPECT_EQ(read->compare.right.kernel, "matmul/01_naive");
  EXPECT_TRUE(parse("size = 64\n[compare]\nblock = 4\n"));
  EXPECT_TRUE(parse("kernel = \"reduction/06_shuffle\"\nindex = \"lane + warp\"\nwarp = 30\n"));
}

// The side with more blocks tells how many there are; left and right are chosen as the page chooses them.
TEST_F(ShortState, TakesEveryBlockOfTheSideThatHasMore) {
  const std::string page = "size = 64\n[view]\npage = \"compare\"\n[compare]\n";
  EXPECT_TRUE(parse(page + "block = 3\n"));
  EXPECT_TRUE(parse(page + "block = 63\nright = \"matmul/03_shared_tile\"\nright_params = {TILE = 8}\n"));
  const auto read = parse(page + "block = 3\n");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->compare.left.kernel, "");  // it stays the window's to choose
}

TEST(State, IsWrittenIntoAFolderThatWasNotThere) {
  const TestFolder folder;
  const auto file = folder / "deep" / "window.toml";
  ASSERT_TRUE(write_state(file, unusual()));
  ASSERT_TRUE(write_state(file, unusual()));  // over an older one
  const auto read = read_state(file);
  ASSERT_TRUE(read) << to_line(read.error());
  EXPECT_EQ(*read, unusual());
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
