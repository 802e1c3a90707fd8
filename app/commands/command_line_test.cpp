// The program as a user meets it: started as a child process, judged by its exit code and by what it says.
// testdata/*.csv: rows measured on an H100, one of each operation and width; the fourth column is the
// hardware's.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/testing/child_process.hpp"
#include "engine/base/json_text.hpp"
#include "engine/base/testing/places.hpp"
#include "engine/base/testing/test_folder.hpp"
#include "engine/compile/build.hpp"

namespace warplens::app {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

ChildResult warplens(std::vector<std::string> words) {
  words.insert(words.begin(), program_path("warplens"));
  return run_child(words,
                   {{"WARPLENS_HOME", ""}, {"XDG_CACHE_HOME", ""}, {"DISPLAY", ""}, {"WAYLAND_DISPLAY", ""}});
}

Json json_of(std::vector<std::string> words) {
  words.push_back("--json");
  const ChildResult result = warplens(std::move(words));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  return Json::parse(result.out, nullptr, false);
}

std::string source(const std::string& path) { return source_path() + "/" + path; }

bool has_nvrtc() { return compile::Compiler(compile::Compiler::Options{}).available(); }

// --- Bad input: exit 2, nothing on stdout, one line on stderr that holds these words ---

struct BadInput {
  std::string name;
  std::vector<std::string> words;
  std::vector<std::string> said;
};

void expect_one_line(const ChildResult& result, const std::vector<std::string>& said) {
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  EXPECT_TRUE(result.err.ends_with("\n"));
  for (const std::string& words : said) EXPECT_THAT(result.err, HasSubstr(words));
}

class BadInputTest : public ::testing::TestWithParam<BadInput> {};
TEST_P(BadInputTest, IsOneLineThatSaysWhatToDo) {
  expect_one_line(warplens(GetParam().words), GetParam().said);
}

const std::string kTile = "matmul/03_shared_tile";

INSTANTIATE_TEST_SUITE_P(
    CommandLine, BadInputTest,
    ::testing::Values(
        BadInput{"NoArguments", {}, {"no window can be opened", "warplens screenshot"}},
        BadInput{"UnknownCommand", {"lsit"}, {"unknown command 'lsit'", "did you mean list?", "--help"}},
        BadInput{"FileAlone", {source("VERSION")}, {"a command comes first", "did you mean warplens run"}},
        BadInput{"UnknownOption",
                 {"run", kTile, "--sise", "3"},
                 {"unknown option '--sise'", "did you mean --size?", "warplens run --help"}},
        BadInput{
            "UnknownOptionWithValue", {"access", "--sapce=shared"}, {"--sapce", "warplens access --help"}},
        BadInput{"ExtraArgument", {"run", kTile, "matmul"}, {"unknown argument 'matmul'"}},
        BadInput{"RunNeedsAKernel", {"run"}, {"KERNEL", "warplens run --help"}},
        BadInput{"NotANumber",
                 {"occupancy", "--threads", "many", "--registers", "32"},
                 {"many", "warplens occupancy --help"}},
        BadInput{"NegativeSeed", {"run", kTile, "--seed", "-3"}, {"--seed", "-3", "warplens run --help"}},
        BadInput{"TooLargeANumber",
                 {"occupancy", "--threads", "99999999999", "--registers", "1"},
                 {"99999999999"}},
        BadInput{"BudgetOfNothing", {"run", kTile, "--budget", "0"}, {"--budget", "from 1", "run --help"}},
        BadInput{"TimeOfNoProduct",
                 {"time", kTile, "--device", "8.6"},
                 {"is no product", "choose a product of it, such as rtx3090"}},
        BadInput{"NoTimeout", {"run", kTile, "--timeout", "0"}, {"--timeout", "from 0.01 to 86400"}},
        BadInput{"NanSeconds", {"bench", kTile, "--seconds", "nan"}, {"--seconds", "'nan'", "bench --help"}},
        BadInput{"NegativeGpu", {"run", kTile, "--gpu", "-1"}, {"--gpu", "'-1'", "0 to 255"}},
        BadInput{"NegativeWarp", {"export", "banks", kTile, "--warp", "-1"}, {"--warp", "'-1'", "from 0"}},
        BadInput{"NanScale", {"export", "banks", kTile, "--scale", "nan"}, {"--scale", "0.1 to 16"}},
        BadInput{
            "SmallThumbnail", {"screenshot", "a.toml", "--thumbnail", "3"}, {"--thumbnail", "16 to 16384"}},
        BadInput{"BenchSizeZero", {"bench", "matmul", "--sizes", "64,0"}, {"the size 0 is below 1"}},
        BadInput{"BenchEmptySize", {"bench", "matmul", "--sizes", "64,,3"}, {"64,,3", "empty size"}},
        BadInput{"BenchUnknownParameter", {"bench", "matmul", "-D", "NO_SUCH=1"}, {"NO_SUCH"}},
        BadInput{"MissingValue", {"run", kTile, "--size"}, {"--size", "warplens run --help"}},
        BadInput{"UnknownKernel", {"run", "matmul/03_shared_tyle"}, {"matmul/03_shared_tyle", kTile}},
        BadInput{"UnknownLadder", {"run", "matmull"}, {"matmull"}},
        BadInput{"MissingFile", {"run", "/nonexistent/kernel.cu"}, {"/nonexistent/kernel.cu"}},
        BadInput{"IllegalTile", {"run", kTile, "-D", "TILE=7"}, {"TILE", "7", "8"}},
        BadInput{"IllegalTileForALadder", {"run", "matmul", "-D", "TILE=7"}, {"TILE", "7"}},
        BadInput{"UnknownParameter", {"run", kTile, "-D", "TYLE=16"}, {"TYLE", "TILE"}},
        BadInput{"UnknownParameterForALadder",
                 {"run", "matmul", "-D", "NO_SUCH=16"},
                 {"no step of this ladder", "NO_SUCH"}},
        BadInput{"DefineWithoutValue", {"run", kTile, "-D", "TILE"}, {"NAME=VALUE", "-D TILE=16"}},
        BadInput{"SizeZero", {"run", kTile, "--size", "0"}, {"0"}},
        BadInput{"NoSize", {"run", kTile, "--size", ""}, {"--size", "35,79,19", "warplens run --help"}},
        BadInput{"FigureOfAnIndexAndAKernel",
                 {"export", "banks", kTile, "--index", "lane", "-o", "x.svg"},
                 {"KERNEL", "excludes", "--index"}},
        BadInput{"OperationOfAKernel",
                 {"export", "banks", kTile, "--op", "st", "-o", "x.svg"},
                 {"--op", "--index", "warplens export --help"}},
        BadInput{"SizeOfAnIndex",
                 {"export", "banks", "--index", "lane", "--size", "64", "-o", "x.svg"},
                 {"--size", "excludes", "--index"}},
        BadInput{"BlockOfALadder",
                 {"export", "ladder", "matmul", "--block", "1", "-o", "x.svg"},
                 {"ladder takes no --block",
                  "bank-map, fragments, swizzle, tma, pipeline, cluster, tile-order and code take it"}},
        BadInput{"AccessZero",
                 {"export", "access", kTile, "--access", "0", "-o", "x.svg"},
                 {"--access", "they count from 1"}},
        BadInput{"AccessAndStep",
                 {"export", "access", kTile, "--access", "2", "--step", "1", "-o", "x.svg"},
                 {"--step excludes --access"}},
        BadInput{"WarpOfAnOccupancy",
                 {"export", "occupancy", kTile, "--warp", "2", "-o", "x.svg"},
                 {"occupancy takes no --warp", "leave it away"}},
        BadInput{"ColorsOfACoalescing",
                 {"export", "coalescing", kTile, "--colors", "lanes", "-o", "x.svg"},
                 {"coalescing takes no --colors", "access takes it"}},
        BadInput{"ThreadsOfARoofline",
                 {"export", "roofline", "matmul", "--threads", "64", "-o", "x.svg"},
                 {"roofline takes no --threads", "occupancy takes it"}},
        BadInput{"IndexOfAnAccess",
                 {"export", "access", "--index", "lane", "-o", "x.svg"},
                 {"access takes no --index", "coalescing and banks take it"}},
        BadInput{"FramesOfAStillPicture",
                 {"export", "access", kTile, "--frames", "3", "-o", "x.svg"},
                 {"--frames is of a film", "x.svg is a still picture", ".webp, .gif or .mp4"}},
        BadInput{"BlockOfAnUnknownFigure",
                 {"export", "laddr", "matmul", "--block", "1", "-o", "x.svg"},
                 {"unknown figure 'laddr'"}},
        BadInput{"SizeOfAnOccupancyByHand",
                 {"export", "occupancy", "--threads", "64", "--registers", "8", "--size", "9", "-o", "x.svg"},
                 {"KERNEL"}},
        BadInput{"TourWithATheme",
                 {"export", "--tour", "x", "--theme", "dark"},
                 {"--theme", "excludes", "--tour"}},
        BadInput{"SizeOfABillion", {"run", kTile, "--size", "1000000000"}, {"1000000000"}},
        BadInput{"SizeOfABillionForALadder", {"run", "matmul", "--size", "1000000000"}, {"1000000000"}},
        BadInput{"NegativeSize", {"run", kTile, "--size", "-5"}, {"5"}},
        BadInput{"SizeInWords", {"run", kTile, "--size", "big"}, {"big"}},
        BadInput{"TooManySizes", {"run", kTile, "--size", "1,2,3,4"}, {"1,2,3,4"}},
        BadInput{"UnknownDevice", {"run", kTile, "--device", "h10"}, {"h10", "h100"}},
        BadInput{"UnknownEngine", {"run", kTile, "--engine", "steam"}, {"steam", "emulator"}},
        BadInput{"UnknownPattern", {"run", kTile, "--pattern", "plaid"}, {"plaid", "identity"}},
        BadInput{"NoKernelFolder", {"list", "--home", "/nonexistent"}, {"/nonexistent/kernels", "--home"}},
        BadInput{
            "NoKernelFolderForRun", {"--home", "/nonexistent", "run", kTile}, {"/nonexistent", "--home"}},
        BadInput{"NoDeviceTable",
                 {"occupancy", "--threads", "32", "--registers", "32", "--home", "/nonexistent"},
                 {"/nonexistent/assets/devices.toml", "--home"}},
        BadInput{"OccupancyOfNothing", {"occupancy"}, {"KERNEL", "--threads"}},
        BadInput{"OccupancyOfBoth", {"occupancy", kTile, "--threads", "32"}, {"not both"}},
        BadInput{"OccupancyOfALadder", {"occupancy", "matmul"}, {"ladder", "matmul/0"}},
        BadInput{"OccupancyOfNoThreads", {"occupancy", "--threads", "0", "--registers", "32"}, {"0"}},
        BadInput{"OccupancyDefineWithoutKernel",
                 {"occupancy", "-D", "TILE=8", "--threads", "32", "--registers", "8"},
                 {"KERNEL"}},
        BadInput{
            "UnknownSpace", {"access", "--space", "outer", "--index", "lane"}, {"outer", "shared or global"}},
        BadInput{"UnknownOperation",
                 {"access", "--space", "shared", "--op", "add", "--index", "lane"},
                 {"add", "ld or st"}},
        BadInput{
            "WidthOfFive", {"access", "--space", "shared", "--width", "5", "--index", "lane"}, {"5", "16"}},
        BadInput{"MaskOfLetters",
                 {"access", "--space", "shared", "--mask", "0xfg", "--index", "lane"},
                 {"0xfg", "0x0000ffff"}},
        BadInput{"IndexAndCsv",
                 {"access", "--space", "shared", "--index", "lane", "--csv", "x.csv"},
                 {"--index", "--csv"}},
        BadInput{"NeitherIndexNorCsv", {"access", "--space", "shared"}, {"--index", "--csv"}},
        BadInput{"BadIndex", {"access", "--space", "shared", "--index", "32*"}, {"32*"}},
        BadInput{
            "UnknownNameInIndex", {"access", "--space", "shared", "--index", "4*line"}, {"line", "lane"}},
        BadInput{"MissingCsv",
                 {"access", "--space", "shared", "--csv", "/nonexistent.csv"},
                 {"/nonexistent.csv"}}),
    [](const auto& test) { return test.param.name; });

TEST(BadCsv, IsOneLineWithThePlace) {
  const TestFolder scratch;
  for (const char* text : {"", "lane0,lane1\n1,2\n", "op,width_bytes,active_mask,lane0\nld,4,0x1,0\n"}) {
    const fs::path path = scratch.write("rows.csv", text);
    expect_one_line(warplens({"access", "--space", "shared", "--csv", path.string()}), {path.string()});
  }
}

TEST(BadCsv, NamesTheLine) {
  std::ifstream file(source("app/testdata/shared_wavefronts.csv"));
  std::ostringstream text;
  text << file.rdbuf();
  const TestFolder scratch;
  const auto rows = std::count(text.view().begin(), text.view().end(), '\n');
  const fs::path path = scratch.write("rows.csv", text.str() + "ld,4,0x1,1,oops\n");
  expect_one_line(warplens({"access", "--space", "shared", "--csv", path.string()}),
                  {path.string() + ":" + std::to_string(rows + 1)});
}

// 512 threads a block and 16 KiB of shared memory: some steps cannot be launched.
TEST(Ladder, NamesTheStepsThatCannotRun) {
  const ChildResult run = warplens({"run", "matmul", "--size", "8", "--device", "g80"});
  if (run.err.find("NVRTC") != std::string::npos) GTEST_SKIP() << run.err;
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.out, HasSubstr("matmul/04_register_1d"));
  EXPECT_THAT(run.err, HasSubstr("matmul/01_naive, matmul/02_coalesced: 1,024 threads"));
  EXPECT_THAT(run.err, HasSubstr("matmul/03_shared_tile: 1,024 threads")) << "which other values would fit";
}

