// Small kernels, for each kind of finding one that has it and one that nearly has it.
#include "engine/run/checked/checked_run.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

#include "engine/catalog/kernel_spec.hpp"
#include "engine/check/scene.hpp"
#include "engine/run/device_needs.hpp"
#include "engine/run/testing/run_support.hpp"

namespace warplens::run {
namespace {

using check::Finding, check::Findings, check::Kind, check::Severity;

struct Case {
  std::string name, body;  // of a kernel (in, out, N) that copies, in blocks of 64 threads; i and t are there
  std::optional<Kind> kind;  // nothing: it is right
  std::string marked;        // words of the line that a finding of this kind has
  std::string before = {};   // text before the kernel
};

std::string text_of(const Case& one) {
  return "/*---\ntitle = \"A copy\"\nproblem = \"copy\"\n[launch]\nblock = [\"64\"]\ngrid = [\"ceil_div(N, "
         "64)\"]\n---*/\n" +
         one.before + "extern \"C\" __global__ void kernel(const float* in, float* out, int N) {\n" +
         "  const int t = threadIdx.x, i = blockIdx.x * 64 + t;\n" + one.body + "}\n";
}

int line_with(const std::string& text, const std::string& words) {
  const std::size_t at = text.find(words);
  if (at == std::string::npos) return -1;
  return static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n')) + 1;
}

std::string words_of(const Findings& findings) {
  std::string words;
  for (const Finding& one : findings)
    words += std::string(check::name(one.severity)) + " " + std::string(check::name(one.kind)) + " " +
             std::to_string(one.line) + "/" + std::to_string(one.other_line) + " " + one.message + "\n";
  return words;
}

Report report_of(const std::string& body) {
  const auto spec = catalog::parse_kernel(text_of({"", body, {}, ""}), "case", "case.cu");
  const auto job = job_of(*spec, {}, {{"N", 1000}});
  return (*run_checked(*job))->report;
}

TEST(Advice, MendsTheMistake) {
  if (!compiler().available()) GTEST_SKIP() << "no NVRTC";
  const auto sum = report_of("if (i < N) out[i] = in[i];\n if (i < N) out[0] += in[i];\n").findings;
  ASSERT_FALSE(sum.empty());
  EXPECT_TRUE(std::any_of(sum.begin(), sum.end(),
                          [](const Finding& finding) {
                            return finding.fix.starts_with("change it in one step: atomicAdd(&out[0], ...)");
                          }))
      << words_of(sum) << sum.front().fix;
  // A scan in place reads what another thread writes by the same statement: no atomic orders the two.
  const auto scan =
      report_of(
          "__shared__ float s[64];\n s[t] = i < N ? in[i] : 0;\n __syncthreads();\n"
          "for (int d = 1; d < 64; d *= 2) {\n if (t >= d) s[t] += s[t - d];\n __syncthreads();\n }\n"
          "if (i < N) out[i] = in[i] + 0 * s[t];\n")
          .findings;
  ASSERT_FALSE(scan.empty());
  for (const Finding& finding : scan) {
    EXPECT_EQ(finding.fix.find("atomicAdd"), std::string::npos) << words_of(scan) << finding.fix;
    if (finding.kind == Kind::race_warp || finding.kind == Kind::race_shared) {
      EXPECT_TRUE(finding.fix.starts_with("read it into a variable, put __syncthreads()")) << finding.fix;
    }
  }
  // Lanes and warps both lack a barrier: one mends both.
  const auto tile =
      report_of(
          "__shared__ float s[64];\n for (int k = 0; k < 2; ++k) {\n s[t] = i < N ? in[i] + k : 0;\n"
          "__syncthreads();\n float v = s[t ^ 1] + s[63 - t];\n if (i < N) out[i] = v;\n }\n")
          .findings;
  for (const Finding& finding : tile)
    if (finding.kind == Kind::race_warp || finding.kind == Kind::race_shared) {
      // A barrier stands between the two lines already: it is the next turn that has to wait.
      EXPECT_TRUE(finding.fix.starts_with("put __syncthreads() behind line "))
          << finding.fix << words_of(tile);
    }
}

// A stencil in place reads what its neighbours change: neither an atomic nor a barrier orders blocks.
TEST(Advice, OfAStencilInPlaceIsASecondArray) {
  if (!compiler().available()) GTEST_SKIP() << "no NVRTC";
  const auto races =
      report_of(
          "if (i < N) out[i] = in[i];\n"
          "if (i > 0 && i < N - 1) out[i] = 0.25f * out[i - 1] + 0.5f * out[i] + 0.25f * out[i + 1];\n")
          .findings;
  ASSERT_FALSE(races.empty());
  EXPECT_TRUE(std::any_of(races.begin(), races.end(), [](const Finding& finding) {
    return finding.fix.starts_with("write to a second array");
  })) << words_of(races);
  for (const Finding& finding : races)
    EXPECT_EQ(finding.fix.find("atomicAdd"), std::string::npos) << finding.fix;
}

TEST(Advice, OfAKernelWithoutAStoreIsToWriteOne) {
  if (!compiler().available()) GTEST_SKIP() << "no NVRTC";
  const auto fix_of = [](const std::string& body) {
    const Findings findings = report_of(body).findings;
    const auto unwritten = std::ranges::find(findings, Kind::unwritten_output, &Finding::kind);
    return unwritten == findings.end() ? words_of(findings) : unwritten->fix;
  };
  EXPECT_EQ(fix_of("if (i == -1) asm volatile(\"\" ::\"f\"(in[i]));\n"),
            "no line stores a result yet: write one");
  EXPECT_NE(fix_of("if (i < N && i > 9) out[i] = in[i];\n"), "no line stores a result yet: write one");
}

// Two arrays of a tile: the warp's race is of one, the block's of the other, and one barrier behind the turn mends both.
TEST(Advice, OfATileIsTheBarrierOfTheBlock) {
  if (!compiler().available()) GTEST_SKIP() << "no NVRTC";
  const auto races = report_of(
                         "__shared__ float a[64], b[64];\n float sum = 0;\n for (int k = 0; k < 2; ++k) {\n"
                         "a[t] = i < N ? in[i] + k : 0;\n b[t] = i < N ? in[i] - k : 0;\n __syncthreads();\n"
                         "sum += a[t ^ 1] * b[63 - t];\n }\n if (i < N) out[i] = sum;\n")
                         .findings;
  ASSERT_FALSE(races.empty());
  for (const Finding& finding : races)
    if (finding.kind == Kind::race_warp || finding.kind == Kind::race_shared) {
      EXPECT_TRUE(finding.fix.starts_with("put __syncthreads() behind line "))
          << finding.fix << words_of(races);
    }
}

// A barrier in a condition of the loop does not stand between the line before the loop and its first turn.
TEST(Advice, OfARaceBeforeALoopIsABarrierBeforeIt) {
  if (!compiler().available()) GTEST_SKIP() << "no NVRTC";
  const auto races =
      report_of(
          "__shared__ float s[64];\n s[t] = i < N ? in[i] : 0;\n"
          "#pragma unroll 1\n for (int d = 32; d > 0; d /= 2) {\n if (t < d) {\n"
          "s[t] += s[t + d];\n __syncthreads();\n }\n }\n if (i < N) out[i] = in[i] + 0 * s[0];\n")
          .findings;
  const auto race = std::ranges::find_if(
      races, [](const Finding& one) { return one.kind == Kind::race_shared && one.line != one.other_line; });
  ASSERT_NE(race, races.end()) << words_of(races);
  EXPECT_EQ(race->fix, "put __syncthreads() between them") << words_of(races);
}

// The tree of a sum reads what the turn before wrote: a variable would not help, a barrier behind each turn does.
TEST(Advice, OfATreeIsABarrierBehindEachTurn) {
  if (!compiler().available()) GTEST_SKIP() << "no NVRTC";
  const auto findings_of = [](const std::string& turn) {
    return report_of("__shared__ float s[64];\n s[t] = i < N ? in[i] : 0;\n __syncthreads();\n" + turn +
                     "__syncthreads();\n if (i < N) out[i] = in[i] + 0 * s[0];\n")
        .findings;
  };
  const std::string statement = "if (t < d) s[t] += s[t + d];\n";
  for (const std::string loop :
       {"for (int d = 32; d > 0; d /= 2) {\n", "#pragma unroll 1\nfor (int d = 32; d > 0; d /= 2) {\n"}) {
    const auto races = findings_of(loop + statement + "}\n");
    ASSERT_FALSE(races.empty());
    for (const Finding& finding : races)
      if (finding.kind == Kind::race_warp || finding.kind == Kind::race_shared) {
        const bool is_behind = finding.fix.starts_with("put __sync") &&
                               finding.fix.find("() behind it, outside of conditions") != std::string::npos;
        const bool is_both =
            finding.fix.find("again before the next turn, both outside of conditions") != std::string::npos;
        EXPECT_TRUE(is_behind || is_both) << finding.fix << words_of(races);
      }
    EXPECT_TRUE(findings_of(loop + statement + "__syncthreads();\n}\n").empty());
  }
}

// Nothing is read where two write: no variable has to keep it.
TEST(Advice, OfTwoThatWriteIsToWriteOnce) {
  if (!compiler().available()) GTEST_SKIP() << "no NVRTC";
  const auto found = report_of(
                         "__shared__ int any;\n if (i < N) any = t;\n __syncthreads();\n"
                         "if (i < N) out[i] = any < 64 ? in[i] : 0;\n")
                         .findings;
  const auto race = std::ranges::find(found, check::Kind::race_shared, &Finding::kind);
  ASSERT_NE(race, found.end()) << words_of(found);
  EXPECT_EQ(race->fix, "let one thread write it, or use an atomic");
}

TEST(Races, SayWhatAnotherOrderDoes) {
  if (!compiler().available()) GTEST_SKIP() << "no NVRTC";
  const auto effect_of = [](const std::string& body, Kind kind) {
    const Findings findings = report_of(body).findings;
    const auto found = std::find_if(findings.begin(), findings.end(),
                                    [&](const Finding& finding) { return finding.kind == kind; });
    return found == findings.end() ? "not found\n" + words_of(findings) : found->effect;
  };
  // What the other warp has not written yet is what was there before: the mark of nobody.
  const std::string unordered =
      "__shared__ float s[64];\n s[t] = 0;\n __syncthreads();\n s[t] = i < N ? in[i] : 0;\n"
      "float v = s[63 - t];\n __syncthreads();\n if (i < N) out[i] = t < 32 ? in[i] + v : in[i];\n";
  for (int again = 0; again < 3; ++again)
    EXPECT_TRUE(
        effect_of(unordered, Kind::race_shared)
            .starts_with("in another order 488 of 1,000 elements of out differ, the first of them out[0]: "))
        << effect_of(unordered, Kind::race_shared);
  EXPECT_TRUE(
      effect_of("if (i < N) out[i] = in[i];\n if (i < N) out[0] = in[i];\n", Kind::race_global)
          .starts_with("in another order 1 of 1,000 elements of out differ, the first of them out[0]: "));
  EXPECT_EQ(
      effect_of("if (i < N) out[i] = in[i];\n if (i + 64 < N && out[i + 64] == 77.0f) out[i] = 1;\n",
                Kind::race_global),
      "warp after warp, in either order, the result is the same here; a GPU runs them at the same time");
  const Findings right = report_of("if (i < N) out[i] = in[i];\n").findings;
  EXPECT_TRUE(right.empty()) << words_of(right);
}

// Of a large grid a few blocks run, most of them at its edges, where they write less.
TEST(LargeGrids, AreRightWithATailAndWrongWhereTheyEndTooSoon) {
  if (!compiler().available()) GTEST_SKIP() << "no NVRTC";
  const catalog::Values sizes{{"M", 1537}, {"N", 1537}, {"K", 1537}};
  catalog::KernelSpec spec = *kernels().find("matmul/01_naive");
  const auto whole = run_checked(*job_of(spec, {}, sizes));
  ASSERT_TRUE(whole) << to_line(whole.error());
  ASSERT_TRUE((*whole)->emulation.stands_for_all);
  EXPECT_TRUE((*whole)->report.verified) << (*whole)->report.explanation;
  spec.grid[1] = "floor_div(3 * M, 4 * BLOCK_Y)";
  const auto part = run_checked(*job_of(spec, {}, sizes));
  ASSERT_TRUE(part) << to_line(part.error());
  EXPECT_FALSE((*part)->report.verified);
  EXPECT_NE((*part)->report.explanation.find("the rest was not written"), std::string::npos);
}

// Of a large grid a sample is watched, in which neighbours are.
TEST(Races, BetweenNeighboursOfALargeGridAreFound) {
  if (!compiler().available()) GTEST_SKIP() << "no NVRTC";
  const auto spec = catalog::parse_kernel(
      text_of(
          {"", "if (i < N) out[i] = in[i];\n if (i + 64 < N && out[i + 64] == 77.0f) out[i] = 1;\n", {}, ""}),
      "case", "case.cu");
  const auto job = job_of(*spec, {}, {{"N", 1 << 22}});
  const Report report = (*run_checked(*job))->report;
  ASSERT_TRUE(report.checked_blocks);
  EXPECT_LT(*report.checked_blocks, 65536u / 16);
  EXPECT_TRUE(std::any_of(report.findings.begin(), report.findings.end(), [](const Finding& finding) {
    return finding.kind == Kind::race_global;
  })) << words_of(report.findings);
}

TEST(Stops, HaveNoConsequencesAmongTheFindings) {
  if (!compiler().available()) GTEST_SKIP() << "no NVRTC";
  for (int again = 0; again < 5; ++again) {
    const Report report = report_of("out[i + 100000] = in[i];\n");
    ASSERT_EQ(report.findings.size(), 1u) << words_of(report.findings);
    EXPECT_EQ(report.findings[0].at.block[0], 0u);
  }
  const Report loop = report_of("for (int k = 0; k < 9; k += N - N) if (i < N) out[i] = in[i];\n");
  ASSERT_EQ(loop.findings.size(), 1u) << words_of(loop.findings);
  EXPECT_EQ(loop.findings[0].fix, check::kFixOfEndlessLoop);
}

// Long before the budget is used up, which would take seconds.
TEST(Loops, WithoutAnEndAreKnownSoon) {
  if (!compiler().available()) GTEST_SKIP() << "no NVRTC";
  const std::string sums = "volatile __shared__ int s[64];\n s[t] = 0;\n";
  const auto stopped = [&](const std::string& loop) {
    const auto spec = catalog::parse_kernel(text_of({"", sums + loop, {}, ""}), "case", "case.cu");
    return *run_checked(*job_of(*spec, {}, {{"N", 1000}}));
  };
  const auto words = [](const run::Run& run) {
    return run.report.findings.empty() ? std::string() : run.report.findings[0].message;
  };
  const auto stands = stopped("for (int k = 0; k < 9; k += N / 100000) s[t] = s[t] + 1;\n out[i] = s[t];\n");
  EXPECT_TRUE(words(*stands).ends_with("its condition finds in each turn what it found before"))
      << words(*stands);
  EXPECT_LT(stands->emulation.outcome.counters.warp_instructions, 200'000u);
  const auto closed = stopped("for (;;) {\n s[t] = s[t] + 1;\n __syncthreads();\n }\n");
  EXPECT_TRUE(words(*closed).ends_with("it has no condition, or one that never changes")) << words(*closed);
  EXPECT_LT(closed->emulation.outcome.counters.warp_instructions, 200'000u);
}

// Each block has heard all before it: looked through again and again that took minutes.
TEST(Locks, OfManyBlocksAreFollowed) {
  if (!compiler().available()) GTEST_SKIP() << "no NVRTC";
  const auto spec = catalog::parse_kernel(
      text_of({"",
               "if (i < N) out[i] = in[i];\n if (t == 0) {\n while (atomicCAS(&lock, 0, 1) != 0) {}\n"
               "__threadfence();\n total = total + 1;\n __threadfence();\n atomicExch(&lock, 0);\n }\n",
               {},
               "",
               "__device__ int lock;\n__device__ volatile int total;\n"}),
      "case", "case.cu");
  const auto job = job_of(*spec, {}, {{"N", 40000}});
  ASSERT_TRUE(job) << to_line(job.error());
  const auto start = std::chrono::steady_clock::now();
  const auto run = run_checked(*job);
  ASSERT_TRUE(run) << to_line(run.error());
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
  EXPECT_TRUE((*run)->report.verified) << words_of((*run)->report.findings);
}

// For sizes of 640 and one that is no multiple of 64.
class Checks : public testing::TestWithParam<Case> {};

TEST_P(Checks, NameTheMistakeAndItsLine) {
  if (!compiler().available()) GTEST_SKIP() << "no NVRTC";
  const Case& one = GetParam();
  const std::string text = text_of(one);
  const auto spec = catalog::parse_kernel(text, "case", "case.cu");
  ASSERT_TRUE(spec) << to_line(spec.error());
  const auto job = job_of(*spec, {}, {{"N", 1000}});
  ASSERT_TRUE(job) << to_line(job.error());
  const auto run = run_checked(*job);
  ASSERT_TRUE(run) << to_line(run.error());
  const Report& report = (*run)->report;
  if (!one.kind) {
    EXPECT_TRUE(report.verified) << words_of(report.findings);
    EXPECT_TRUE(std::none_of(report.findings.begin(), report.findings.end(), [](const Finding& finding) {
      return finding.severity != Severity::information;
    })) << words_of(report.findings);
    return;
  }
  const int line = line_with(text, one.marked);
  EXPECT_TRUE(std::any_of(report.findings.begin(), report.findings.end(),
                          [&](const Finding& finding) {
                            return finding.kind == *one.kind &&
                                   (finding.line == line || finding.other_line == line);
                          }))
      << "line " << line << "\n"
      << words_of(report.findings);
  EXPECT_EQ(report.verified, !check::has_error(report.findings));
}

const Case kCases[] = {
    {"SharedRace",
     "__shared__ float s[64];\n s[t] = i < N ? in[i] : 0;\n float v = s[63 - t];  // read\n"
     "__syncthreads();\n s[63 - t] = v;\n __syncthreads();\n if (i < N) out[i] = s[t];\n",
     Kind::race_shared, "// read"},
    {"SharedBarrier",
     "__shared__ float s[64];\n s[t] = i < N ? in[i] : 0;\n __syncthreads();\n float v = s[63 - t];\n"
     "__syncthreads();\n s[63 - t] = v;\n __syncthreads();\n if (i < N) out[i] = s[t];\n",
     std::nullopt, ""},
    {"WarpRace",
     "__shared__ float s[64];\n s[t] = i < N ? in[i] : 0;\n float v = s[t ^ 1];  // read\n"
     "__syncwarp();\n s[t ^ 1] = v;\n __syncwarp();\n if (i < N) out[i] = s[t];\n",
     Kind::race_warp, "// read"},
    {"WarpMeets",
     "__shared__ float s[64];\n s[t] = i < N ? in[i] : 0;\n __syncwarp();\n float v = s[t ^ 1];\n"
     "__syncwarp();\n s[t ^ 1] = v;\n __syncwarp();\n if (i < N) out[i] = s[t];\n",
     std::nullopt, ""},
    {"SameValueOfAll",
     "__shared__ int base;\n base = blockIdx.x * 64;\n __syncthreads();\n"
     "if (i < N) out[base + t] = in[i];\n",
     std::nullopt, ""},
    {"OwnBytes",
     "__shared__ char s[64];\n s[t] = 1;\n s[t] += threadIdx.x & 1;\n if (i < N) out[i] = s[t] == 7 ? 0 : "
     "in[i];\n",
     std::nullopt, ""},
    {"OtherBytes",
     "__shared__ volatile char s[64];\n s[t] = t;\n if (i < N) out[i] = s[t ^ 1] == 77 ? 0 : in[i];  // "
     "byte\n",
     Kind::race_warp, "// byte"},
    {"PartOfAVector",
     "__shared__ float4 s[64];\n s[t].x = i < N ? in[i] : 0;\n __syncthreads();\n float4 v = s[t];\n"
     "if (i < N) out[i] = v.x;\n if (N < 0) out[1] = v.y + v.z + v.w;\n",
     std::nullopt, ""},
    {"OtherValueOfEach",
     "__shared__ int who;\n who = t;  // all write\n __syncthreads();\n"
     "if (i < N) out[i] = who < 0 ? 0 : in[i];\n",
     Kind::race_shared, "// all write"},
    {"GlobalRace",
     "if (i < N) out[i] = in[i];\n if (i + 64 < N && out[i + 64] == 77.0f) out[i] = 1;  // other block\n",
     Kind::race_global, "// other block"},
    {"BlocksCountedByFence",
     "if (i < N) out[i] = in[i];\n __threadfence();\n __shared__ bool last;\n __syncthreads();\n"
     "if (t == 0) last = atomicAdd(&done, 1u) == gridDim.x - 1;\n __syncthreads();\n"
     "if (last) for (int k = t; k < N; k += 64) out[k] = out[k] + 0.0f;\n",
     std::nullopt, "", "__device__ unsigned done;\n"},
    {"BlocksCountedWithoutFence",
     "if (i < N) out[i] = in[i];  // written\n __shared__ bool last;\n __syncthreads();\n"
     "if (t == 0) last = atomicAdd(&done, 1u) == gridDim.x - 1;\n __syncthreads();\n"
     "if (last) for (int k = t; k < N; k += 64) out[k] = out[k] + 0.0f;\n",
     Kind::race_global, "// written", "__device__ unsigned done;\n"},
    {"DivergentBarrier",
     "if (t % 32 < 7) __syncthreads();  // some\n else __syncwarp(0xffffff80u);\n"
     "if (i < N) out[i] = in[i];\n",
     Kind::divergent_barrier, "// some"},
    {"EarlyReturn", "if (i >= N) return;  // leaves\n __syncthreads();\n out[i] = in[i];\n",
     Kind::divergent_barrier, "// leaves"},
    {"WholeWarpsReturn",
     "if (t >= 32) { if (i < N) out[i] = in[i];\n return; }\n __syncthreads();\n"
     "if (i < N) out[i] = in[i];\n",
     std::nullopt, ""},
    {"MaskWithoutCaller",
     "float v = i < N ? in[i] : 0;\n if (t % 32 >= 16) v += 0 * __shfl_xor_sync(0xffff, v, 1);  // wrong "
     "half\n"
     "if (i < N) out[i] = v;\n",
     Kind::mask_without_caller, "// wrong half"},
    {"MaskOfCallers",
     "float v = i < N ? in[i] : 0;\n if (t % 32 >= 16) v += 0 * __shfl_xor_sync(0xffff0000u, v, 1);\n"
     "if (i < N) out[i] = v;\n",
     std::nullopt, ""},
    {"LanesGone",
     "if (i >= N) return;\n float v = __shfl_down_sync(0xffffffffu, in[i], 1);  // from the next\n"
     "out[i] = v == 12.0f ? v : in[i];\n",
     Kind::inactive_source_lane, "// from the next"},
    {"UnwrittenShared",
     "__shared__ float s[65];\n s[t] = i < N ? in[i] : 0;\n __syncthreads();\n"
     "float v = s[t + 1];  // last\n if (i < N) out[i] = v > 9.0f ? v : in[i];\n",
     Kind::uninitialized_shared, "// last"},
    {"DiscardedShared",
     "__shared__ float s[65];\n s[t] = i < N ? in[i] : 0;\n __syncthreads();\n"
     "float v = s[t + 1];\n if (i < N && t < 63 && v > 999.0f) out[i] = v;\n else if (i < N) out[i] = "
     "in[i];\n",
     std::nullopt, ""},
    {"ReadsItsOutput", "if (i < N) out[i] = in[i] + out[i] * 0.5f;  // adds\n", Kind::uninitialized_global,
     "// adds"},
    {"Neighbour",
     "__shared__ float a[64];\n __shared__ float b[64];\n a[t] = 0;\n b[t] = 0;\n __syncthreads();\n"
     "if (i < N) out[i] = in[i] + a[t + blockDim.x / 2] + b[t];  // beside\n",
     Kind::out_of_array, "// beside"},
    {"WritesInput", "if (i < N) out[i] = in[i];\n if (i < N) const_cast<float*>(in)[i] = 0;  // back\n",
     Kind::write_to_input, "// back"},
    {"OutOfBounds", "if (i <= N) out[i] = in[i];  // one more\n", Kind::out_of_bounds, "// one more"},
    {"DividesByZero", "if (i < N) out[i] = N / (t - 5) == 1 << 30 ? 0 : in[i];  // five\n",
     Kind::division_by_zero, "// five"},
    {"Bounds", "if (i < N) out[i] = in[i];\n", Kind::launch_bounds, "__launch_bounds__",
     "extern \"C\" __global__ void __launch_bounds__(32) kernel(const float* in, float* out, int N);\n"},
    {"SharedBeginsAt0x400",
     "__shared__ __align__(16384) float s[4096];  // flips\n s[t] = t;\n __syncwarp();\n"
     "const char* other = reinterpret_cast<const char*>(reinterpret_cast<size_t>(s) ^ 8192);\n"
     "if (i < N) out[i] = other == nullptr ? s[t] : in[i];\n",
     Kind::misaligned, "// flips"},
    {"AlignedAsItMayBe",
     "__shared__ __align__(1024) float s[64];\n s[t] = t;\n if (i < N) out[i] = s[t] < 0 ? 0 : in[i];\n",
     std::nullopt, ""},
    {"Deadlock", "if (t == 0) while (atomicAdd(&flag, 0u) == 0) {}  // waits\n if (i < N) out[i] = in[i];\n",
     Kind::deadlock, "// waits", "__device__ unsigned flag;\n"},
    {"Endless", "for (int k = 0; k < 9; k += N - N) if (i < N) out[i] = in[i];  // stands\n",
     Kind::endless_loop, "// stands"},
    {"EndlessWithNewSums",
     "volatile __shared__ int s[64];\n s[t] = 0;\n"
     "for (int k = 0; k < 9; k += N / 100000) s[t] = s[t] + 1;  // no step\n"
     "if (i < N) out[i] = s[t] < 0 ? 0 : in[i];\n",
     Kind::endless_loop, "// no step"},
    {"EndlessWithoutACondition",
     "__shared__ float s[64];\n s[t] = i < N ? in[i] : 0;\n __syncthreads();\n"
     "for (int k = 1; k < 64; k *= 1) {  // times one\n float v = 0;\n"
     " if (t + k < 64) { v = s[t + k]; }\n __syncthreads();\n s[t] += v;\n __syncthreads();\n }\n"
     "if (i < N) out[i] = s[t];\n",
     Kind::endless_loop, "// times one"},
    {"TurnsAlikeThatEnd",
     "volatile __shared__ int s[64];\n s[t] = 0;\n"
     "for (int k = 0; k < 2000; k += 1 + N / 100000)\n#pragma unroll 1\n"
     "for (int j = 0; j < 3; ++j) s[t] = s[t] + 1;\n if (i < N) out[i] = s[t] == 6000 ? in[i] : 0;\n",
     std::nullopt, ""},
    {"Unwritten", "if (i < N - 1) out[i] = in[i];\n", Kind::unwritten_output, "out[i] = in[i]"},
    {"WholeVectors",
     "if (i * 4 < N) reinterpret_cast<float4*>(out)[i] = reinterpret_cast<const float4*>(in)[i];  // four\n",
     Kind::wrong_at_odd_size, "// four"},
};

INSTANTIATE_TEST_SUITE_P(Kernels, Checks, testing::ValuesIn(kCases),
                         [](const testing::TestParamInfo<Case>& one) { return one.param.name; });

// The emulator runs what a device has no instruction for: its numbers stand, and nobody calls it verified.
TEST(CheckedRun, NamesAnInstructionThatTheDeviceDoesNotHave) {
  if (!compiler().available()) GTEST_SKIP() << "no NVRTC";
  const auto checked_on = [](const char* device) {
    const auto planned =
        plan(*kernels().find("reduction/06_shuffle"), {}, {{"N", 65536}}, device_named(device));
    auto build = compile(compiler(), *planned);
    auto instance = Instances({.most_bytes = std::uint64_t{1} << 28}).instantiate(*planned);
    return *run_checked(Job{*planned, *std::move(instance), *std::move(build)});
  };
  const Report old = checked_on("g80")->report;
  EXPECT_FALSE(old.verified);
  ASSERT_EQ(old.findings.size(), 1u) << words_of(old.findings);
  EXPECT_EQ(old.findings[0].kind, Kind::launch_instruction);
  EXPECT_NE(old.explanation.find("shfl needs 3.0"), std::string::npos) << old.explanation;
  EXPECT_TRUE(checked_on("h100")->report.verified);
}

// Behind __CUDA_ARCH__ a kernel may have other code for an older device.
TEST(DeviceNeeds, SayWhatIsReplaced) {
  if (!compiler().available()) GTEST_SKIP() << "no NVRTC";
  const catalog::KernelSpec spec = *kernels().find("matmul/10_async_pipeline");
  const auto replaced_on = [&](const char* name) {
    const device::Device device = device_named(name);
    const auto planned =
        plan(spec, {{"BM", 64}, {"BN", 64}, {"WM", 32}, {"WN", 32}, {"BK", 16}, {"STAGES", 2}},
             {{"M", 64}, {"N", 64}, {"K", 64}}, device);
    EXPECT_TRUE(planned) << to_line(planned.error());
    const auto build = compile(compiler(), *planned);
    return replaced_instruction(spec.code, (*prepare(*build, device))->function(), device);
  };
  EXPECT_EQ(replaced_on("7.5"), "cp.async needs 8.0: plain copies run here");
  EXPECT_EQ(replaced_on("h100"), "");
}

}  // namespace
}  // namespace warplens::run
