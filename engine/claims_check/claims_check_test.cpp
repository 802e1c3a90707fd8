// Claims of right sentences hold; those of a broken kernel, of a changed number and of words that nobody
// claimed do not.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "engine/claims_check/check.hpp"
#include "engine/explain/claims/quantity.hpp"
#include "engine/explain/explain.hpp"
#include "engine/explain/line_lanes.hpp"
#include "engine/explain/opening.hpp"
#include "engine/explain/payoff/longest_block.hpp"
#include "engine/explain/reuse.hpp"
#include "engine/run/derived/rounding.hpp"
#include "engine/run/testing/run_support.hpp"
#include "engine/time/predict_run.hpp"

namespace warplens::claims_check {
namespace {

using explain::Claim, explain::ClaimKind, explain::Explanation;

run::SharedRun record(const catalog::KernelSpec& spec, const catalog::Values& chosen = {}) {
  const auto job = run::job_of(spec, chosen, {});
  EXPECT_TRUE(job) << to_line(job.error());
  const auto execution = run::execute(*job, {.record = 0, .counts_only = true});
  EXPECT_TRUE(execution) << to_line(execution.error());
  return *run::tabulate(*job, *execution);
}
run::SharedRun record(std::string_view id, const catalog::Values& chosen = {}) {
  return record(*run::kernels().find(id), chosen);
}

std::vector<std::string> texts_of(const Explanation& said) { return {said.what, said.why, said.fix}; }

struct Opened {
  run::SharedRun run;
  Place place;
  Explanation said;
};
Opened open(const run::SharedRun& run) {
  const std::uint32_t access = explain::opening_access(*run, 0, 0);
  return {run, {.access = access}, explain::explain_use(*explain::facts_at(*run, {0, 0, access}))};
}
std::vector<Failure> failures(const Opened& opened, const run::Run& run) {
  return failures_of(texts_of(opened.said), opened.said.claims, run, opened.place);
}
std::string words(const std::vector<Failure>& failures) {
  std::string all;
  for (const Failure& one : failures)
    all += fmt::format("{}: '{}', found {}\n", one.sentence, one.claim.shown, one.found);
  return all;
}

class ClaimsCheck : public testing::Test {
 protected:
  void SetUp() override {
    if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  }
};

constexpr const char* kKernels[] = {
    "matmul/01_naive",    "matmul/02_coalesced",   "matmul/03_shared_tile", "matmul/05_register_2d",
    "transpose/02_tiled", "transpose/03_swizzled", "memory/02_offset",      "memory/03_strided",
    "memory/05_float3",   "harris/01_interleaved", "reduction/02_strided",  "reduction/07_grid_stride",
    "first/01_who_am_i",  "first/02_increment",    "first/04_vector_add",   "first/05_saxpy",
    "ncsa/01_k1",         "layout/02_align_16"};

TEST_F(ClaimsCheck, EachClaimFailsWithAnotherNumber) {
  int changed = 0;
  for (const char* id : kKernels) {
    const Opened opened = open(record(id));
    EXPECT_EQ(words(failures(opened, *opened.run)), "") << id;
    for (std::size_t c = 0; c < opened.said.claims.size(); ++c) {
      if (opened.said.claims[c].kind == ClaimKind::name) continue;
      Opened wrong = opened;
      wrong.said.claims[c].number += 1;
      EXPECT_FALSE(failures(wrong, *opened.run).empty()) << id << ": " << opened.said.claims[c].shown;
      ++changed;
    }
  }
  EXPECT_GT(changed, 40);
}

// What was said of the kernel as it is does not hold of one that is broken.
// A line is the function's own, or the one that calls it, whichever other line the sentence stands at.
TEST_F(ClaimsCheck, ALineMayBeThatOfACall) {
  const run::SharedRun run = record("tensor/04_mma_ldmatrix");
  const auto failures_of_line = [&](int line) {
    const explain::Claim claim = explain::claim::of(
        explain::claim::number(explain::Quantity::line, line, explain::Scope::line), std::to_string(line));
    return failures_of({claim.shown}, {claim}, *run, {.line = run->kernel_lines.front()});
  };
  int calls = 0;
  for (std::size_t pc = 0; pc < run->instructions.size(); ++pc) {
    if (run->instructions[pc].counters.executed == 0) continue;
    calls += run->instructions[pc].line != run->kernel_lines[pc];
    EXPECT_THAT(words(failures_of_line(run->kernel_lines[pc])), testing::IsEmpty());
  }
  EXPECT_GT(calls, 0);
  EXPECT_FALSE(failures_of_line(1).empty());  // of the front matter
}

TEST_F(ClaimsCheck, ABrokenKernelBreaksClaims) {
  struct Change {
    const char *id, *text, *with;
  };
  for (const auto& [id, text, with] :
       {Change{"matmul/02_coalesced", "A[row * K + k] * B[k * N + column]",
               "A[row * K + k] * B[column * N + k]"},
        Change{"first/01_who_am_i", "if (i < N) out[i]", "if (i < N) out[N - 1 - i]"},
        Change{"first/02_increment", "if (i < N)", "if (i < N - 8)"},
        Change{"first/04_vector_add", "a[i] + b[i];", "a[i] + a[i];"},
        Change{"layout/02_align_16", "point.z += 2.0f;", ""},
        Change{"memory/02_offset", "(thread + OFFSET)", "(2 * thread + OFFSET)"},
        Change{"harris/01_interleaved", "tid % (2 * s) == 0", "tid % (4 * s) == 0"}}) {
    const Opened opened = open(record(id));
    catalog::KernelSpec spec = *run::kernels().find(id);
    const std::size_t at = spec.code.find(text);
    if (at == std::string::npos) {
      ADD_FAILURE() << id << " has no " << text;
      continue;
    }
    spec.code.replace(at, std::string_view(text).size(), with);
    EXPECT_FALSE(failures(opened, *record(spec)).empty()) << id;
  }
  const Opened padded = open(record("transpose/02_tiled"));
  EXPECT_FALSE(failures(padded, *record("transpose/02_tiled", {{"PAD", 0}})).empty());
}

// As the pictures of time and of rounding say them.
std::string wrong_in(const std::string& text, const Claim& claim, const run::Run& run, const Beside& beside) {
  return words(failures_of({text}, {claim}, run, {}, &beside));
}

TEST_F(ClaimsCheck, SharesOfTimeArePredictedAgain) {
  const run::SharedRun run = record("transpose/01_naive");
  Beside beside;
  beside.of_run = std::make_shared<const time::Modelled>(*time::modelled(*run));
  const double busy = beside.of_run->prediction.units.l1;
  explain::Scope scope = explain::Scope::kernel;
  const auto said = [&](double share, const char* unit) {
    const std::string shown = fmt::format("{:.0f}\u00a0%", 100 * share);
    const Claim claim =
        explain::claim::of(explain::claim::words(shown, explain::Quantity::busy, share, scope), unit);
    return wrong_in("it is busy " + shown, claim, *run, beside);
  };
  EXPECT_EQ(said(busy, "l1"), "");
  EXPECT_NE(said(busy + 0.02, "l1"), "");
  EXPECT_NE(said(busy, "dram"), "") << "of another unit";
  EXPECT_NE(said(busy, "no unit"), "");
  // Beside other steps a kernel is predicted from a count of its own.
  auto beside_others = std::make_shared<time::Modelled>(*beside.of_run);
  beside_others->prediction.units.l1 = 0.5 * busy;
  beside.steps[run->plan().spec.id].modelled = beside_others;
  EXPECT_EQ(said(busy, "l1"), "");
  scope = explain::Scope::two_steps;
  EXPECT_EQ(said(0.5 * busy, "l1"), "");
  EXPECT_NE(said(busy, "l1"), "");
}

// The errors are those of the problem's own reference, not the recorded ones.
TEST_F(ClaimsCheck, RoundingIsMeasuredAgainstTheReferenceInDouble) {
  for (const char* id : {"sums/02_descending", "sums/05_kahan", "sums/06_double"}) {
    const run::SharedRun run = record(id);
    Beside beside;
    beside.rounding = *run::rounding_of(*run, 0, 0);
    auto& threads = beside.rounding->threads;
    auto& worst = threads[static_cast<std::size_t>(beside.rounding->worst())];
    const double units = std::abs(worst.units_off());
    const auto said = [&](double number) {
      const std::string shown = fmt::format("{:.3f} units", number);
      return wrong_in("it is off by " + shown,
                      explain::claim::words(shown, explain::Quantity::units_off, number), *run, beside);
    };
    EXPECT_EQ(said(units), "") << id;
    EXPECT_NE(said(units + 0.01), "") << id;
    worst.exact = 2 * worst.exact;
    EXPECT_EQ(said(units), "") << id << ": nothing is taken from what was recorded as exact";
  }
}

// The first of 264 blocks goes round as often as its mean does forty times.
TEST_F(ClaimsCheck, WhatTheLongestBlockDoesIsCountedAgain) {
  const auto spec = catalog::parse_kernel(R"cu(/*---
title = "One long block"
[problem]
sizes = { G = 264 }
buffers = [{ name = "y", type = "float", count = "G * 128", output = true }]
none = "only its time is looked at"
[launch]
block = ["128"]
grid = ["G"]
---*/
__global__ void one_long(float* y) {
  float s = 0.5f;
  for (int k = 0; k < (blockIdx.x == 0 ? 80000 : 2000); ++k) s = s * threadIdx.x + 0.5f;
  y[blockIdx.x * 128 + threadIdx.x] = s;
}
)cu",
                                          "own/one_long", "one_long.cu");
  ASSERT_TRUE(spec) << to_line(spec.error());
  const run::SharedRun run = record(*spec);
  Beside beside;
  beside.of_run = std::make_shared<const time::Modelled>(*time::modelled(*run));
  const auto wrong = [&](const time::Prediction& prediction) {
    const Explanation said = explain::of_longest_block(prediction);
    return words(failures_of(texts_of(said), said.claims, *run, {}, &beside));
  };
  time::Prediction told = beside.of_run->prediction;
  EXPECT_GT(told.waits_for_longest, 0.5);
  EXPECT_EQ(wrong(told), "");
  told.longest_block *= 1.5;
  EXPECT_NE(wrong(told), "");
  told = beside.of_run->prediction, told.waits_for_longest /= 2;
  EXPECT_NE(wrong(told), "");
}

TEST_F(ClaimsCheck, WordsThatAreNoClaimsAreFound) {
  const Opened opened = open(record("matmul/01_naive"));
  const auto with = [&](const std::string& text) {
    auto texts = texts_of(opened.said);
    texts.push_back(text);
    return words(failures_of(texts, opened.said.claims, *opened.run, opened.place));
  };
  EXPECT_EQ(with("the next lane is elsewhere"), "");
  EXPECT_NE(with("it takes 7 turns").find("no claim has the number at '7 turns'"), std::string::npos);
  EXPECT_NE(with("all of them wait").find("no claim has the word 'all'"), std::string::npos);
  EXPECT_NE(with("nobody waits").find("'nobody'"), std::string::npos);
}

TEST_F(ClaimsCheck, AShareSaysWhoseTimeItIsOf) {
  const run::SharedRun run = record("memory/01_coalesced");
  const Claim share =
      explain::claim::words("25 %", explain::Quantity::warp_lanes, 0.25, explain::Scope::kernel);
  const auto wrong = [&](const std::string& text) { return words(failures_of({text}, {share}, *run, {})); };
  EXPECT_THAT(wrong("L2 is busy 25 % of the time"), testing::HasSubstr("whose time"));
  EXPECT_THAT(wrong("L2 is busy 25\u00a0% of the time"), testing::HasSubstr("whose time"));
  EXPECT_THAT(wrong("L2 is busy 25 % of the kernel's time"), testing::Not(testing::HasSubstr("whose time")));
}

// The number of the warp is of use to one lane only: the compiler takes it there. The lanes of its line are those that come to the
// line; who says that 31 of them wait there has looked at the lanes behind the test.
TEST_F(ClaimsCheck, LanesOfALineAreSeenWithoutTheCodeThatSaysThem) {
  const auto spec = catalog::parse_kernel(R"(/*---
title = "Own"
[problem]
sizes = { N = 4096 }
buffers = [{ name = "in", count = "N" }, { name = "out", count = "N", output = true }]
none = "only looked at"
[launch]
block = [256]
grid = ["N / 256"]
---*/
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float partial[8];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  float sum = in[blockIdx.x * 256 + threadIdx.x];
  sum += __shfl_down_sync(0xffffffffu, sum, 1);
  if (lane == 0) {
    partial[warp] = sum;
  }
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = partial[3];
}
)",
                                          "own/own", "own.cu");
  ASSERT_TRUE(spec) << to_line(spec.error());
  const auto job = run::job_of(*spec, {}, {});
  ASSERT_TRUE(job) << to_line(job.error());
  const auto execution = run::execute(*job, {.record = 0});
  ASSERT_TRUE(execution) << to_line(execution.error());
  const run::SharedRun run = *run::tabulate(*job, *execution);
  int line = 0;
  for (std::size_t l = 0; l < run->source_lines.size(); ++l)
    if (run->source_lines[l].find("const int warp") != std::string_view::npos) line = static_cast<int>(l) + 1;
  const auto said_of = [&](const explain::LineLanes& lanes) {
    const Explanation said = explain::explain(lanes);
    return failures_of(texts_of(said), said.claims, *run, {.line = line});
  };
  const explain::LineLanes right = explain::lanes_at_line(*run, 0, 0, line);
  EXPECT_EQ(right.efficiency, 1);
  EXPECT_EQ(words(said_of(right)), "");
  explain::LineLanes behind_test = right;
  behind_test.efficiency = 1. / 32;
  EXPECT_FALSE(said_of(behind_test).empty());
}

// What both had of one place would be wrong in both.
TEST(ClaimsCheckSources, DeriveNothingByWhatTheSentencesAreMadeWith) {
  const auto derived_by = [](std::string_view folder) {
    std::set<std::string> headers;
    for (const auto& file :
         std::filesystem::recursive_directory_iterator(run::kRoot + "/" + std::string(folder))) {
      const std::string name = file.path().filename();
      if ((!name.ends_with(".cpp") && !name.ends_with(".hpp")) || name.ends_with("_test.cpp")) continue;
      std::ifstream in(file.path());
      for (std::string text; std::getline(in, text);)
        if (text.starts_with("#include \"engine/run/derived/")) headers.insert(text);
    }
    return headers;
  };
  std::set<std::string> said_with = derived_by("engine/explain");
  said_with.merge(derived_by("viz/figures"));
  ASSERT_FALSE(said_with.empty());
  for (const std::string& header : derived_by("engine/claims_check"))
    EXPECT_FALSE(said_with.contains(header)) << header;
}

}  // namespace
}  // namespace warplens::claims_check
