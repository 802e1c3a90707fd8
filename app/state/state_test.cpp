#include "app/state/state.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <limits>
#include <random>
#include <set>
#include <tuple>

#include "app/base/workspace.hpp"
#include "app/state/state_fields.hpp"
#include "engine/base/testing/places.hpp"
#include "engine/base/testing/test_folder.hpp"
#include "engine/base/whole_file.hpp"
#include "viz/figures/access/access.hpp"
#include "viz/figures/flow/flow.hpp"
#include "viz/figures/map/speed_map.hpp"
#include "viz/figures/performance/occupancy.hpp"

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
  state.selection = {.block = 123'456'789'012, .warp = 31, .step = 4'000'000'000, .lane = 17, .line = 31};
  state.view = {.page = Page::compare,
                .figure = "bank-map",
                .code = CodeView::both,
                .counter = Counter::wavefronts,
                .steps_by = StepsBy::sectors,
                .dark = false,
                .text_scale = 1.7,
                .presenter = true,
                .motion = false,
                .speed = 0.3,
                .source = false,
                .details = true,
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
                   .step = 99,
                   .array = "A_tile",
                   .op = "ld",
                   .number = 3};
  state.playground = {.index = "lane \"^\" 1",
                      .stride = -33,
                      .offset = 5,
                      .memory = Memory::shared,
                      .store = true,
                      .width = 16,
                      .mask = 0xfffffffe};
  state.edit = {
      .original = "matmul/03_shared_tile", .file = "/home/a b/own.cu", .exercise = "/home/a b/guard.toml"};
  state.program = {
      .file = "/home/a b/own.cu",
      .arguments = "64 'a b'",
      .input = "3\n4 \"5\"\n",
      .input_file = "/home/a b/in.txt",
      .limits = {.seconds = 12.5, .host_seconds = 30, .memory_gb = 2, .host_memory_gb = 3, .output_gb = 0.5},
      .read = "/data 'a b'",
      .write = "/tmp/out",
      .settings = true,
      .values = {{"TILE", 32}, {"WIDTH@57", -4}},
      .launch = 57};
  state.drawing = {.colors = "lanes",
                   .whole = true,
                   .per = "block",
                   .over = "TM,TN",
                   .others = "now",
                   .cycles = "4096,4352",
                   .cursor = "4219,5",
                   .element = "A,5,37",
                   .all_arrays = true,
                   .steps = 3,
                   .kinds = "pageable,mapped",
                   .curve = "registers",
                   .width = 900,
                   .height = 600};
  return state;
}

TEST(State, ComesBackFromItsText) {
  for (const State& state : {State{}, unusual()}) {
    const auto read = parse_state(to_toml(state), "state.toml");
    ASSERT_TRUE(read) << to_line(read.error());
    EXPECT_EQ(*read, state);
  }
}

// Random states, each of whose fields has its own value in every other one.
class RandomState {
 public:
  explicit RandomState(unsigned seed) : random_(seed) {}

