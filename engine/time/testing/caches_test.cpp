// What L1 and L2 keep, of kernels whose blocks share more, or less, than their neighbours tell.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "engine/run/testing/run_support.hpp"
#include "engine/time/predict_run.hpp"

namespace warplens::time {
namespace {

// Counted as `warplens time` does, without a run of the whole grid.
Result<Prediction> prediction_of(const std::string& text, const catalog::Values& sizes) {
  const auto spec = catalog::parse_kernel(text, "case", "case.cu");
  if (!spec) return spec.error();
  const auto job = run::job_of(*spec, {}, sizes);
  if (!job) return job.error();
  const auto kernel = run::prepare(job->build, job->plan.device);
  if (!kernel) return kernel.error();
  const auto counted = count(*job, **kernel);
  if (!counted) return counted.error();
  return predict(*job, **kernel, *counted);
}
Prediction predicted(const std::string& text, const catalog::Values& sizes) {
  const auto found = prediction_of(text, sizes);
  EXPECT_TRUE(found) << to_line(found.error());
  return found ? *found : Prediction{};
}

std::string product(const std::string& block, const std::string& grid, const std::string& place) {
  return fmt::format(
      "/*---\ntitle = \"x\"\nproblem = \"sgemm\"\n[launch]\nblock = [{}]\ngrid = [{}]\n---*/\n"
      "extern \"C\" __global__ void kernel(const float* A, const float* B, float* C, int M, int N, int K) "
      "{{\n"
      "  {}\n  if (row >= M || column >= N) return;\n  float sum = 0;\n"
      "  for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + column];\n"
      "  C[row * N + column] = sum;\n}}\n",
      block, grid, place);
}

// The same blocks in the same order, by one index and by two: those of a row do not share columns with the next one, and those of
// all rows walk down the same ones.
TEST(Caches, BlocksInARowShareWhatBlocksInAPlaneShare) {
  if (!run::compiler().available()) GTEST_SKIP() << "no NVRTC";
  const Prediction row =
      predicted(product("256", "\"ceil_div(M * N, 256)\"",
                        "const int i = blockIdx.x * 256 + threadIdx.x, row = i / N, column = i % N;"),
                {{"M", 2048}, {"N", 2048}, {"K", 2048}});
  const Prediction plane =
      predicted(product("256, 1", "\"ceil_div(N, 256)\", \"M\"",
                        "const int row = blockIdx.y, column = blockIdx.x * 256 + threadIdx.x;"),
                {{"M", 2048}, {"N", 2048}, {"K", 2048}});
  EXPECT_NEAR(row.seconds / plane.seconds, 1, 0.25);
  EXPECT_LT(row.units.dram, 0.2);
}

std::string local(int numbers) {
  return fmt::format(
      "/*---\ntitle = \"x\"\n[problem]\nsizes = {{ N = 1048576 }}\n"
      "buffers = [{{ name = \"in\", count = \"N\" }}, {{ name = \"out\", count = \"N\" }}]\n"
      "check = \"out[i] == in[i]\"\n[launch]\nblock = [256]\ngrid = [\"ceil_div(N, 256)\"]\n---*/\n"
      "extern \"C\" __global__ void kernel(const float* in, float* out, int N) {{\n"
      "  const int i = blockIdx.x * 256 + threadIdx.x;\n  float x[{0}];\n"
      "#pragma unroll 1\n  for (int k = 0; k < {0}; ++k) x[k] = in[i];\n"
      "  float last = 0;\n#pragma unroll 1\n  for (int k = 0; k < {0}; ++k) last = x[(k * N + i) % {0}];\n"
      "  out[i] = last;\n}}\n",
      numbers);
}

TEST(Caches, L1KeepsLocalMemoryAsFarAsItHasRoom) {
  if (!run::compiler().available()) GTEST_SKIP() << "no NVRTC";
  const Prediction small = predicted(local(8), {}), large = predicted(local(512), {});
  EXPECT_EQ(small.local_hits, 1);
  EXPECT_LT(large.local_hits, 0.1);
  // Each word costs more than one that L1 has.
  EXPECT_GT(large.seconds, 1.3 * 64 * small.seconds);
}

// The same loads, which a compiler must not keep in registers.
TEST(Caches, VolatileLoadsAreNotFromL1) {
  if (!run::compiler().available()) GTEST_SKIP() << "no NVRTC";
  const auto text = [](const std::string& in) {
    return "/*---\ntitle = \"x\"\nproblem = \"copy\"\n[launch]\nblock = [256]\ngrid = [\"ceil_div(N, "
           "256)\"]\n---*/\n"
           "extern \"C\" __global__ void kernel(" +
           in +
           " in, float* out, int N) {\n  const int i = blockIdx.x * 256 + threadIdx.x;\n  if (i >= N) "
           "return;\n"
           "  float sum = 0;\n#pragma unroll 1\n  for (int k = 0; k < 16; ++k) sum += in[(i + k * 32) % N];\n"
           "  out[i] = sum > 1e30f ? 0 : in[i];\n}\n";
  };
  const Prediction plain = predicted(text("const float*"), {{"N", 1 << 20}}),
                   asked = predicted(text("volatile const float*"), {{"N", 1 << 20}});
  EXPECT_GT(plain.l1_hits, 0.5);
  EXPECT_LT(asked.l1_hits, 0.05);
  EXPECT_GT(asked.seconds, plain.seconds);
}

// Lanes copy words STRIDE apart; the rest of a sector is copied when the grid has gone over all of both arrays. What ncu counted of
// it on an H200, of SMs: 49 % of the sectors hit (every store, no load); memory gave 4.29 GB, half of it for what is stored in part.
TEST(Caches, WhatTheGridComesBackToAfterAllElseIsNoLongerInL2) {
  if (!run::compiler().available()) GTEST_SKIP() << "no NVRTC";
  const auto copy = [](int stride) {
    return predicted(
        fmt::format(
            "/*---\ntitle = \"x\"\nproblem = \"copy\"\n[launch]\nblock = [256]\ngrid = [\"ceil_div(N, "
            "256)\"]\n---*/\n"
            "extern \"C\" __global__ void kernel(const float* in, float* out, int N) {{\n"
            "  const int thread = blockIdx.x * 256 + threadIdx.x, rows = N / {0};\n"
            "  const int i = thread % rows * {0} + thread / rows;\n  if (i < N) out[i] = in[i];\n}}\n",
            stride),
        {{"N", 1 << 24}});
  };
  const Prediction once = copy(1), again = copy(8);
  EXPECT_NEAR(once.l2_hits, 0.5, 0.02);
  EXPECT_NEAR(again.l2_hits, 0.5, 0.02);
  // The bytes of memory fit that: eight times as many loaded, and as many for stores, with what is read for these.
  const auto moved = [](const Prediction& p) { return p.units.dram * p.seconds; };
  EXPECT_GT(moved(again), 10 * moved(once));
}

}  // namespace
}  // namespace warplens::time
