// What a course hands in: right, slow, racy, outside of arrays, endless and hostile kernels, each as a child process.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/testing/child_process.hpp"
#include "engine/base/json_text.hpp"
#include "engine/base/testing/places.hpp"
#include "engine/base/testing/test_folder.hpp"
#include "engine/base/whole_file.hpp"
#include "engine/compile/build.hpp"

namespace warplens::app {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

const std::string kTurn = source_path("app/testdata/grading/turn.toml");

ChildResult grade(std::vector<std::string> words) {
  words.insert(words.begin(), {program_path("warplens"), "grade"});
  return run_child(words, {{"WARPLENS_HOME", ""}, {"DISPLAY", ""}, {"WAYLAND_DISPLAY", ""}});
}
bool kernels_compile() { return compile::Compiler(compile::Compiler::Options{}).available(); }

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

const std::string kFront = R"toml(/*---
title   = "Turn a matrix"
problem = "transpose"
[launch]
block   = ["32", "8"]
grid    = ["ceil_div(N, 32)", "ceil_div(M, 32)"]
---*/

// answer 1: 32
)toml";
const std::string kSignature =
    "extern \"C\" __global__ void kernel(const float* in, float* out, int rows, int columns) {\n";
const std::string kTile = R"(  __shared__ float tile[32][33];
  const int x = threadIdx.x, y = threadIdx.y, r0 = blockIdx.y * 32, c0 = blockIdx.x * 32;
  for (int i = 0; i < 32; i += 8)
    if (r0 + y + i < rows && c0 + x < columns) tile[y + i][x] = in[(r0 + y + i) * columns + c0 + x];
  __syncthreads();
  for (int i = 0; i < 32; i += 8)
    if (r0 + x < rows && c0 + y + i < columns) out[(c0 + y + i) * rows + r0 + x] = tile[x][y + i];
)";
const std::string kNaive = R"(  for (int i = 0; i < 32; i += 8) {
    const int r = blockIdx.y * 32 + threadIdx.y + i, c = blockIdx.x * 32 + threadIdx.x;
    if (r < rows && c < columns) out[c * rows + r] = in[r * columns + c];
  }
)";
const std::string kOneThread = R"(  if (blockIdx.x + blockIdx.y + threadIdx.x + threadIdx.y > 0) return;
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) out[c * rows + r] = in[r * columns + c];
)";

std::string swizzled() {
  return replaced(replaced(replaced(kTile, "[33]", "[32]"), "tile[y + i][x]", "tile[y + i][x ^ (y + i)]"),
                  "tile[x][y + i]", "tile[x][(y + i) ^ x]");
}

// marks: of its lines: compiles, right, nothing found, sectors, conflicts, instructions, the question.
struct Submission {
  std::string name, marks, text;
};
Submission of(std::string name, std::string marks, const std::string& body, const std::string& before = "") {
  return {std::move(name), std::move(marks), kFront + before + kSignature + body + "}\n"};
}

std::vector<Submission> submissions() {
  return {
      // right
      of("padded", "+++++++", kTile),
      of("swizzled", "+++++++", swizzled()),
      {"without front matter", "+++++++", "// answer 1: 32\n" + kSignature + kTile + "}\n"},
      // slow
      of("stores by columns", "+++-+++", kNaive),
      of("32 words of one bank", "++++-++", replaced(kTile, "[33]", "[32]")),
      of("one thread for all", "+++++-+", kOneThread),
      // racy
      of("no barrier", "+--...+", replaced(kTile, "__syncthreads();", "")),
      of("barrier of a warp", "+--...+", replaced(kTile, "__syncthreads();", "__syncwarp();")),
      of("barrier for some", "+--...+", replaced(kTile, "__syncthreads();", "if (y == 0) __syncthreads();")),
      of("all add to one element", "+--...+", kTile + "  out[0] += 1.0f;\n"),
      // outside
      of("no guard", "+--...+", replaced(kTile, "if (r0 + y + i < rows && c0 + x < columns) ", "")),
      of("half a guard", "+--...+", replaced(kTile, " && c0 + y + i < columns", "")),
      of("a tile too narrow", "+--...+", replaced(kTile, "[33]", "[31]")),
      of("before the array", "+--...+", kTile + "  if (threadIdx.x == 0) out[-1] = 0.0f;\n"),
      // wrong
      of("a copy", "+--...+", replaced(kNaive, "out[c * rows + r]", "out[r * columns + c]")),
      of("nothing", "+--...+", ""),
      of("no kernel of C", "-.....+", replaced(kTile, "__syncthreads();", "__syncthreads()")),
      {"unanswered", "++++++-", replaced(kFront, "1: 32", "1:") + kSignature + kTile + "}\n"},
      // endless
      of("a loop", "+--...+", "  while (true) { if (rows < 0) break; }\n" + kTile),
      of("a wait", "+--...+", "  volatile float* flag = out;\n  while (flag[0] != 12345.0f) {}\n"),
      // hostile
      of("reads a file", "-.....+", kTile, "#include \"/etc/passwd\"\n"),
      {"a check of its own", "+--...+",
       replaced(replaced(kFront, "problem = \"transpose\"", ""), "[launch]",
                "[problem]\nsizes = { M = 1, N = 1 }\nbuffers = []\ncheck = \"true\"\n[launch]") +
           kSignature + "}\n"},
      of("endless template", "-.....+", kTile + "  out[0] += Deep<100000000>::value;\n",
         "template <int N> struct Deep { static constexpr float value = Deep<N - 1>::value + 1; };\n"),
      of("a trap", "+--...+", "  asm volatile(\"trap;\");\n"),
      of("an array of 32 GB", "+--...+", kTile + "  huge[threadIdx.x] = 1;\n",
         "__device__ float huge[1LL << 33];\n"),
      of("a stack of 16 MB", "+--...+",
         "  float big[1 << 22];\n  for (int i = 0; i < 1 << 22; ++i) big[i] = in[0] + i;\n  out[0] = "
         "big[rows * 7];\n"),
      {"no text", "-.....-",
       std::string("\x7f"
                   "ELF\x01\x02\x00\xff",
                   8)},
      {"two megabytes", "-.....+",
       kFront + "// " + std::string(std::size_t{2} << 20, 'x') + "\n" + kSignature + kTile + "}\n"},
  };
}

