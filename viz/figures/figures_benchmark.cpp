// How long one picture of the access figure takes, by the size of the matrices and the part shown: the window
// makes one for each step while it plays. Goal: 5 ms on one core.
#include <benchmark/benchmark.h>

#include "viz/figures/access/pick.hpp"
#include "viz/figures/code/code.hpp"
#include "viz/figures/performance/timeline.hpp"
#include "viz/figures/testing/recorded_run.hpp"
#include "viz/figures/warp/bank_map.hpp"
#include "viz/paint/fonts.hpp"

namespace warplens::figures {
namespace {

constexpr scene::Size kSize{1280, 720};

const paint::Fonts& fonts() {
  static const auto one = *paint::Fonts::open();
  return *one;
}

std::string size_text(std::int64_t size) {
  return std::to_string(size) + "," + std::to_string(size) + "," +
         std::to_string(std::min<std::int64_t>(size, 256));
}

void access(benchmark::State& state, const std::string& kernel, bool whole) {
  const auto run = record(kernel, size_text(state.range(0)));
  if (run == nullptr) return state.SkipWithError("no compiler");
  const AccessStory& story = *run->stories[0];
  const auto steps = static_cast<std::uint32_t>(story.accesses().of_warp(0).size());
  Place selection;
  for (auto _ : state) {
    selection.access = (selection.access + 7) % steps;
    benchmark::DoNotOptimize(access_scene(*run, selection, {.whole = whole}, kSize, fonts()));
  }
}

void pick(benchmark::State& state) {
  const auto run = record("matmul/05_register_2d", size_text(state.range(0)));
  if (run == nullptr) return state.SkipWithError("no compiler");
  for (auto _ : state) benchmark::DoNotOptimize(pick_access(*run, {}, {}, kSize, fonts(), {500, 500}));
}

void code(benchmark::State& state) {
  const auto run = record("matmul/09_warp_tile", "256");
  if (run == nullptr) return state.SkipWithError("no compiler");
  for (auto _ : state) benchmark::DoNotOptimize(code_scene(*run, {.pc = 300}, kSize, fonts()));
}

void timeline(benchmark::State& state) {
  TimelineInput input{"", "", {}, 132};
  for (std::uint64_t b = 0; b < static_cast<std::uint64_t>(state.range(0)); ++b)
    input.blocks.push_back(
        {b, static_cast<std::uint32_t>(b % 132), b / 264 * 9'000, b / 264 * 9'000 + 8'700});
  const Timeline laid_out(std::move(input));
  for (auto _ : state) benchmark::DoNotOptimize(timeline_scene(laid_out, kSize, fonts()));
}

void sizes(benchmark::internal::Benchmark* one) {
  one->Arg(8)->Arg(512)->Arg(8192)->Unit(benchmark::kMillisecond);
}

BENCHMARK_CAPTURE(access, naive, "matmul/01_naive", false)->Apply(sizes);
BENCHMARK_CAPTURE(access, naive_whole, "matmul/01_naive", true)->Apply(sizes);
BENCHMARK_CAPTURE(access, register_2d, "matmul/05_register_2d", false)->Apply(sizes);
BENCHMARK_CAPTURE(access, register_2d_whole, "matmul/05_register_2d", true)->Apply(sizes);
BENCHMARK_CAPTURE(access, warp_tile, "matmul/09_warp_tile", false)->Apply(sizes);
BENCHMARK(pick)->Apply(sizes);
BENCHMARK(code)->Unit(benchmark::kMillisecond);
BENCHMARK(timeline)->Arg(1)->Arg(4000)->Arg(100'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace warplens::figures
