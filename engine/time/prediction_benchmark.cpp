// What a prediction adds to a run: each step of the matrix product as it opens, at sizes from 128 to 8192.
// Each row is the quicker of two predictions, in time of the clock and of the processor.
//
//   prediction_benchmark [WORD]   kernels with WORD in their id, instead of the ladder
#include <fmt/format.h>
#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "engine/base/testing/processor_time.hpp"
#include "engine/run/testing/run_support.hpp"
#include "engine/time/predict_run.hpp"

namespace warplens::time {
namespace {

struct Cost {
  double run = 0, wall = 1e9, processor = 1e9;  // milliseconds
};

Result<Cost> cost_of(const catalog::KernelSpec& spec, const catalog::Values& sizes) {
  using Clock = std::chrono::steady_clock;
  const auto since = [](Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  };
  const auto job = run::job_of(spec, {}, sizes);
  if (!job) return job.error();
  Cost cost;
  auto start = Clock::now();
  const auto run = run::run_on_emulator(*job);
  if (!run) return run.error();
  cost.run = since(start);
  for (int pass = 0; pass < 2; ++pass) {
    start = Clock::now();
    const double before = seconds_of_processor();
    const auto prediction = predict(**run);
    if (!prediction) return prediction.error();
    cost.processor = std::min(cost.processor, 1e3 * (seconds_of_processor() - before));
    cost.wall = std::min(cost.wall, since(start));
  }
  return cost;
}

void print_quantiles(std::string_view what, const std::vector<Cost>& costs, double Cost::*column) {
  std::vector<double> sorted;
  for (const Cost& cost : costs) sorted.push_back(cost.*column);
  std::ranges::sort(sorted);
  const auto below = [&](double share) {
    return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
  };
  fmt::print("{}: p50 {:.0f} ms, p95 {:.0f}, most {:.0f}, of {} rows\n", what, below(0.5), below(0.95),
             sorted.back(), sorted.size());
}

int measure(const std::string& word) {
  std::vector<Cost> costs;
  fmt::print("{:<28} {:>6} {:>10} {:>10} {:>10}\n", "kernel", "size", "run", "predicted", "processor");
  for (const auto& spec : run::kernels().kernels()) {
    if (spec.id.find(word) == std::string::npos) continue;
    for (const std::int64_t size : {128, 256, 512, 1000, 1024, 2048, 4096, 8192}) {
      const auto cost = cost_of(spec, {{"M", size}, {"N", size}, {"K", size}});
      if (!cost) continue;  // no such sizes
      fmt::print("{:<28} {:>6} {:>7.0f} ms {:>7.0f} ms {:>7.0f} ms\n", spec.id, size, cost->run, cost->wall,
                 cost->processor);
      std::fflush(stdout);
      costs.push_back(*cost);
    }
  }
  if (costs.empty()) return 1;
  print_quantiles("by the clock", costs, &Cost::wall);
  print_quantiles("of the processor", costs, &Cost::processor);
  return 0;
}

}  // namespace
}  // namespace warplens::time

int main(int argc, char** argv) { return warplens::time::measure(argc > 1 ? argv[1] : "matmul/"); }