std::string marks_of(const Json& verdict) {
  std::string marks;
  for (const Json& line : verdict["lines"])
    marks += line["mark"] == "passed" ? '+' : line["mark"] == "failed" ? '-' : '.';
  return marks;
}

TEST(Grade, GivesEverySubmissionTheVerdictThatItShouldHave) {
  if (!kernels_compile()) GTEST_SKIP() << "no NVRTC on this machine";
  const TestFolder folder;
  for (const Submission& one : submissions()) {
    const fs::path file = folder.write("mine.cu", one.text);
    const ChildResult result = grade({kTurn, file.string(), "--json"});
    const Json verdict = Json::parse(result.out, nullptr, false);
    ASSERT_TRUE(verdict.is_object()) << one.name << result.out << result.err;
    EXPECT_EQ(marks_of(verdict), one.marks) << one.name << "\n" << result.out;
    EXPECT_EQ(result.exit_code, one.marks == "+++++++" ? 0 : 1) << one.name;
    EXPECT_EQ(result.err, "") << one.name;
  }
}

TEST(Grade, EndsWhatTakesTooLong) {
  if (!kernels_compile()) GTEST_SKIP() << "no NVRTC on this machine";
  const TestFolder folder;
  const fs::path assignment =
      folder.write("quick.toml", replaced(*read_whole_file(kTurn), "seconds = 30", "seconds = 2"));
  const std::string unroll =
      "#pragma unroll\n  for (int i = 0; i < 1 << 24; ++i) out[i % 7] += in[i % 5] * i;\n";
  const fs::path file = folder.write("mine.cu", kFront + kSignature + unroll + "}\n");
  const ChildResult result = grade({assignment.string(), file.string()});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, HasSubstr("failed      it can be judged: it takes longer than 2 seconds; "));
  EXPECT_THAT(result.out, HasSubstr("0 of 13 points\n"));
}

TEST(Grade, SaysTheSameEachTimeAndWritesWhatGradescopeReads) {
  if (!kernels_compile()) GTEST_SKIP() << "no NVRTC on this machine";
  const TestFolder folder;
  const fs::path file = folder.write("mine.cu", of("", "", kNaive).text),
                 results = folder.path() / "results.json";
  const ChildResult first = grade({kTurn, file.string(), "--gradescope", results.string()});
  const std::string written = *read_whole_file(results);
  const ChildResult second = grade({kTurn, file.string(), "--gradescope", results.string()});
  EXPECT_EQ(first.out, second.out);
  EXPECT_EQ(written, *read_whole_file(results));
  EXPECT_THAT(first.out,
              HasSubstr("failed      4 sectors a load, 4 a store: sectors('global', 'st') is 6,144, "
                        "ideal_sectors('global', 'st') is 768"));
  const Json json = Json::parse(written);
  EXPECT_EQ(json["score"], 10);
  EXPECT_EQ(json["tests"].size(), 7u);
  EXPECT_EQ(json["tests"][3]["status"], "failed");
}

TEST(Grade, SaysWhatCannotBeGraded) {
  const TestFolder folder;
  const ChildResult none = grade({"turn_a_matrx", "mine.cu"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.err, HasSubstr("there is no assignment 'turn_a_matrx'"));
  EXPECT_EQ(grade({kTurn}).exit_code, 2);
  const ChildResult missing = grade({kTurn, (folder.path() / "mine.cu").string()});
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_THAT(missing.err, HasSubstr("there is no such file"));
  const fs::path bad = folder.write("bad.toml", "title = 1\n");
  EXPECT_THAT(grade({bad.string(), kTurn}).err, HasSubstr("bad.toml:1: title is no text"));
}

TEST(Grade, WritesWhatAClassBeginsWith) {
  const TestFolder folder;
  const ChildResult result = grade({kTurn, "--export", "-o", folder.path().string()});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(*read_whole_file(folder.path() / "turn.cu"), HasSubstr("  // your code\n}\n"));
  if (!kernels_compile()) return;
  const fs::path file = folder.write("mine.cu", of("", "", kTile).text);
  EXPECT_EQ(grade({(folder.path() / "turn.toml").string(), file.string()}).exit_code, 0);
}

}  // namespace
}  // namespace warplens::app