TEST(Ladder, IsATableWhereThereIsNoGpuToCompareWith) {
  const ChildResult run = warplens({"run", "matmul", "--size", "8", "--engine", "both"});
  if (run.err.find("NVRTC") != std::string::npos) GTEST_SKIP() << run.err;
  if (run.err.find("no GPU") == std::string::npos) GTEST_SKIP() << "there is a GPU";
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_THAT(run.out, ::testing::StartsWith("kernel "));
  EXPECT_EQ(std::count(run.out.begin(), run.out.end(), '\n'), 11);  // a heading and ten steps
}

// A race whose result is right here: only the checks know of it.
TEST(BothEngines, FailWhereTheEmulatorAloneDoes) {
  const std::string file = source("engine/check/testdata/newer/cluster_read_before_sync.cu");
  const ChildResult alone = warplens({"run", file});
  if (alone.err.find("NVRTC") != std::string::npos) GTEST_SKIP() << alone.err;
  const ChildResult both = warplens({"run", file, "--engine", "both", "--seconds", "0.01"});
  EXPECT_EQ(alone.exit_code, 1);
  EXPECT_EQ(both.exit_code, 1);
  EXPECT_THAT(both.err, HasSubstr(alone.err));
  const ChildResult unchecked =
      warplens({"run", file, "--engine", "both", "--no-check", "--seconds", "0.01"});
  EXPECT_EQ(unchecked.err.find("comes first"), std::string::npos) << unchecked.err;
}

