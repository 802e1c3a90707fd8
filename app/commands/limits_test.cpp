// Kernel files that would take for ever, print without an end or name files that are not theirs: each ends
// soon, and says why.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/testing/limited_child.hpp"
#include "engine/base/json_text.hpp"
#include "engine/base/testing/places.hpp"
#include "engine/base/testing/test_folder.hpp"
#include "engine/base/whole_file.hpp"

namespace warplens::app {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr, testing::Not;

class Limits : public testing::Test {
 protected:
  LimitedResult run(const std::string& source, std::vector<std::string> words = {}) {
    folder_.write("k.cu", source);
    words.insert(words.begin(), {program_path("warplens"), "run", "k.cu"});
    constexpr double kMostSeconds = 30;
    return run_limited(words, {{"WARPLENS_HOME", ""}, {"XDG_CACHE_HOME", (folder_ / "cache").string()}},
                       folder_.path().string(), kMostSeconds);
  }
  static std::string kernel(const std::string& before) {
    return "__global__ void k(const float* in, float* out, int n) {\n  int i = blockIdx.x * blockDim.x + "
           "threadIdx.x;\n  if (i < n) {\n" +
           before + "\n    out[i] = in[i];\n  }\n}\n";
  }

  TestFolder folder_;
};

TEST_F(Limits, AFloodOfPrintfIsCutAndSaid) {
  const LimitedResult text = run(
      kernel("for (int j = 0; j < 1000; j++) printf(\"thread %d, turn %d\\n\", i, j);"), {"--size", "1000"});
  EXPECT_FALSE(text.ran_too_long);
  EXPECT_THAT(text.out, HasSubstr("printed\nthread 0, turn 0\nthread 1, turn 0\n"));
  EXPECT_THAT(text.out, HasSubstr("(4,096 lines shown, 995,904 left out)\n"));
}

// Nobody waits for lines that are not shown; those that are stay.
TEST_F(Limits, AFloodWithoutAnEndIsStoppedAndWhatItPrintedIsShown) {
  const LimitedResult text =
      run(kernel("for (int j = 0; j < 1000; j++) printf(\"thread %d, turn %d\\n\", i, j);"),
          {"--size", "1000000"});
  EXPECT_FALSE(text.ran_too_long);
  EXPECT_THAT(text.out, HasSubstr("printed\nthread 0, turn 0\nthread 1, turn 0\n"));
  EXPECT_THAT(text.out, HasSubstr("(4,096 lines shown, "));
  EXPECT_THAT(
      text.out + text.err,
      HasSubstr("the launch takes more than 4,000,000,000 instructions of warps, most of them for printf"));
}

// As many lines, a few of each block: what is not shown ends the launch as soon.
TEST_F(Limits, AFloodFromManyBlocksIsStoppedAsSoon) {
  const LimitedResult text =
      run(kernel("for (int j = 0; j < 60; j++) printf(\"%d\\n\", i);"), {"--size", "16776960", "--json"});
  EXPECT_FALSE(text.ran_too_long);
  const auto report = nlohmann::json::parse(text.out);
  const std::string printed = report["printed"];
  const std::string mark = " lines shown, ";
  std::string left_out = printed.substr(printed.rfind(mark) + mark.size());
  std::erase(left_out, ',');
  EXPECT_GT(std::stoull(left_out), 1'000'000u);
  EXPECT_LT(std::stoull(left_out), 10'000'000u);
}

TEST_F(Limits, AWideConversionIsCut) {
  const LimitedResult text =
      run(kernel("if (i == 7) printf(\"%999999999d|%-*d|%.999999999f\\n\", i, 100000, i, 1.0);"),
          {"--size", "1000"});
  EXPECT_FALSE(text.ran_too_long);
  EXPECT_THAT(text.out,
              HasSubstr("printed\n" + std::string(510, ' ') + "7|7" + std::string(510, ' ') + "|1.000"));
}

TEST_F(Limits, AMacroBombIsNamed) {
  std::string macros = "#define A0 out[i] += 1;\n";
  for (int level = 1; level < 10; ++level) {
    macros += "#define A" + std::to_string(level);
    for (int i = 0; i < 10; ++i) macros += " A" + std::to_string(level - 1);
    macros += "\n";
  }
  const LimitedResult text = run(macros + kernel("A9"), {"--size", "1000"});
  EXPECT_FALSE(text.ran_too_long);
  EXPECT_EQ(text.exit_code, 2);
  EXPECT_THAT(text.err, HasSubstr("k.cu:14: the macro A9 becomes 8e+09 tokens here"));
}

TEST_F(Limits, AConstantThatTakesTooLongIsNamed) {
  const LimitedResult text =
      run("constexpr long long f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); }\n" +
              kernel("constexpr long long v = f(80); out[i] = v;"),
          {"--size", "1000"});
  EXPECT_FALSE(text.ran_too_long);
  EXPECT_EQ(text.exit_code, 2);
  EXPECT_THAT(text.err,
              HasSubstr("k.cu:5: the value of this constexpr takes more steps than the compiler goes"));
}

TEST_F(Limits, ALineDirectiveMovesNoFinding) {
  const LimitedResult text =
      run(kernel("\n#line 1 \"/etc/passwd\"\n  __shared__ float s[16]; s[i + 1000] = 1; out[i] = s[0];"),
          {"--size", "1000", "--json"});
  const Json findings = Json::parse(text.out)["findings"];
  ASSERT_FALSE(findings.empty());
  for (const Json& finding : findings) {
    EXPECT_THAT(finding["file"].get<std::string>(), testing::EndsWith("k.cu"));
    EXPECT_EQ(finding["line"], 6);
  }
  EXPECT_THAT(text.out + text.err, Not(HasSubstr("passwd")));
}

TEST_F(Limits, APipeInTheCacheIsReplaced) {
  ASSERT_EQ(run(kernel(""), {"--size", "1000"}).exit_code, 0);
  std::vector<fs::path> entries;
  for (const auto& entry : fs::recursive_directory_iterator(folder_ / "cache"))
    if (entry.path().extension() == ".build") entries.push_back(entry.path());
  ASSERT_FALSE(entries.empty());
  for (const fs::path& entry : entries) {
    fs::remove(entry);
    ASSERT_EQ(mkfifo(entry.c_str(), 0600), 0);
  }
  const LimitedResult again = run(kernel(""), {"--size", "1000"});
  EXPECT_FALSE(again.ran_too_long);
  EXPECT_EQ(again.exit_code, 0) << again.err;
  for (const fs::path& entry : entries) EXPECT_TRUE(fs::is_regular_file(entry));
}

TEST_F(Limits, BuffersThatDoNotFitAreRefusedAtOnceWithTheSizeThatFits) {
  const LimitedResult text =
      run("/*---\ntitle = \"x\"\n[problem]\nsizes = { N = 900000000 }\nbuffers = [{ name = \"in\", count = "
          "\"N\" }, "
          "{ name = \"out\", count = \"N\" }]\nnone = \"x\"\n[launch]\nblock = [256]\ngrid = [\"ceil_div(N, "
          "256)\"]\n---*/\n" +
          kernel(""));
  EXPECT_FALSE(text.ran_too_long);
  EXPECT_EQ(text.exit_code, 2);
  EXPECT_THAT(text.err, HasSubstr("at N=900000000 needs 6.706 GiB of buffers, more than the"));
  EXPECT_THAT(text.err, HasSubstr("the largest that fits is N="));
  EXPECT_LT(text.most_bytes, 1e9);
}

}  // namespace
}  // namespace warplens::app
