// Which state each stop of a lesson has.
#include "app/lesson/stops.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <initializer_list>

#include "app/lesson/asked_speeds.hpp"
#include "engine/base/testing/places.hpp"
#include "engine/base/testing/test_folder.hpp"
#include "engine/base/whole_file.hpp"

namespace warplens::app {
namespace {

using ::testing::HasSubstr;

const KnownNames& known() {
  static const auto catalog = *catalog::Catalog::open(source_path("kernels"));
  static const auto devices =
      *device::DeviceTable::parse(*read_whole_file(source_path("assets/devices.toml")), "devices.toml");
  static const KnownNames names{catalog, devices};
  return names;
}

// One stop a text; their blocks begin at lines 2, 12, 22 ...
LessonStops stops(std::initializer_list<const char*> states, const std::string& file = "x.md") {
  lesson::Lesson lesson;
  lesson.file = file;
  int line = 1;
  for (const char* toml : states) {
    lesson::Stop stop;
    stop.line = line;
    if (*toml != 0) stop.parts.emplace_back(lesson::StateBlock{toml, line + 1});
    lesson.stops.push_back(stop);
    line += 10;
  }
  return stops_of(lesson, known(), source_path());
}
std::string mistakes(const LessonStops& stops) {
  std::string lines;
  for (const Error& error : stops.errors) lines += to_line(error) + "\n";
  return lines;
}

TEST(Stops, InheritWhatTheyDoNotName) {
  const auto read = stops(
      {"kernel = 'matmul/03_shared_tile'\nparams = { TILE = 16 }\nsize = 64\nwarp = 1\nfigure = 'banks'",
       "array = 'A_tile'\nop = 'ld'", "device = 'a100'", ""});
  ASSERT_EQ(mistakes(read), "");
  const StopState& last = read.stops.at(3);
  EXPECT_EQ(last.state.kernel, "matmul/03_shared_tile");
  EXPECT_EQ(last.state.params.at("TILE"), 16);
  EXPECT_EQ(last.state.size.at("K"), 64);
  EXPECT_EQ(last.state.selection.warp, 1u);
  EXPECT_EQ(last.state.view.figure, "banks");
  EXPECT_EQ(last.state.device, "a100");
  EXPECT_EQ(last.access, (lesson::AccessWish{"A_tile", "ld", {}}));
  EXPECT_EQ(last.line, 31);
  EXPECT_EQ(read.stops[0].line, 2);
}

TEST(Stops, BeginAnewWithAKernel) {
  const auto read = stops(
      {"kernel = 'matmul/03_shared_tile'\nparams = { TILE = 16 }\nsize = 64\nwarp = 1\nline = 20\nblock = "
       "'1,1'\narray = 'A'\naccess = 2\noccupancy = { threads = 64 }",
       "kernel = 'matmul/01_naive'"});
  ASSERT_EQ(mistakes(read), "");
  const StopState& last = read.stops.at(1);
  EXPECT_TRUE(last.state.params.empty());
  EXPECT_EQ(last.state.selection.warp, 0u);
  EXPECT_EQ(last.state.selection.block, 0u);
  EXPECT_EQ(read.stops[0].state.selection.line, 20);
  EXPECT_EQ(last.state.selection.line, 0);  // of another file
  EXPECT_EQ(last.access, lesson::AccessWish{});
  EXPECT_EQ(last.state.occupancy, OccupancyState{});
  EXPECT_EQ(last.state.size.at("K"), 64);
}

TEST(Stops, KeepTheOtherKeysOfATable) {
  const auto read = stops({"kernel = 'transpose/02_tiled'\nparams = { TILE = 16 }", "params = { PAD = 0 }",
                           "params = {}", "size = { M = 32, N = 64 }", "size = { M = 48 }"});
  ASSERT_EQ(mistakes(read), "");
  EXPECT_EQ(read.stops[1].state.params, (catalog::Values{{"PAD", 0}, {"TILE", 16}}));
  EXPECT_TRUE(read.stops[2].state.params.empty());
  EXPECT_EQ(read.stops[4].state.size, (catalog::Values{{"M", 48}}));
}

TEST(Stops, ShowAnotherArrayFromItsFirstAccess) {
  const auto read =
      stops({"array = 'A'\nop = 'ld'\naccess = 3", "array = 'C'", "array = 'B'\naccess = 2", "access = 5"});
  ASSERT_EQ(mistakes(read), "");
  EXPECT_EQ(read.stops[1].access, (lesson::AccessWish{"C", "", {}}));
  EXPECT_EQ(read.stops[2].access, (lesson::AccessWish{"B", "", 2}));
  EXPECT_EQ(read.stops[3].access, (lesson::AccessWish{"B", "", 5}));
}

TEST(Stops, CoverAndCompareOnce) {
  const auto read =
      stops({"kernel = 'matmul/02_coalesced'\nparams = { BLOCK_X = 16 }\ncompare = 'matmul/01_naive'\nreveal "
             "= false",
             "", "[compare]\nleft = 'matmul/03_shared_tile'", "page = 'compare'", ""});
  ASSERT_EQ(mistakes(read), "");
  EXPECT_EQ(read.stops[0].state.view.page, Page::compare);
  EXPECT_EQ(read.stops[0].state.compare.left.kernel, "matmul/01_naive");
  EXPECT_EQ(read.stops[0].state.compare.right, (CompareSide{"matmul/02_coalesced", {{"BLOCK_X", 16}}}));
  EXPECT_FALSE(read.stops[0].reveal);
  EXPECT_TRUE(read.stops[1].reveal);
  EXPECT_EQ(read.stops[1].state.view.page, Page::ladder);
  EXPECT_TRUE(read.stops[1].state.compare.left.kernel.empty());
  EXPECT_EQ(read.stops[2].state.compare.left.kernel, "matmul/03_shared_tile");
  EXPECT_EQ(read.stops[2].state.view.page, Page::compare);
  EXPECT_TRUE(read.stops[3].state.compare.left.kernel.empty());
  EXPECT_EQ(read.stops[4].state.view.page, Page::ladder);
}

TEST(Stops, LeaveThePlaygroundWithAKernel) {
  const auto read = stops({"index = '33 * lane'\nop = 'st'\nbytes = 8\nfigure = 'banks'",
                           "index = '2 * lane'", "kernel = 'matmul/01_naive'\narray = 'A'\nop = 'ld'"});
  ASSERT_EQ(mistakes(read), "");
  EXPECT_EQ(read.stops[1].state.view.page, Page::playground);
  EXPECT_EQ(read.stops[1].state.playground.index, "2 * lane");
  EXPECT_TRUE(read.stops[1].state.playground.store);
  EXPECT_EQ(read.stops[1].state.playground.width, 8);
  EXPECT_EQ(own_access(read.stops[1].state, known().devices)->value().access.address[3], 48u);
  EXPECT_EQ(read.stops[2].state.view.page, Page::ladder);
  EXPECT_EQ(read.stops[2].access.op, "ld");
  EXPECT_FALSE(own_access(read.stops[2].state, known().devices)->has_value());
}

TEST(Stops, SayMistakesWithTheirLinesAndGoOn) {
  const auto read =
      stops({"kernel = 'matmul/01_naive'\nwarp = 77", "colour = 1", "size =", "array = 3", "op = 'load'",
             "access = 0", "reveal = 1", "[view]\nwarp = 1", "export_folder = '/tmp'", "figure = 'pie'",
             "warp = 3", "lesson = '../y.md'", "theme = 'dark'"});
  const std::string said = mistakes(read);
  EXPECT_THAT(said, HasSubstr("x.md:3: "));
  EXPECT_THAT(said, HasSubstr("x.md:12: unknown key 'colour'"));
  EXPECT_THAT(said, HasSubstr("x.md:22: "));
  EXPECT_THAT(said, HasSubstr("x.md:32: array is no text; put it in quotes"));
  EXPECT_THAT(said, HasSubstr("x.md:42: unknown operation 'load'; write ld or st"));
  EXPECT_THAT(said, HasSubstr("x.md:52: this is not the number of an access"));
  EXPECT_THAT(said, HasSubstr("x.md:62: reveal is neither true nor false"));
  EXPECT_THAT(said, HasSubstr("x.md:72: a lesson's state has no table 'view'"));
  EXPECT_THAT(said, HasSubstr("x.md:82: a lesson does not say where figures are saved"));
  EXPECT_THAT(said, HasSubstr("x.md:92: there is no figure 'pie'"));
  EXPECT_THAT(said, HasSubstr("x.md:112: a lesson has no say in 'lesson'; remove it"));
  EXPECT_THAT(said, HasSubstr("x.md:122: a lesson has no say in 'theme'; remove it"));
  EXPECT_EQ(read.errors.size(), 12u) << said;
  EXPECT_EQ(read.stops.at(10).state.selection.warp, 3u);
}

TEST(Stops, SayWhatIsInheritedAndNoLongerFits) {
  const auto read = stops({"kernel = 'matmul/01_naive'\nsize = 64\nblock = 3", "size = 32"});
  EXPECT_THAT(mistakes(read), HasSubstr("x.md:12: there is no block 3"));
}

TEST(Stops, NameKernelsOfTheirOwnFolderAlone) {
  const TestFolder folder;
  const std::string text = *read_whole_file(source_path("kernels/matmul/01_naive.cu"));
  folder.write("lessons/mine.cu", text);
  folder.write("other/mine.cu", text);
  std::filesystem::create_symlink(folder / "other", folder / "lessons/link");
  const std::string file = (folder / "lessons/x.md").string();
  const auto read = stops(
      {"kernel = 'mine.cu'", "kernel = '../other/mine.cu'", "kernel = 'link/mine.cu'",
       "kernel = '/etc/passwd.cu'", "compare = '../other/mine.cu'", "[compare]\nright = '../other/mine.cu'"},
      file);
  EXPECT_EQ(read.stops.at(0).state.kernel, (folder / "lessons/mine.cu").string());
  EXPECT_EQ(read.errors.size(), 5u) << mistakes(read);
  for (const Error& error : read.errors) EXPECT_THAT(error.message, HasSubstr("outside the lesson's folder"));
}

TEST(AskedSpeeds, AreOfTheKernelsThatAnswersName) {
  lesson::Lesson lesson;
  for (const char* answer :
       {"", "sectors(access)", "2 * recorded('matmul/01_naive', 4096).speed",
        "tuned( \"ncsa/04_k4\", 4096).speed", "recorded('matmul/01_naive', 64).seconds"}) {
    lesson::Stop stop;
    if (*answer != 0) {
      lesson::Ask ask;
      ask.answer = lesson::Expression(answer);
      stop.parts.emplace_back(ask);
    }
    lesson.stops.push_back(stop);
  }
  const std::map<std::string, std::size_t> expected{{"matmul/01_naive", 2}, {"ncsa/04_k4", 3}};
  EXPECT_EQ(asked_speeds(lesson), expected);
}

}  // namespace
}  // namespace warplens::app