TEST(BadKernelFile, LeavesTheOthersUsable) {
  const TestFolder scratch;
  const std::string good =
      "/*---\ntitle = \"Good\"\nproblem = \"sgemm\"\nidea = \"i\"\nwatch = \"w\"\nsource = \"s\"\n"
      "[launch]\nblock = [\"1\"]\ngrid = [\"1\"]\n---*/\n"
      "extern \"C\" __global__ void kernel(const float* A, const float* B, float* C, int M, int N, int K) "
      "{}\n";
  scratch.write("kernels/matmul/01_good.cu", good);
  const fs::path bad = scratch.write("kernels/matmul/02_bad.cu", "/*---\ntitle = \"no end\n---*/\n");
  const ChildResult list = warplens({"list", "--json", "--home", scratch.string()});
  EXPECT_EQ(list.exit_code, 2);
  EXPECT_EQ(std::count(list.err.begin(), list.err.end(), '\n'), 1) << list.err;
  EXPECT_THAT(list.err, HasSubstr(bad.string() + ":2"));
  const Json kernels = Json::parse(list.out, nullptr, false);
  ASSERT_EQ(kernels.size(), 1u) << list.out;
  EXPECT_EQ(kernels[0]["kernel"], "matmul/01_good");
}

TEST(KernelOfNoProblem, IsListedAndNamedWithItsLine) {
  const TestFolder scratch;
  const fs::path bad = scratch.write(
      "kernels/matmul/01_bad.cu",
      "/*---\ntitle = \"Bad\"\nproblem = \"sgem\"\nidea = \"i\"\nwatch = \"w\"\nsource = \"s\"\n"
      "[launch]\nblock = [\"1\"]\ngrid = [\"1\"]\n---*/\nextern \"C\" __global__ void kernel() {}\n");
  const ChildResult list = warplens({"list", "--json", "--home", scratch.string()});
  EXPECT_EQ(list.exit_code, 2);
  EXPECT_EQ(std::count(list.err.begin(), list.err.end(), '\n'), 1) << list.err;
  EXPECT_THAT(list.err, HasSubstr(bad.string() + ":3: there is no problem sgem; choose"));
  const Json kernels = Json::parse(list.out, nullptr, false);
  ASSERT_EQ(kernels.size(), 1u) << list.out;
  EXPECT_EQ(kernels[0]["signature"], "");
}

