// Time of one call of count_global and of count_shared, over patterns from coalesced to random.
#include <benchmark/benchmark.h>

#include "engine/analysis/access.hpp"

namespace warplens::analysis {
namespace {

WarpAccess strided(int width, int stride) {
  WarpAccess access{AccessOp::load, width, 0xffffffffu, {}};
  for (int lane = 0; lane < 32; ++lane) access.address[lane] = static_cast<std::uint64_t>(lane * stride);
  return access;
}

void shared(benchmark::State& state) {
  const device::Device device;
  const WarpAccess access = strided(static_cast<int>(state.range(0)), static_cast<int>(state.range(1)));
  for (auto _ : state) benchmark::DoNotOptimize(count_shared(access, device));
}
void global(benchmark::State& state) {
  const device::Device device;
  const WarpAccess access = strided(static_cast<int>(state.range(0)), static_cast<int>(state.range(1)));
  for (auto _ : state) benchmark::DoNotOptimize(count_global(access, device));
}
BENCHMARK(shared)->Args({4, 4})->Args({4, 128})->Args({4, 0})->Args({16, 16})->Args({16, 128});
BENCHMARK(global)->Args({4, 4})->Args({4, 128})->Args({4, 4096})->Args({16, 16})->Args({1, 1});

}  // namespace
}  // namespace warplens::analysis
