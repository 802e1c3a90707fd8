// What `warplens export` says to bad input, and that the tour's states can be read.
#include "app/commands/export_options.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "app/base/workspace.hpp"
#include "app/commands/export_sources.hpp"
#include "app/testing/child_process.hpp"
#include "engine/base/testing/places.hpp"
#include "engine/base/testing/test_folder.hpp"

namespace warplens::app {
namespace {

const std::string kRoot = source_path();

std::string complaint(const ExportOptions& options) {
  CommonOptions common;
  common.home = kRoot;
  common.no_cache = true;
  const auto done = export_command(common, options);
  return done ? "" : to_line(done.error());
}

ExportOptions banks(std::string output) {
  ExportOptions options;
  options.figure = "banks";
  options.index = "2*lane";
  options.output = std::move(output);
  return options;
}

TEST(Export, SaysWhatIsWrongInOneLine) {
  ExportOptions options = banks("out.bmp");
  EXPECT_NE(complaint(options).find("'out.bmp' is no kind of file"), std::string::npos);
  options = banks("out.svg");
  options.figure = "bank";
  EXPECT_NE(complaint(options).find("unknown figure 'bank'"), std::string::npos);
  options = banks("out.svg");
  options.theme = "grey";
  EXPECT_NE(complaint(options).find("unknown theme 'grey'"), std::string::npos);
  options = banks("out.svg");
  options.width = 3;
  EXPECT_NE(complaint(options).find("--width 3 is not from 320 to 8192"), std::string::npos);
  EXPECT_NE(complaint(banks("out.gif")).find("banks is a still picture"), std::string::npos);
  EXPECT_NE(complaint(banks("/no/such/folder/out.svg")).find("/no/such/folder/out.svg"), std::string::npos);
  options = banks("out.svg");
  options.index = "2*lame";
  EXPECT_NE(complaint(options).find("lame"), std::string::npos);
}

TEST(Export, FilmsPlayByTurnsOfTheLoopUnlessToldOtherwise) {
  const TestFolder folder;
  ExportOptions options;
  options.figure = "access", options.kernel.kernel = "memory/01_coalesced";
  options.output = (folder / "out.gif").string();
  options.play = "now";
  EXPECT_NE(complaint(options).find("choose access or iteration"), std::string::npos);
}

TEST(Export, WritesSvgWithTextAndTables) {
  const TestFolder folder;
  for (const std::string name : {"out.svg", "out.csv"}) {
    EXPECT_EQ(complaint(banks((folder / name).string())), "");
    std::ifstream file(folder / name);
    const std::string text(std::istreambuf_iterator<char>(file), {});
    EXPECT_NE(text.find(name == "out.svg" ? "2-way" : "wavefront,phase,bank,word,lanes"), std::string::npos);
    EXPECT_EQ(text.find("<desc>") != std::string::npos, name == "out.svg")
        << "what it says, for screen readers";
  }
}

// Its headline, its picture with the card of the lanes, its sentence and where the ladder is.
TEST(Export, TheStageIsThePageThatAClassSees) {
  const TestFolder folder;
  ExportOptions options;
  options.figure = "access", options.kernel.kernel = "matmul/01_naive", options.kernel.size = "48";
  options.on_stage = true;
  options.output = (folder / "stage.svg").string();
  const std::string problem = complaint(options);
  if (problem.find("NVRTC") != std::string::npos) GTEST_SKIP() << problem;
  ASSERT_EQ(problem, "");
  std::ifstream file(options.output);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  for (const char* said : {"Matmul: Naive", "1 of 10", "32 sectors: 8 times as many as needed",
                           "threadIdx.x walks down the rows of A", "lane → sector"})
    EXPECT_NE(text.find(said), std::string::npos) << said;
  options.title = "Down a column";
  EXPECT_EQ(complaint(options), "");
  std::ifstream other(options.output);
  const std::string titled(std::istreambuf_iterator<char>(other), {});
  EXPECT_NE(titled.find("Down a column"), std::string::npos);
  EXPECT_EQ(titled.find("8 times too much"), std::string::npos) << "one headline";
}

// A picture at 512 says nothing of 4,096, where the step is twice as fast as the one before: at its own size it is
// slower, recorded as well as predicted.
TEST(Export, TheStageComparesAtTheSizeOfItsPicture) {
  const TestFolder folder;
  ExportOptions options;
  options.figure = "access", options.kernel.kernel = "matmul/04_register_1d", options.kernel.size = "512";
  options.on_stage = true;
  options.output = (folder / "stage.svg").string();
  const std::string problem = complaint(options);
  if (problem.find("NVRTC") != std::string::npos) GTEST_SKIP() << problem;
  ASSERT_EQ(problem, "");
  std::ifstream file(options.output);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  EXPECT_EQ(text.find("4,096"), std::string::npos);
  EXPECT_EQ(text.find("× step 3"), std::string::npos) << "it is not faster here";
  EXPECT_NE(text.find("serves 8 multiply-adds"), std::string::npos)
      << "what the step is about, of its own size";
}

// The result happens to be right, and the picture must not say more than that.
TEST(Export, SaysOfARaceThatItIsOne) {
  const TestFolder folder;
  folder.write("race.cu",
               "__global__ void k(const float* in, float* out) {\n  __shared__ float s[256];\n"
               "  int t = threadIdx.x;\n  s[t] = in[blockIdx.x * 256 + t];\n"
               "  out[blockIdx.x * 256 + t] = s[t] + s[t ^ 64];\n}\n");
  const std::string drawn = (folder / "race.svg").string();
  for (const bool on_stage : {false, true}) {
    std::vector<std::string> words = {program_path("warplens"),
                                      "export",
                                      "access",
                                      (folder / "race.cu").string(),
                                      "--home",
                                      kRoot,
                                      "-o",
                                      drawn};
    if (on_stage) words.push_back("--stage");
    const ChildResult done = run_child(words, {});
    if (done.err.find("NVRTC") != std::string::npos) GTEST_SKIP() << done.err;
    EXPECT_EQ(done.exit_code, 1) << done.err;
    EXPECT_NE(done.err.find("race.cu:4: "), std::string::npos) << done.err;
    EXPECT_NE(done.err.find("race"), std::string::npos) << done.err;
    std::ifstream file(drawn);
    const std::string text(std::istreambuf_iterator<char>(file), {});
    EXPECT_NE(text.find("race, line 4"), std::string::npos) << on_stage;
    EXPECT_EQ(text.find("Nothing to fix"), std::string::npos) << on_stage;
  }
}

// The program ffmpeg is looked for on PATH and nowhere else.
TEST(Export, MakesMp4WithTheFfmpegOnPath) {
  const TestFolder folder;
  folder.write_script("ffmpeg", "for last; do :; done\n/bin/cat > \"$last\"\n");
  const std::string film = (folder / "film.mp4").string();
  const std::vector<std::string> words = {program_path("warplens"),
                                          "export",
                                          "access",
                                          "matmul/01_naive",
                                          "--size",
                                          "8",
                                          "--frames",
                                          "1",
                                          "--home",
                                          kRoot,
                                          "-o",
                                          film};
  const ChildResult missing = run_child(words, {{"PATH", "/nowhere"}});
  if (missing.err.find("NVRTC") != std::string::npos) GTEST_SKIP() << missing.err;
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_NE(missing.err.find("ffmpeg, which is not on PATH"), std::string::npos) << missing.err;
  const ChildResult found = run_child(words, {{"PATH", folder.string()}});
  EXPECT_EQ(found.exit_code, 0) << found.err;
  std::error_code failed;
  // At least one frame of 1280 x 720 pixels of 4 bytes.
  EXPECT_GE(std::filesystem::file_size(film, failed), 1280u * 720 * 4);
}

class Tour : public ::testing::Test {
 protected:
  Result<std::vector<TourStop>> read(const std::string& text) {
    const TestFolder folder;
    folder.write("a.toml", text);
    return read_tour(folder.path(), {*catalog_, *devices_});
  }
  Workspace workspace_ = *Workspace::open({.home = kRoot});
  Result<catalog::Catalog> catalog_ = workspace_.catalog();
  Result<device::DeviceTable> devices_ = workspace_.devices();
};

TEST_F(Tour, IsRead) {
  const auto stops = read_tour(kRoot + "/assets/tour", {*catalog_, *devices_});
  ASSERT_TRUE(stops) << to_line(stops.error());
  EXPECT_GE(stops->size(), 10u);
  for (const char* figure : {"access", "coalescing", "banks", "bank-map", "code", "flow", "occupancy",
                             "ladder", "size-curve", "roofline"})
    EXPECT_TRUE(std::any_of(stops->begin(), stops->end(), [&](const TourStop& stop) {
      return stop.options.figure == figure;
    })) << figure;
  EXPECT_EQ(stops->front().options.figure, "access");
  EXPECT_EQ(stops->front().options.kernel.size, "512,512,512");
}

TEST_F(Tour, RefusesUnknownKeysWithTheirLine) {
  const auto stops = read("figure = \"access\"\nwrap = 3\n");
  ASSERT_FALSE(stops);
  EXPECT_EQ(stops.error().place.line, 2);
  EXPECT_NE(stops.error().message.find("'wrap'"), std::string::npos);
}

// What the window writes is drawn too: one format for both.
TEST_F(Tour, DrawsTheStatesOfTheWindow) {
  State state;
  state.kernel = "matmul/03_shared_tile";
  state.params = {{"TILE", 16}};
  state.size = {{"M", 40}, {"N", 50}, {"K", 60}};
  state.device = "cc8.0";
  state.selection = {.block = 7, .warp = 3, .step = 4, .lane = 0};
  state.view.figure = "coalescing";
  state.drawing.colors = "lanes";
  state.drawing.whole = true;
  state.drawing.width = 900;
  state.drawing.height = 600;
  const auto stops = read(to_toml(state));
  ASSERT_TRUE(stops) << to_line(stops.error());
  const ExportOptions& options = stops->front().options;
  EXPECT_EQ(options.figure, "coalescing");
  EXPECT_EQ(options.kernel.kernel, "matmul/03_shared_tile");
  EXPECT_EQ(options.kernel.size, "40,50,60");
  EXPECT_EQ(options.kernel.defines, std::vector<std::string>{"TILE=16"});
  EXPECT_EQ(options.kernel.device, "cc8.0");
  EXPECT_EQ(options.block, "3,1,0");  // the grid is 4 x 3
  EXPECT_EQ(options.warp, 3u);
  EXPECT_EQ(options.step, 4u);
  EXPECT_EQ(options.colors, "lanes");
  EXPECT_TRUE(options.whole);
  EXPECT_EQ(options.width, 900);
}

TEST_F(Tour, DrawsThePlaygroundWithItsNames) {
  State state;
  state.view.page = Page::playground;
  state.playground.stride = 2;
  state.playground.memory = Memory::shared;
  const auto stops = read(to_toml(state));
  ASSERT_TRUE(stops) << to_line(stops.error());
  ExportOptions options = stops->front().options;
  EXPECT_EQ(options.figure, "banks");
  const TestFolder folder;
  const auto file = folder / "playground.svg";
  options.output = file.string();
  EXPECT_EQ(complaint(options), "");
  std::ifstream drawn(file);
  const std::string text(std::istreambuf_iterator<char>(drawn), {});
  EXPECT_NE(text.find("2-way"), std::string::npos);
}

TEST_F(Tour, SizesAndLaddersAreShortenedAsTheCommandLineDoes) {
  const auto stops = read("figure = \"ladder\"\nkernel = \"matmul\"\nsize = 256\n");
  ASSERT_TRUE(stops) << to_line(stops.error());
  EXPECT_EQ(stops->front().options.kernel.kernel, "matmul");
  EXPECT_EQ(stops->front().options.kernel.size, "256,256,256");
}

}  // namespace
}  // namespace warplens::app