// --- Good input ---

TEST(Version, IsThatOfTheProject) {
  const ChildResult result = warplens({"--version"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, "warplens " WARPLENS_VERSION "\n");
}

TEST(Help, NamesEveryCommandAndOption) {
  const ChildResult all = warplens({"--help"});
  EXPECT_EQ(all.exit_code, 0);
  for (const char* command : {"list", "run", "access", "occupancy", "--home", "--cache", "--json"}) {
    EXPECT_THAT(all.out, HasSubstr(command));
  }
  const ChildResult run = warplens({"run", "--help"});
  EXPECT_EQ(run.exit_code, 0);
  for (const char* option : {"-D", "--size", "--engine", "--device"}) EXPECT_THAT(run.out, HasSubstr(option));
}

TEST(List, HasEveryKernelFile) {
  std::vector<std::string> expected, listed;
  for (const auto& entry : fs::recursive_directory_iterator(source("kernels"))) {
    fs::path id = entry.path().lexically_relative(source("kernels"));
    if (id.extension() == ".cu") expected.push_back(id.replace_extension().string());
  }
  for (const Json& kernel : json_of({"list"})) listed.push_back(kernel["kernel"]);
  EXPECT_THAT(listed, ::testing::UnorderedElementsAreArray(expected));
  const ChildResult text = warplens({"list"});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  for (const std::string& id : expected) EXPECT_THAT(text.out, HasSubstr(id));
}

TEST(List, HasTheSignatureOfEachProblem) {
  const std::string sgemm = "const float* A, const float* B, float* C, int M, int N, int K";
  for (const Json& kernel : json_of({"list"})) {
    EXPECT_NE(kernel["signature"], "") << kernel["kernel"];
    if (kernel["problem"] == "sgemm") {
      EXPECT_EQ(kernel["signature"], sgemm);
    }
  }
  EXPECT_THAT(warplens({"list"}).out, HasSubstr("kernel(" + sgemm + ")"));
}

// The hardware's number of each row: the fourth column.
std::vector<int> measured(const std::string& path) {
  std::ifstream file(path);
  std::vector<int> numbers;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream fields(line);
    std::string field;
    for (int i = 0; i < 4; ++i) std::getline(fields, field, ',');
    numbers.push_back(std::stoi(field));
  }
  return numbers;
}

