// What verification costs beside a run: a reference computed each time, and one that is kept.
#include <benchmark/benchmark.h>

#include <vector>

#include "engine/problem/problem.hpp"

namespace warplens::problem {
namespace {

constexpr std::uint64_t kMemory = std::uint64_t{4} << 30;

std::shared_ptr<const Instance> square(std::string_view problem, std::int64_t edge) {
  const Problem* found = *find_problem(problem);
  const auto sizes = parse_sizes(*found, std::to_string(edge));
  auto instance = *found->make(*sizes, Pattern::random, 1, kMemory);
  for (std::size_t i = 0; i < instance->buffers().size(); ++i) benchmark::DoNotOptimize(instance->initial(i));
  return instance;
}

std::span<const std::byte> any_output(const Instance& instance) {
  for (std::size_t i = 0; i < instance.buffers().size(); ++i) {
    if (instance.buffers()[i].is_output) return instance.initial(i);
  }
  return {};
}

void sgemm_reference(benchmark::State& state) {
  for (auto _ : state) {
    state.PauseTiming();
    const auto instance = square("sgemm", state.range(0));
    state.ResumeTiming();
    benchmark::DoNotOptimize(instance->verify(any_output(*instance)));
  }
}
BENCHMARK(sgemm_reference)
    ->Arg(128)
    ->Arg(256)
    ->Arg(512)
    ->Arg(1024)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

void sgemm_kept_reference(benchmark::State& state) {
  const auto instance = square("sgemm", state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(instance->verify(any_output(*instance)));
}
BENCHMARK(sgemm_kept_reference)->Arg(512)->Unit(benchmark::kMillisecond)->UseRealTime();

// 16 blocks of 64 x 64 along the diagonal of 4096 x 4096, as a sample of blocks leaves them.
void sgemm_sample(benchmark::State& state) {
  constexpr std::size_t kEdge = 4096, kBlock = 64;
  std::vector<std::uint8_t> checked(kEdge * kEdge);
  for (std::size_t block = 0; block < 16; ++block) {
    for (std::size_t i = 0; i < kBlock * kBlock; ++i) {
      const std::size_t row = block * 256 + i / kBlock, column = block * 256 + i % kBlock;
      checked[row * kEdge + column] = 1;
    }
  }
  for (auto _ : state) {
    state.PauseTiming();
    const auto instance = square("sgemm", kEdge);
    state.ResumeTiming();
    benchmark::DoNotOptimize(instance->verify(any_output(*instance), checked));
  }
}
BENCHMARK(sgemm_sample)->Unit(benchmark::kMillisecond)->UseRealTime();

void transpose_check(benchmark::State& state) {
  const auto instance = square("transpose", state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(instance->verify(any_output(*instance)));
}
BENCHMARK(transpose_check)->Arg(1024)->Arg(4096)->Unit(benchmark::kMillisecond)->UseRealTime();

void reduce_reference(benchmark::State& state) {
  for (auto _ : state) {
    state.PauseTiming();
    const auto instance = square("reduce", state.range(0));
    state.ResumeTiming();
    benchmark::DoNotOptimize(instance->verify(any_output(*instance)));
  }
}
BENCHMARK(reduce_reference)->Arg(1 << 22)->Unit(benchmark::kMillisecond)->UseRealTime();

void random_inputs(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(square("sgemm", state.range(0)));
}
BENCHMARK(random_inputs)->Arg(512)->Arg(4096)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace warplens::problem

BENCHMARK_MAIN();
