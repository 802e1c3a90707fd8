// Returns in the source of a kernel, and what they make of a barrier that not all threads come to.
#include "engine/run/checked/early_return.hpp"

#include <gtest/gtest.h>

#include <string>

#include "engine/check/fixes.hpp"

namespace warplens::run {
namespace {

using check::Finding, check::Findings, check::Kind, check::Severity;

constexpr const char* kCode =
    "if (x >= n) return;\n"     // 1
    "if (x >= n)\n  return;\n"  // 2, 3
    "if (x < n) {\n"            // 4
    "  y = f(x);\n  __syncthreads();\n}\n"
    "if (x < 0) { y = 0; return; }\n"           // 8
    "if (x > 3) break;  // return\n"            // 9
    "if (t == 0) {\n  s = 1;\n  return;\n}\n";  // 10

TEST(EarlyReturn, IsSeenInTheSource) {
  for (const int line : {1, 2, 3, 8, 10, 12}) EXPECT_TRUE(returns_at(kCode, line)) << line;
  for (const int line : {0, 4, 5, 6, 9, 11, 99}) EXPECT_FALSE(returns_at(kCode, line)) << line;
}

TEST(EarlyReturn, IsSeenBeforeTheBarrier) {
  const std::string code =
      "__device__ int f(int x) {\n  return x;\n}\n__global__ void k() {\n  if (a) b();\n  if (a) return;\n  "
      "c();\n}\n";
  EXPECT_FALSE(returns_before(code, 3));
  EXPECT_FALSE(returns_before(code, 6));
  EXPECT_TRUE(returns_before(code, 7));
}

TEST(EarlyReturn, GoingAroundAStatementIsNone) {
  const std::string code =
      "if (i >= n) return;\n"                          // 1
      "if (t < 8) {\n  v = f(v);\n  g(v);\n}\n"        // 2 to 5
      "for (; i < n; ++i)\n  if (x[i]) break;\n"       // 6, 7
      "if (t < 4) {\n  if (v) return;\n  g(v);\n}\n";  // 8 to 11
  EXPECT_TRUE(goes_around(code, 2, 3));
  EXPECT_TRUE(goes_around(code, 2, 4));
  EXPECT_TRUE(goes_around(code, 6, 7));
  EXPECT_FALSE(goes_around(code, 2, 7));
  EXPECT_FALSE(goes_around(code, 1, 3));
  EXPECT_FALSE(goes_around(code, 8, 10));
}

// Of masks what a return explains is not told at all.
TEST(EarlyReturn, OfAMaskIsNoFinding) {
  Finding finding;
  finding.kind = Kind::mask_without_caller;
  finding.severity = Severity::information;
  finding.line = 6;
  for (const int line : {1, 4}) {
    finding.other_line = line;
    Findings findings{finding};
    judge_missing(findings, kCode, true);
    ASSERT_EQ(findings.size(), line == 1 ? 0u : 1u);
    if (line == 4) {
      EXPECT_EQ(findings[0].severity, Severity::warning);
    }
  }
}

TEST(EarlyReturn, IsInformationAndGoingAroundIsNot) {
  const auto judged = [](int line, bool is_wrong) {
    Finding finding;
    finding.kind = Kind::divergent_barrier;
    finding.severity = Severity::information;
    finding.other_line = line;
    Findings findings{finding};
    judge_missing(findings, kCode, is_wrong);
    return findings[0].severity;
  };
  EXPECT_EQ(judged(1, false), Severity::information);
  EXPECT_EQ(judged(1, true), Severity::warning);
  EXPECT_EQ(judged(4, false), Severity::warning);
}

// Out of a loop a barrier would order one turn's accesses no more.
TEST(EarlyReturn, ABarrierStaysInItsLoop) {
  const std::string code =
      "__global__ void k(int n) {\n"                                      // 1
      "  for (int i = threadIdx.x; i < n; i += 256) {\n"                  // 2
      "    s[i % 256] = i;\n    __syncthreads();\n  }\n"                  // 3 to 5
      "  for (int i = 0; i < n; ++i) {\n"                                 // 6
      "    if (threadIdx.x < i) {\n      __syncthreads();\n    }\n  }\n"  // 7 to 10
      "  if (n > 3)\n    __syncthreads();\n}\n";                          // 11 to 13
  EXPECT_TRUE(is_in_loop(code, 4));
  EXPECT_FALSE(is_in_loop(code, 8)) << "the condition is nearer";
  EXPECT_FALSE(is_in_loop(code, 12));
  const auto cure = [&](int line, int left) {
    Finding finding;
    finding.kind = Kind::divergent_barrier;
    finding.severity = Severity::information;
    finding.line = line, finding.other_line = left;
    Findings findings{finding};
    judge_missing(findings, code, false);
    return findings[0].fix;
  };
  EXPECT_EQ(cure(4, 2), check::kSameTurnsForAll);
  EXPECT_EQ(cure(8, 7), check::kBarrierOutOfCondition);
  EXPECT_EQ(cure(12, 11), check::kBarrierOutOfCondition);
}

}  // namespace
}  // namespace warplens::run