void expect_measured(const std::string& space, const std::string& key, const std::string& path) {
  const std::vector<int> expected = measured(path);
  ASSERT_FALSE(expected.empty());
  const Json costs = json_of({"access", "--space", space, "--csv", path});
  ASSERT_EQ(costs.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(costs[i][key], expected[i]) << path << ", row " << i + 1;
    EXPECT_EQ(costs[i]["requests"], 1);
  }
}

TEST(Access, GivesTheHardwaresWavefronts) {
  expect_measured("shared", "wavefronts", source("app/testdata/shared_wavefronts.csv"));
}

TEST(Access, GivesTheHardwaresSectors) {
  expect_measured("global", "sectors", source("app/testdata/global_sectors.csv"));
}

TEST(Access, TakesAnExpression) {
  // A stride of 32 words: all lanes in one bank. The rows of a 32 x 33 tile: none.
  EXPECT_EQ(
      json_of({"access", "--space", "shared", "--op", "ld", "--width", "4", "--index", "32*lane"}).dump(),
      R"([{"requests":1,"sectors":0,"wavefronts":32,"ideal_wavefronts":1}])");
  EXPECT_EQ(json_of({"access", "--space", "shared", "--index", "33*lane"})[0]["wavefronts"], 1);
  EXPECT_EQ(json_of({"access", "--space", "global", "--op", "st", "--width", "16", "--index", "lane"}).dump(),
            R"([{"requests":1,"sectors":16,"wavefronts":0,"ideal_wavefronts":0}])");
  EXPECT_EQ(json_of({"access", "--space", "global", "--index", "lane", "--mask", "0xff"})[0]["sectors"], 1);
  EXPECT_EQ(json_of({"access", "--space", "global", "--index", "lane", "--mask", "0"})[0]["requests"], 0);
}

