// How long compile() takes: with and without machine code, and from the cache in a fresh Compiler.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "engine/base/testing/test_folder.hpp"
#include "engine/compile/build.hpp"

namespace {

using namespace warplens::compile;

constexpr const char* kTile = R"(
extern "C" __global__ void kernel(const float* A, const float* B, float* C, int n) {
  __shared__ float a[32][32], b[32][32];
  const int x = threadIdx.x, y = threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; k += 32) {
    a[y][x] = A[y * n + k + x];
    b[y][x] = B[(k + y) * n + x];
    __syncthreads();
    for (int i = 0; i < 32; ++i) sum += a[y][i] * b[i][x];
    __syncthreads();
  }
  C[y * n + x] = sum;
}
)";

Compiler::Options options(const std::filesystem::path& cache) {
  Compiler::Options result;
  if (const char* library = std::getenv("WARPLENS_NVRTC"); library != nullptr) result.library = library;
  result.cache_folder = cache;
  return result;
}

Request request(bool want_cubin) {
  Request result;
  result.source = kTile;
  result.file_name = "k.cu";
  result.want_cubin = want_cubin;
  return result;
}

void anew(benchmark::State& state) {
  Compiler compiler(options({}));
  for (auto _ : state) {
    if (!compiler.compile(request(state.range(0) != 0))) {
      state.SkipWithError("no NVRTC");
      break;
    }
  }
}
BENCHMARK(anew)->Arg(0)->Arg(1)->ArgName("cubin")->Unit(benchmark::kMillisecond);

void cached(benchmark::State& state) {
  const warplens::TestFolder folder;
  (void)Compiler(options(folder.path())).compile(request(true));
  for (auto _ : state) {
    Compiler compiler(options(folder.path()));
    const auto build = compiler.compile(request(true));
    if (!build || !build->from_cache) {
      state.SkipWithError("not in the cache");
      break;
    }
  }
}
BENCHMARK(cached)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
