// What is said of an access to shared memory holds of any order of its lanes, and what is proposed was counted.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/explain/explain.hpp"
#include "engine/run/runner.hpp"
#include "engine/run/testing/run_support.hpp"

namespace warplens::explain {
namespace {

// Of the last access to shared memory of a warp that does `code` with its float4 tile[32] and its lane t.
Explanation of_tile(const std::string& code, std::string_view device = "h100") {
  const auto spec = catalog::parse_kernel(
      "/*---\ntitle = \"Own\"\n[problem]\nsizes = { N = 4096 }\nbuffers = [{ name = \"in\", count = \"N\" }, "
      "{ name = "
      "\"out\", count = \"N\", output = true }]\nnone = \"only looked at\"\n[launch]\nblock = [32]\ngrid = "
      "[1]\n---*/\n"
      "extern \"C\" __global__ void kernel(const float* in, float* out, int N) {\n  const int t = "
      "threadIdx.x;\n" +
          code + "\n}\n",
      "own/own", "own.cu");
  EXPECT_TRUE(spec) << to_line(spec.error());
  run::Runner runner(compile::Compiler({.library = {}, .cache_folder = test_cache_path()}));
  const std::atomic<bool> go_on = false;
  const auto run =
      runner.run({.spec = *spec, .parameters = {}, .sizes = {}, .device = run::device_named(device)}, go_on);
  EXPECT_TRUE(run) << to_line(run.error());
  Explanation last;
  for (std::uint32_t access = 0; access < (*run)->stories[0]->accesses().of_warp(0).size(); ++access)
    if (const auto facts = facts_at(**run, {0, 0, access}); facts && facts->pieces.is_shared)
      last = explain(*facts);
  return last;
}

// 16 times 16 bytes, each for two lanes: halves of the warp have them one after another, neighbours together.
TEST(SharedWords, TheLeastIsThatOfAnyOrderOfTheLanes) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  const auto reads = [](std::string_view index) {
    return of_tile(fmt::format(
        "__shared__ float4 tile[32];\n  tile[t] = make_float4(in[t], in[t + 1], in[t + 2], in[t + 3]);\n"
        "__syncthreads();\n  const float4 b = tile[{}];\n  out[t] = b.x + b.y * 2 + b.z * 3 + b.w * 4;",
        index));
  };
  EXPECT_EQ(reads("t ^ 1").what, "4 wavefronts: the least for 512 bytes");
  EXPECT_EQ(reads("t % 16").what, "4 wavefronts for these 32 lanes of 16 bytes");
  EXPECT_EQ(reads("t % 16").fix, "");
  EXPECT_EQ(reads("t / 2").what, "2 wavefronts instead of 4");
}

// A column of 16 bytes a row: eight lanes are served together by 32 banks, sixteen by 16 banks, a word of each after the other.
TEST(SharedWords, PaddingIsProposedWhereItIsCountedToHelp) {
  if (!run::compiler().available()) GTEST_SKIP() << run::compiler().description();
  const std::string column =
      "__shared__ float4 tile[32][8];\n  for (int k = 0; k < 8; ++k) tile[t][k] = make_float4(in[t], in[t + "
      "1], "
      "in[t + 2], in[t + k]);\n  __syncthreads();\n  const float4 b = tile[t][in[0] > 2];\n"
      "  out[t] = b.x + b.y * 2 + b.z * 3 + b.w * 4;";
  EXPECT_EQ(of_tile(column).fix, "four words of padding a row, or a swizzle");
  EXPECT_EQ(of_tile(column, "gtx280").rule, of_tile(column).rule);
  EXPECT_EQ(of_tile(column, "gtx280").fix, "");
}

}  // namespace
}  // namespace warplens::explain
