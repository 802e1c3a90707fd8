// How long a slider move waits for the catalog.
#include <benchmark/benchmark.h>

#include "engine/catalog/kernel_spec.hpp"

namespace warplens::catalog {
namespace {

// 4 x 4 x 4 x 8 x 8 = 4096 combinations.
constexpr std::string_view kFile = R"cu(/*---
title = "t"
problem = "sgemm"
[params]
BM = { default = 64, values = [16, 32, 64, 128] }
BN = { default = 64, values = [16, 32, 64, 128] }
BK = { default = 8, values = [4, 8, 16, 32] }
TM = { default = 8, values = [1, 2, 4, 8, 16, 32, 64, 128] }
TN = { default = 8, values = [1, 2, 4, 8, 16, 32, 64, 128] }
[launch]
block = ["BM * BN / (TM * TN)"]
grid = ["ceil_div(N, BN)", "ceil_div(M, BM)"]
require = ["BM % TM == 0", "BN % TN == 0", "BM * BN >= WARP * TM * TN", "(BM + BN) * BK * 4 <= 49152"]
---*/
)cu";
const Values kSizes{{"M", 512}, {"N", 512}, {"K", 512}};

void parse(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(parse_kernel(kFile, "a", "a.cu"));
}
BENCHMARK(parse)->Unit(benchmark::kMicrosecond);

void resolve(benchmark::State& state) {
  const auto spec = parse_kernel(kFile, "a", "a.cu");
  for (auto _ : state) benchmark::DoNotOptimize(resolve_values(*spec, {{"TM", 4}}, kSizes));
}
BENCHMARK(resolve)->Unit(benchmark::kMicrosecond);

void resolve_to_nearest(benchmark::State& state) {
  const auto spec = parse_kernel(kFile, "a", "a.cu");
  for (auto _ : state) benchmark::DoNotOptimize(resolve_values(*spec, {{"TM", 128}}, kSizes));
}
BENCHMARK(resolve_to_nearest)->Unit(benchmark::kMicrosecond);

void all_legal_sets(benchmark::State& state) {
  const auto spec = parse_kernel(kFile, "a", "a.cu");
  for (auto _ : state) {
    const auto sets = valid_parameter_sets(*spec, kSizes);
    state.counters["sets"] = static_cast<double>(sets.size());
  }
}
BENCHMARK(all_legal_sets)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace warplens::catalog

BENCHMARK_MAIN();