  State next() {
    State state;
    change(state.kernel, [&] { return text(); });
    change(state.params, [&] { return values(std::numeric_limits<std::int64_t>::min()); });
    change(state.size, [&] { return values(1); });
    change(state.device, [&] { return text(); });
    state.engine = choice<Engine>(2);
    change(state.gpu, [&] { return whole(0, 255); });
    state.accesses = choice<Accesses>(2);
    change(state.selection.block, [&] { return whole(0, kLargest); });
    change(state.selection.warp, [&] { return whole(0, 31); });
    change(state.selection.step, [&] { return whole(0, 0xffffffff); });
    change(state.selection.lane, [&] { return whole(0, 31); });
    change(state.selection.line, [&] { return whole(0, 1'000'000); });
    state.view = view();
    state.compare = compare();
    state.playground = playground();
    change(state.occupancy.threads, [&] { return whole(1, kMostThreadsByHand); });
    change(state.occupancy.registers, [&] { return whole(0, kMostRegistersByHand); });
    change(state.occupancy.shared, [&] { return whole(0, kMostSharedByHand); });
    change(state.drawing.colors, [&] { return figures::kColorNames[whole(0, 2)].second; });
    state.drawing.whole = choice<bool>(2);
    change(state.drawing.per, [&] { return figures::kPerNames[whole(0, 2)].second; });
    change(state.drawing.over, [&] { return text(); });
    change(state.drawing.others, [&] { return figures::kOthersNames[whole(0, 1)].second; });
    change(state.drawing.cycles, [&] { return text(); });
    change(state.drawing.cursor, [&] { return text(); });
    change(state.drawing.element, [&] { return text(); });
    state.drawing.all_arrays = choice<bool>(2);
    state.drawing.steps = whole(0, 99);
    state.drawing.mark = whole(0, 1 << 26);
    change(state.drawing.kinds, [&] { return choice<int>(2) == 0 ? "pinned" : "pageable,pinned"; });
    change(state.drawing.curve, [&] { return figures::kCurveNames[whole(0, 2)].second; });
    change(state.drawing.width, [&] { return whole(320, 8192); });
    change(state.drawing.height, [&] { return whole(240, 8192); });
    change(state.lesson.file, [&] { return text(); });
    change(state.edit.original, [&] { return text(); });
    change(state.edit.file, [&] { return text(); });
    change(state.edit.exercise, [&] { return text(); });
    change(state.program.file, [&] { return text(); });
    change(state.program.arguments, [&] { return text(); });
    change(state.program.input, [&] { return text(); });
    change(state.program.input_file, [&] { return text(); });
    change(state.program.read, [&] { return text(); });
    change(state.program.write, [&] { return text(); });
    state.program.settings = choice<bool>(2);
    if (whole(0, 1) == 1) state.program.values["T@" + std::to_string(whole(1, 99))] = whole(-9, 99);
    for (const Limit& limit : kLimits)
      change(state.program.limits.*limit.value, [&] { return static_cast<double>(whole(1, 128)); });
    change(state.program.launch, [&] { return whole(0, kLargest); });
    change(state.lesson.stop, [&] { return whole(0, 9'999); });
    state.lesson.answered = choice<bool>(2);
    return state;
  }

 private:
  View view() {
    View view;
    view.page = choice<Page>(5);
    change(view.figure, [&] { return text(); });
    view.code = choice<CodeView>(5);
    view.counter = choice<Counter>(5);
    view.steps_by = choice<StepsBy>(4);
    view.dark = choice<bool>(2);
    change(view.text_scale, [&] { return number(0.75, 2.5); });
    view.presenter = choice<bool>(2);
    view.motion = choice<bool>(2);
    view.by_iteration = choice<bool>(2);
    change(view.speed, [&] { return number(0.25, 1024); });
    view.source = choice<bool>(2);
    view.details = choice<bool>(2);
    change(view.left_width, [&] { return number(0, 2000); });
    change(view.right_width, [&] { return number(0, 4000); });
    change(view.width, [&] { return whole(320, 16384); });
    change(view.height, [&] { return whole(240, 16384); });
    change(view.export_folder, [&] { return text(); });
    return view;
  }
  CompareState compare() {
    CompareState compare;
    for (CompareSide* side : {&compare.left, &compare.right}) {
      change(side->kernel, [&] { return text(); });
      change(side->params, [&] { return values(-kLargest); });
    }
    change(compare.figure, [&] { return text(); });
    compare.part = choice<ComparePart>(4);
    compare.pace = choice<Pace>(2);
    change(compare.block, [&] { return whole(0, kLargest); });
    change(compare.warp, [&] { return whole(0, 31); });
    change(compare.step, [&] { return whole(0, 0xffffffff); });
    change(compare.array, [&] { return text(); });
    change(compare.op, [&] { return text(); });
    change(compare.number, [&] { return whole(0, 0xffffffff); });
    return compare;
  }
  PlaygroundState playground() {
    PlaygroundState playground;
    change(playground.index, [&] { return text(); });
    change(playground.stride, [&] { return whole(-kLargestStride, kLargestStride); });
    change(playground.offset, [&] { return whole(-kLargestStride, kLargestStride); });
    playground.memory = choice<Memory>(3);
    playground.store = choice<bool>(2);
    change(playground.width, [&] { return 4 << whole(0, 2); });
    change(playground.mask, [&] { return whole(0, 0xffffffff); });
    return playground;
  }

  template <class T, class Make>
  void change(T& field, Make make) {
    if (whole(0, 1) == 1) field = static_cast<T>(make());
  }
  template <class T>
  T choice(int count) {
    return static_cast<T>(whole(0, count - 1));
  }
  std::int64_t whole(std::int64_t low, std::int64_t high) {
    const auto edge = std::uniform_int_distribution(0, 7)(random_);
    if (edge < 2) return edge == 0 ? low : high;
    return std::uniform_int_distribution(low, high)(random_);
  }
  double number(double low, double high) {
    const auto edge = whole(0, 7);
    return edge < 2 ? (edge == 0 ? low : high) : std::uniform_real_distribution(low, high)(random_);
  }
  std::string text() {
    static constexpr std::array<std::string_view, 14> pieces = {"a",  "Z",  "_",    "/",    " ", "\"", "\\",
                                                                "\n", "\t", "\x01", "\x7f", "[", "é",  "=#"};
    std::string text;
    for (auto left = whole(0, 12); left > 0; --left) text += pieces[whole(0, pieces.size() - 1)];
    return text;
  }
  catalog::Values values(std::int64_t low) {
    catalog::Values values;
    for (const std::string& name : {std::string("M"), std::string("N"), std::string("BLOCK_X"), text()})
      change(values[name], [&] { return whole(low, kLargest); });
    std::erase_if(values, [](const auto& value) { return value.second == 0; });
    return values;
  }

  static constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
  std::mt19937_64 random_;
};

TEST(State, ComesBackFromItsTextWhateverItIs) {
  RandomState random(17);
  std::set<std::string> written;
  for (int i = 0; i < 500; ++i) {
    State state = random.next();
    const std::string text = to_toml(state);
    const auto read = parse_state(text, "state.toml");
    ASSERT_TRUE(read) << to_line(read.error()) << "\n" << text;
    ASSERT_EQ(*read, state) << text;
    State untouched;
    const auto fields = state_fields(state), defaults = state_fields(untouched);
    for (std::size_t field = 0; field < fields.size(); ++field)
      if (fields[field].write() != defaults[field].write()) written.insert(fields[field].key);
  }
  State state;
  for (const Field& field : state_fields(state))  // a step is an access of an older file
    EXPECT_EQ(written.contains(field.key), !field.key.ends_with("step")) << field.key;
}

// As earlier versions wrote it: two headings, accesses from 0, how figures are drawn at the head.
TEST(State, IsReadFromAnOlderFile) {
  const auto read = parse_state(
      "kernel = \"a\"\ncolors = \"lanes\"\nwhole = true\nwidth = 900\nheight = 600\n"
      "[selection]\nblock = 1\nwarp = 2\nstep = 3\nlane = 4\n[view]\npage = \"compare\"\nwidth = 1280\n"
      "height = 720\n[compare]\nstep = 99\n",
      "older.toml");
  ASSERT_TRUE(read) << to_line(read.error());
  State expected;
  expected.kernel = "a";
  expected.drawing = {.colors = "lanes",
                      .whole = true,
                      .over = {},
                      .cycles = {},
                      .cursor = {},
                      .element = {},
                      .kinds = {},
                      .curve = {},
                      .width = 900,
                      .height = 600};
  expected.selection = {.block = 1, .warp = 2, .step = 3, .lane = 4};
  expected.view.page = Page::compare;
  expected.view.width = 1280;
  expected.view.height = 720;
  expected.compare.step = 99;
  EXPECT_EQ(*read, expected);
}

TEST(State, CountsAccessesFromOne) {
  const auto read = parse_state("access = 27\n[compare]\naccess = 1\n", "state.toml");
  ASSERT_TRUE(read) << to_line(read.error());
  EXPECT_EQ(read->selection.step, 26u);
  EXPECT_EQ(read->compare.step, 0u);
  EXPECT_THAT(to_toml(*read), HasSubstr("access = 27\n"));
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
                      BadState{"AccessZero", "warp = 1\naccess = 0\n", 2, "they count from 1"},
                      BadState{"AccessZeroOfSides", "[compare]\naccess = 0\n", 2, "they count from 1"},
                      BadState{"NotATable", "compare = 3\n", 1, "not a table"},
                      BadState{"HeadingOfNothing", "view = 3\n", 1, "not a table"},
                      BadState{"TableInAHeading", "[view]\n[view.zoom]\n", 2, "zoom"},
                      BadState{"Twice", "lane = 3\n[selection]\nlane = 3\n", 3, "given twice"},
                      BadState{"NegativeBlock", "[selection]\nblock = -1\n", 2, "from 0"},
                      BadState{"ScaleOutOfRange", "[view]\ntext_scale = 9\n", 2, "0.75 to 2.5"},
                      BadState{"NanScale", "[view]\ntext_scale = nan\n", 2, "0.75 to 2.5"},
                      BadState{"Theme", "[view]\ntheme = \"blue\"\n", 2, "light, dark"},
                      BadState{"Code", "[view]\ncode = \"asm\"\n", 2, "source, ptx, both, sass, source_sass"},
                      BadState{"Fraction", "[params]\nTILE = 16.5\n", 2, "whole number"},
                      BadState{"SizeZero", "[size]\nN = 4\nM = 0\n", 3, "size M is 0"},
                      BadState{"Page", "[view]\npage = \"home\"\n", 2, "ladder, compare, playground"},
                      BadState{"Op", "[playground]\nop = \"add\"\n", 2, "ld, st"},
                      BadState{"Width", "[playground]\nwidth = 12\n", 2, "no width"},
                      BadState{"Mask", "[playground]\nmask = 4294967296\n", 2, "from 0 to 4294967295"},
                      BadState{"CompareKey", "[compare]\nmiddle = \"a\"\n", 2, "middle"},
                      BadState{"Engine", "engine = \"cpu\"\n", 1, "emulator, gpu"},
                      BadState{"SizesWithoutNames", "size = 512\n", 1, "no names"},
                      BadState{"SizeOfAFraction", "size = 1.5\n", 1, "no size"},
                      BadState{"ParamsNoTable", "params = 3\n", 1, "not a table"}),
    [](const auto& test) { return test.param.name; });

// With the kernels of the repository.
class ShortState : public ::testing::Test {
 protected:
  Result<State> parse(std::string_view text) {
    const KnownNames known{*catalog_, *devices_};
    return parse_state(text, "short.toml", &known);
  }
  Workspace workspace_ = *Workspace::open({.home = source_path()});
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

TEST_F(ShortState, AWidthIsThatOfAnAccess) {
  const auto read = parse("figure = \"banks\"\nbytes = 8\n");
  ASSERT_FALSE(read);
  EXPECT_EQ(
      to_line(read.error()),
      "short.toml:2:9: 'bytes' is the width of an access of one's own, and there is no 'index'; add index = "
      "\"lane\", or remove it");
  EXPECT_TRUE(parse("page = \"playground\"\nbytes = 8\n"));
}

TEST_F(ShortState, EveryTourStateIsOneOfTheWindow) {
  std::size_t files = 0;
  const KnownNames known{*catalog_, *devices_};
  for (const auto& entry : std::filesystem::directory_iterator(source_path("assets/tour"))) {
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
  const auto page = read_whole_file(source_path("docs/state-files.md"));
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
  State state;
  for (const Field& field : state_fields(state)) {
    const std::string key = field.key.substr(field.key.find('.') + 1);
    if (key == "step") continue;
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
  EXPECT_EQ(config_folder(environment), "");
  environment.home = "/home/someone";
  EXPECT_EQ(config_folder(environment), "/home/someone/.config/warplens");
  environment.xdg_config_home = "relative";
  EXPECT_EQ(config_folder(environment), "/home/someone/.config/warplens");
  environment.xdg_config_home = "/config";
  EXPECT_EQ(config_folder(environment), "/config/warplens");
}

}  // namespace
}  // namespace warplens::app
