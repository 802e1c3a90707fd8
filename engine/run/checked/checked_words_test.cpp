// What findings say of mistakes that beginners make: who did what, at which line, and what to do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/catalog/kernel_spec.hpp"
#include "engine/check/fixes.hpp"
#include "engine/run/checked/checked_run.hpp"
#include "engine/run/testing/run_support.hpp"

namespace warplens::run {
namespace {

using check::Finding, check::Kind;
using testing::ElementsAre, testing::EndsWith, testing::HasSubstr;

// Of a kernel (in, out, N) in blocks of 64 threads; its first line is line 8.
Report report_on(const std::string& problem, const std::string& before, const std::string& body) {
  const std::string text = "/*---\ntitle = \"A kernel\"\nproblem = \"" + problem +
                           "\"\n[launch]\nblock = [\"64\"]\ngrid = [\"ceil_div(N, 64)\"]\n---*/\n" + before +
                           "extern \"C\" __global__ void kernel(const float* in, float* out, int N) {\n" +
                           "const int t = threadIdx.x, i = blockIdx.x * 64 + t;\n" + body + "}\n";
  const auto spec = catalog::parse_kernel(text, "case", "case.cu");
  const auto job = job_of(*spec, {}, {{"N", 200}});
  return (*run_checked(*job))->report;
}

std::vector<Kind> kinds_of(const Report& report) {
  std::vector<Kind> kinds;
  for (const Finding& one : report.findings) kinds.push_back(one.kind);
  return kinds;
}

class Words : public testing::Test {
 protected:
  void SetUp() override {
    if (!compiler().available()) GTEST_SKIP() << "no NVRTC";
  }
};

const std::string kMutex = "__device__ int mutex = 0;\n";

std::string locked(const std::string& fence, const std::string& work) {
  return "if (i < N) {\nwhile (atomicCAS(&mutex, 0, 1) != 0) {}\n" + fence + work + fence +
         "atomicExch(&mutex, 0);\n}\n";
}

// Lanes of a warp are ordered by a lock as threads of different warps are.
TEST_F(Words, ALockWithFencesIsNoRace) {
  const Report right = report_on("reduce", kMutex, locked("__threadfence();\n", "*out += in[i];\n"));
  EXPECT_TRUE(right.verified) << right.explanation;
  EXPECT_THAT(kinds_of(right), ElementsAre());
}

TEST_F(Words, ALockWithoutFencesNamesThem) {
  const Report report = report_on("reduce", kMutex, locked("", "*out += in[i];\n"));
  ASSERT_FALSE(report.findings.empty());
  const Finding& race = report.findings[0];
  EXPECT_EQ(race.kind, Kind::race_global);
  EXPECT_EQ(
      race.message,
      "thread 0 of block 1 reads out[0] while thread 63 of block 0 writes it at line 13; mutex does not "
      "order the two without __threadfence()");
  EXPECT_EQ(race.fix,
            "put __threadfence() behind line 12, which takes mutex, and before line 14, which gives it back");
}

// Who tells and who is told need a fence each: volatile keeps neither in order.
TEST_F(Words, AFlagWithoutFencesNamesBoth) {
  const auto told = [](const std::string& before, const std::string& behind) {
    return "if (i == 0) {\nvalue = in[0];\n" + before +
           "ready = 1;\n}\nif (blockIdx.x == 1 && t == 0) {\nwhile (ready == 0) {}\n" + behind +
           "out[0] = value;\n}\nif (i < N && i > 0) out[i] = in[i];\n";
  };
  const std::string flag = "__device__ volatile int ready;\n__device__ volatile float value;\n";
  const Report report = report_on("copy", flag, told("", ""));
  ASSERT_FALSE(report.findings.empty());
  EXPECT_EQ(report.findings[0].kind, Kind::race_global);
  EXPECT_THAT(report.findings[0].fix,
              testing::MatchesRegex("put __threadfence\\(\\) before line [0-9]+, which changes ready, and "
                                    "behind line [0-9]+, which looks at it: volatile is no fence"));
  const Report right = report_on("copy", flag, told("__threadfence();\n", "__threadfence();\n"));
  EXPECT_THAT(kinds_of(right), testing::Not(testing::Contains(Kind::race_global))) << right.explanation;
}

// An atomic whose result nobody looks at tells its lane nothing of the others.
TEST_F(Words, AnAtomicThatIsNotLookedAtOrdersNothing) {
  const Report report = report_on("copy", "__device__ int count;\n__device__ float seen[256];\n",
                                  "if (i < N) {\nseen[i] = in[i];\n__threadfence();\natomicAdd(&count, 1);\n"
                                  "out[i] = t % 32 > 0 && seen[i - 1] == 77.0f ? 0 : in[i];\n}\n");
  EXPECT_THAT(kinds_of(report), testing::Contains(Kind::race_global)) << report.explanation;
}

TEST_F(Words, StatementsWithoutEffectComeInTheOrderOfTheirLines) {
  const Report report = report_on("copy", "", "i + 1;\nif (i < N) out[i] = in[i];\nt + 2;\nN - 3;\n");
  EXPECT_THAT(kinds_of(report), ElementsAre(Kind::no_effect, Kind::no_effect, Kind::no_effect));
  std::vector<int> lines;
  for (const Finding& one : report.findings) lines.push_back(one.line);
  EXPECT_THAT(lines, ElementsAre(10, 12, 13));
}

TEST_F(Words, WhatAnotherThreadWritesIsARaceAndNotUnwritten) {
  const Report report = report_on("copy", "",
                                  "__shared__ float s[64];\ns[t] = i < N ? in[i] : 0;\n"
                                  "const float v = s[63 - t];\n__syncthreads();\n"
                                  "if (i < N) out[i] = v == 77.0f ? 0 : in[i];\n");
  ASSERT_FALSE(report.findings.empty());
  EXPECT_EQ(report.findings[0].kind, Kind::race_shared);
  EXPECT_THAT(kinds_of(report), testing::Not(testing::Contains(Kind::uninitialized_shared)));
}

TEST_F(Words, WhatIsWrittenOnlyLaterSaysSo) {
  const Report report = report_on("copy", "",
                                  "__shared__ float s[64];\nconst float v = s[63 - t];\n__syncthreads();\n"
                                  "s[t] = i < N ? in[i] : 0;\n__syncthreads();\n"
                                  "if (i < N) out[i] = v == 77.0f ? s[t ^ 1] : in[i];\n");
  ASSERT_FALSE(report.findings.empty());
  EXPECT_EQ(report.findings[0].kind, Kind::uninitialized_shared);
  EXPECT_THAT(report.findings[0].message,
              HasSubstr("thread 0 of block 0 reads s[63], which thread 63 of block 0 writes only later, at "
                        "line 13; its value"));
  EXPECT_EQ(report.findings[0].fix, "write it before line 11 reads it");
}

TEST_F(Words, CausesComeBeforeTheirConsequences) {
  const Report report = report_on("copy", "",
                                  "__shared__ float s[64];\ns[t] = i < N ? in[i] : 0;\n"
                                  "if (t % 2 == 0) {\ns[t] += s[t ^ 1];\n__syncthreads();\n}\n"
                                  "__syncthreads();\nif (i < N) out[i] = s[63 - t];\n");
  const auto kinds = kinds_of(report);
  ASSERT_GE(kinds.size(), 3u);
  EXPECT_EQ(kinds.front(), Kind::divergent_barrier);
  const auto is_result = [](Kind kind) {
    return kind == Kind::wrong_result || kind == Kind::unwritten_output;
  };
  const auto race = std::find_if(kinds.begin(), kinds.end(), check::is_race);
  const auto result = std::find_if(kinds.begin(), kinds.end(), is_result);
  EXPECT_LT(race, result);
}

// A barrier under a guard of the last elements is not mended by that guard, nor one in a loop by a place behind it.
TEST_F(Words, ABarrierThatSomeMissHasItsOwnCure) {
  const auto report_of = [](const std::string& body) {
    const auto spec = catalog::parse_kernel(
        "/*---\ntitle = \"A kernel\"\n[problem]\nsizes = { N = 1000 }\nbuffers = [{ name = \"in\", count = "
        "\"N\" }, { name "
        "= \"out\", count = \"N\", output = true }]\nnone = \"only looked at\"\n[launch]\nblock = "
        "[256]\ngrid = "
        "[\"ceil_div(N, 256)\"]\n---*/\nextern \"C\" __global__ void kernel(const float* in, float* out, int "
        "N) {\n"
        "__shared__ float s[256];\nconst int t = threadIdx.x, i = blockIdx.x * 256 + t;\n" +
            body + "}\n",
        "case", "case.cu");
    return (*run_checked(*job_of(*spec, {}, {})))->report;
  };
  const Report guarded = report_of(
      "if (i < N) {\ns[t] = in[i];\n__syncthreads();\nconst int j = 255 - t;\n"
      "if (blockIdx.x * 256 + j < N) out[i] = s[j]; else out[i] = 0.0f;\n}\n");
  ASSERT_THAT(kinds_of(guarded), ElementsAre(Kind::divergent_barrier));
  EXPECT_EQ(guarded.findings[0].fix, check::kBarrierOutOfCondition);
  const Report loop = report_of(
      "float v = 0;\nfor (int k = t; k < N; k += 256) {\ns[t] = in[k];\n__syncthreads();\n"
      "v += s[(t + 1) % 256];\n__syncthreads();\n}\nif (i < N) out[i] = v;\n");
  int barriers = 0;
  for (const Finding& one : loop.findings) {
    if (one.kind != Kind::divergent_barrier) continue;
    ++barriers;
    EXPECT_EQ(one.fix, check::kSameTurnsForAll);
  }
  EXPECT_GT(barriers, 0);
}

TEST_F(Words, ADeadlockNamesWhoHoldsTheLock) {
  const Report gone =
      report_on("reduce", kMutex, locked("__threadfence();\n", "if (in[i] < 2) return;\n*out += in[i];\n"));
  ASSERT_EQ(gone.findings.size(), 1u);
  EXPECT_EQ(gone.findings[0].kind, Kind::deadlock);
  EXPECT_THAT(
      gone.findings[0].message,
      EndsWith("of block 0 waits for ever for mutex to change: thread 0 of block 0 changed it last, at "
               "line 12, and returned at line 14 without changing it back"));
  EXPECT_EQ(gone.findings[0].fix, "change mutex back before every return");
  const Report waits = report_on("reduce", kMutex, locked("", "*out += in[i];\n__syncthreads();\n"));
  ASSERT_FALSE(waits.findings.empty());
  const auto deadlock = std::find_if(waits.findings.begin(), waits.findings.end(),
                                     [](const Finding& one) { return one.kind == Kind::deadlock; });
  ASSERT_NE(deadlock, waits.findings.end());
  EXPECT_THAT(deadlock->message,
              EndsWith("thread 0 of block 0 changed it last, at line 12, and waits at line 14 "
                       "for all threads of its block, this one among them"));
  EXPECT_THAT(deadlock->fix, HasSubstr("change mutex back before the barrier"));
}

// Blocks wait for locks that a block before them has kept.
TEST_F(Words, ADeadlockNamesABlockThatHasEnded) {
  const Report report = report_on(
      "reduce", kMutex, "if (t == 0) {\nwhile (atomicCAS(&mutex, 0, 1) != 0) {}\n*out += in[i];\n}\n");
  ASSERT_FALSE(report.findings.empty());
  EXPECT_THAT(
      report.findings[0].message,
      HasSubstr("of block 1 waits for ever for mutex to change: thread 0 of block 0 changed it last, at "
                "line 12, and returned"));
}

TEST_F(Words, OutOfBoundsIsAnElementOfItsArray) {
  const Report global = report_on("copy", "", "out[i] = in[i];\n");
  ASSERT_EQ(global.findings.size(), 1u);
  EXPECT_EQ(global.findings[0].message, "thread 8 of block 3 reads in[200], and in has 200 elements");
  EXPECT_EQ(global.findings[0].address, "in[200]");
  const Report before = report_on("copy", "", "if (i < N) out[i] = in[i - 1];\n");
  ASSERT_EQ(before.findings.size(), 1u);
  EXPECT_EQ(before.findings[0].message, "thread 0 of block 0 reads in[-1], and in has 200 elements");
  const Report shared = report_on("copy", "",
                                  "__shared__ float s[64];\ns[t + N / 200] = i < N ? in[i] : 0;\n"
                                  "__syncthreads();\nif (i < N) out[i] = s[t];\n");
  ASSERT_EQ(shared.findings.size(), 1u);
  EXPECT_EQ(shared.findings[0].message, "thread 63 of block 0 writes s[64], and s has 64 elements");
  EXPECT_EQ(shared.findings[0].fix, "check the index against the size of s");
}

TEST_F(Words, AWrongResultIsNotCalledTheSame) {
  const Report report = report_on("reduce", "", "if (i < N) out[0] += in[i];\n");
  ASSERT_FALSE(report.findings.empty());
  EXPECT_TRUE(check::is_race(report.findings[0].kind));
  EXPECT_THAT(report.findings[0].effect, testing::Not(HasSubstr("the same")));
}

}  // namespace
}  // namespace warplens::run