TEST(Access, IsATableForReaders) {
  const ChildResult result = warplens({"access", "--space", "shared", "--index", "2*lane"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out,
            "row  op  width  active lanes  requests  wavefronts  ideal\n"
            "  1  ld      4            32         1           2      1\n");
}

TEST(Occupancy, OfNumbers) {
  // H100: 65536 / (64 * 256) = 4 blocks by registers, 64 / 8 warps = 8 by warps; 233472 / (16384 + 1024) = 13
  // by shared.
  const Json fit = json_of({"occupancy", "--threads", "256", "--registers", "64", "--shared", "16384"});
  EXPECT_EQ(fit.dump(),
            R"({"blocks_per_sm":4,"warps_per_sm":32,"occupancy":0.5,)"
            R"("limits":{"warps":8,"blocks":32,"registers":4,"shared":13},"limiter":["registers"]})");
}

// 30 registers of 512 threads are 15,360 of the 8,192 that a multiprocessor of 1.0 has.
TEST(Occupancy, OfTheLecturesLargeBlock) {
  const auto blocks = [](const char* registers) {
    return json_of({"occupancy", "--device", "1.0", "--threads", "512", "--shared", "5120", "--registers",
                    registers})["blocks_per_sm"];
  };
  EXPECT_EQ(blocks("30"), 0);
  EXPECT_EQ(blocks("0"), 1);
}

// A resource that is not used limits nothing, and a number of blocks would say otherwise.
TEST(Occupancy, WhatIsNotUsedHasNoLimit) {
  const Json fit = json_of({"occupancy", "--threads", "256", "--registers", "0", "--device", "cc7.5"});
  EXPECT_TRUE(fit["limits"]["registers"].is_null()) << fit.dump();
  EXPECT_TRUE(fit["limits"]["shared"].is_null()) << fit.dump();
  EXPECT_EQ(fit["limits"]["warps"], 4);
  const ChildResult text =
      warplens({"occupancy", "--threads", "1024", "--registers", "0", "--device", "cc7.5"});
  EXPECT_THAT(text.out, HasSubstr("1 block a multiprocessor"));
  EXPECT_THAT(text.out, HasSubstr("by registers   no limit\n"));
}

TEST(Occupancy, SaysWhatABlockMayNotHave) {
  const ChildResult text = warplens({"occupancy", "--threads", "1025", "--registers", "16"});
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_THAT(text.out, HasSubstr("1,025 threads are above the 1,024 that a block may have"));
  EXPECT_THAT(text.out, ::testing::Not(HasSubstr("limited by     warps")));
}

TEST(Occupancy, OfAKernel) {
  if (!has_nvrtc()) GTEST_SKIP() << "no NVRTC on this machine";
  const Json fit = json_of({"occupancy", kTile, "-D", "TILE=32", "--device", "h100", "--no-cache"});
  // 1024 threads are 32 warps: at most two blocks.
  EXPECT_EQ(fit["limits"]["warps"], 2);
  EXPECT_EQ(fit["warps_per_sm"], fit["blocks_per_sm"].get<int>() * 32);
  const ChildResult text = warplens({"occupancy", kTile, "-D", "TILE=32", "--no-cache"});
  EXPECT_THAT(text.out, HasSubstr("1024 threads a block"));
  EXPECT_THAT(text.out, HasSubstr("8192 bytes of shared memory"));
}

TEST(Occupancy, OfAKernelOutsideOfAnyFolder) {
  if (!has_nvrtc()) GTEST_SKIP() << "no NVRTC on this machine";
  const TestFolder scratch;
  fs::create_directories(scratch / "assets");
  fs::copy(source("assets/devices.toml"), scratch / "assets");
  const ChildResult result =
      warplens({"occupancy", source("kernels/" + kTile + ".cu"), "--no-cache", "--home", scratch.string()});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("1024 threads a block"));
}

TEST(Occupancy, OfAnOldChipSaysWhatWasCompiled) {
  if (!has_nvrtc()) GTEST_SKIP() << "no NVRTC on this machine";
  const ChildResult result = warplens({"occupancy", kTile, "--device", "cc1.3", "--no-cache"});
  EXPECT_THAT(result.out, HasSubstr(kTile + ", compiled for sm_75"));
}

TEST(Cache, ThatCannotBeWrittenIsOneWarning) {
  if (!has_nvrtc()) GTEST_SKIP() << "no NVRTC on this machine";
  const ChildResult result = warplens({"occupancy", kTile, "--json", "--cache", "/dev/null/cache"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  EXPECT_THAT(result.err, HasSubstr("warning"));
  EXPECT_THAT(result.err, HasSubstr("/dev/null/cache"));
  EXPECT_TRUE(Json::accept(result.out));
}

TEST(Cache, IsWrittenWhereItIsAskedFor) {
  if (!has_nvrtc()) GTEST_SKIP() << "no NVRTC on this machine";
  const TestFolder scratch;
  json_of({"occupancy", kTile, "--cache", (scratch / "cache").string()});
  EXPECT_FALSE(fs::is_empty(scratch / "cache"));
}

TEST(Compiler, MissingIsOneLine) {
  const TestFolder scratch;
  const ChildResult result = run_child({program_path("warplens"), "occupancy", kTile, "--no-cache"},
                                       {{"WARPLENS_NVRTC", (scratch / "libnvrtc.so.13").string()}});
  expect_one_line(result, {"NVRTC"});
}

// --- A kernel file that is wrong ---

const std::string kCopyHead =
    "/*---\ntitle = \"T\"\nproblem = \"copy\"\n[launch]\nblock = [\"256\"]\ngrid = [\"ceil_div(N, "
    "256)\"]\n---*/\n";

TEST(OwnKernel, OfAnotherSignatureIsToldTheRightOne) {
  if (!has_nvrtc()) GTEST_SKIP() << "no NVRTC on this machine";
  const TestFolder scratch;
  const fs::path path = scratch.write("two.cu", kCopyHead +
                                                    "extern \"C\" __global__ void kernel(float* out) {\n"
                                                    "  out[threadIdx.x] = 1;\n}\n");
  expect_one_line(warplens({"run", path.string(), "--no-cache"}),
                  {path.string() + ":8", "declare it as kernel(const float* in, float* out, int N)"});
}

TEST(OwnKernel, WithTooLargeABlockIsToldWhatHolds) {
  const TestFolder scratch;
  std::string text = kCopyHead + "extern \"C\" __global__ void kernel(const float*, float*, int) {}\n";
  text.replace(text.find("256"), 3, "2048");
  const fs::path path = scratch.write("big.cu", text);
  expect_one_line(warplens({"run", path.string()}),
                  {path.string() + ":5", "more than 1024 threads: block = 2048", "kernel file"});
}

TEST(OwnKernel, WithAnInstructionThatTheEmulatorLacksIsNamed) {
  if (!has_nvrtc()) GTEST_SKIP() << "no NVRTC on this machine";
  const TestFolder scratch;
  const std::string body =
      "extern \"C\" __global__ void kernel(const float* in, float* out, int N) {\n  out[0] = in[0];\n  asm "
      "volatile("
      "\"st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %0, [%0];\" :: \"r\"(N));\n}\n";
  const fs::path path = scratch.write("remote.cu", kCopyHead + body);
  expect_one_line(warplens({"run", path.string(), "--no-cache"}),
                  {path.string() + ":10", "asynchronous stores to distributed shared memory (st.async)"});
}

// Two kernels of different problems have no work in common; an error of a fast function is the emulator's.
TEST(Words, SayWhatIsNotCompared) {
  if (!has_nvrtc()) GTEST_SKIP() << "no NVRTC";
  const ChildResult other = warplens({"time", "first/02_increment", "--against", "first/01_who_am_i"});
  EXPECT_EQ(other.exit_code, 0) << other.err;
  EXPECT_THAT(other.out, HasSubstr("another problem: a launch takes "));
  EXPECT_EQ(other.out.find("times as fast"), std::string::npos) << other.out;
  EXPECT_THAT(other.out, HasSubstr("The launch itself takes "));
  const ChildResult sine = warplens({"run", "arithmetic/15_fast_sine", "--size", "1024"});
  EXPECT_THAT(sine.out, HasSubstr("the error is the emulator's"));
}

// The chip has no atomics of floats.
TEST(Words, SayWhatAPredictionLeavesOut) {
  if (!has_nvrtc()) GTEST_SKIP() << "no NVRTC";
  const ChildResult old = warplens({"time", "reduction/02_strided", "--device", "g80", "--size", "65536"});
  EXPECT_THAT(old.out, testing::AllOf(HasSubstr("float needs 2.0: NVIDIA GeForce 8800 GTX has none"),
                                      HasSubstr("not held against"), HasSubstr("as on NVIDIA H100 SXM")));
  const ChildResult copy = warplens({"time", "copies/02_coalesced", "--size", "65536", "--json"});
  EXPECT_THAT(copy.out, HasSubstr("\"not_modelled\": []"));
}

TEST(OwnKernel, WithAWrongResultIsNeitherRunNorDrawnAsFine) {
  if (!has_nvrtc()) GTEST_SKIP() << "no NVRTC on this machine";
  const TestFolder scratch;
  const fs::path path = scratch.write(
      "wrong.cu", kCopyHead +
                      "extern \"C\" __global__ void kernel(const float* in, float* out, int N) {\n"
                      "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                      "  if (i < N) out[i] = in[i] + 1;\n}\n");
  const std::string picture = (scratch / "a.svg").string();
  for (const auto& words :
       {std::vector<std::string>{"run", path.string(), "--size", "64", "--no-cache"},
        {"export", "access", path.string(), "--size", "64", "-o", picture, "--no-cache"}}) {
    const ChildResult result = warplens(words);
    EXPECT_EQ(result.exit_code, 1) << words[0];
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    EXPECT_THAT(result.err, HasSubstr("wrong"));
  }
  EXPECT_FALSE(fs::exists(picture));
}

TEST(Export, OfNoAccessToSharedMemoryIsRefused) {
  if (!has_nvrtc()) GTEST_SKIP() << "no NVRTC on this machine";
  const TestFolder scratch;
  for (const std::string figure : {"banks", "bank-map"}) {
    const std::string picture = (scratch / (figure + ".svg")).string();
    expect_one_line(warplens({"export", figure, "matmul/01_naive", "--size", "32", "-o", picture}),
                    {"no access to shared memory", "choose another kernel"});
    EXPECT_FALSE(fs::exists(picture));
  }
}

TEST(Screenshot, IsAPng) {
  const TestFolder scratch;
  const fs::path state = scratch.write("state.toml", "");
  const std::string picture = (scratch / "x.jpg").string();
  expect_one_line(warplens({"screenshot", state.string(), "-o", picture}), {"'" + picture + "'", ".png"});
  EXPECT_FALSE(fs::exists(picture));
}

TEST(Bench, SaysThatTheEmulatorWasTimed) {
  if (!has_nvrtc()) GTEST_SKIP() << "no NVRTC on this machine";
  const ChildResult result =
      warplens({"bench", "transpose/02_tiled", "--engine", "emulator", "--sizes", "32"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(result.out.starts_with("Timed on the emulator, on this computer's processor")) << result.out;
  EXPECT_THAT(result.out, HasSubstr("emulator ms"));
  EXPECT_THAT(result.out, ::testing::Not(HasSubstr("cuBLAS")));
}

// A transposition does no arithmetic, and the emulator no transfers that were timed.
TEST(Bench, SaysTheEmulatorsTimeOfEachPass) {
  if (!has_nvrtc()) GTEST_SKIP() << "no NVRTC on this machine";
  const ChildResult result =
      warplens({"bench", "transpose/02_tiled", "--engine", "emulator", "--sizes", "32", "--passes", "20"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  std::size_t passes = 0;
  for (std::size_t at = result.err.find("of the emulator"); at != std::string::npos;
       at = result.err.find("of the emulator", at + 1))
    ++passes;
  EXPECT_EQ(passes, 20u) << result.err;
}

TEST(Output, ThatCannotBeWrittenIsAnError) {
  const ChildResult result =
      run_child({"/bin/sh", "-c", program_path("warplens") + " --version > /dev/full"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("could not be written"));
}

}  // namespace
}  // namespace warplens::app
