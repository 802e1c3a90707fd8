// Speed of the emulator: every kernel of the ladders at 512 x 512 x 512, with counters, verified; the same
// naive product on Oclgrind beside it, where that is installed. Compilation is not counted.
//   ninja -C build/release emulator_benchmark && build/release/bin/emulator_benchmark
#include <benchmark/benchmark.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "engine/base/testing/test_folder.hpp"
#include "engine/run/testing/run_support.hpp"

namespace warplens::run {
namespace {

constexpr std::int64_t kSize = 512;

void run_kernel(benchmark::State& state, const catalog::KernelSpec& spec, bool verify) {
  const auto problem = *problem::find_problem(spec);
  catalog::Values sizes;
  for (const auto& name : problem->size_names()) sizes[name] = kSize;
  const auto values = *catalog::resolve_values(spec, {}, sizes);
  const auto build = compiler().compile({spec.code, spec.path, values, 90, true});
  if (!build) return state.SkipWithError(to_line(build.error()).c_str());
  const auto kernel = *prepare(*build, h100());
  const auto shape = *catalog::launch_shape(spec, values, sizes);
  double instructions = 0, multiply_adds = 0;
  for (auto _ : state) {
    // A new instance each time: the reference result counts too.
    if (verify) state.PauseTiming();
    const auto instance = *problem->make(sizes, problem::Pattern::random, 1, std::uint64_t{1} << 32);
    for (std::size_t b = 0; b < instance->buffers().size(); ++b)
      benchmark::DoNotOptimize(instance->initial(b).data());
    if (verify) state.ResumeTiming();
    const auto result = emulate(*kernel, *instance, shape);
    if (!result || result->outcome.fault || !result->verification.verified)
      return state.SkipWithError("wrong result");
    if (!verify) state.SetIterationTime(result->outcome.seconds);
    instructions += static_cast<double>(result->outcome.counters.thread_instructions);
    multiply_adds += result->operations / 2;
  }
  state.counters["thread_instructions/s"] = benchmark::Counter(instructions, benchmark::Counter::kIsRate);
  state.counters["FMA/s"] = benchmark::Counter(multiply_adds, benchmark::Counter::kIsRate);
}

constexpr const char* kOpenCl =
    R"(kernel void matmul(global const float* A, global const float* B, global float* C, int n) {
  int r = get_global_id(1), c = get_global_id(0); float s = 0;
  for (int k = 0; k < n; ++k) s = fma(A[r * n + k], B[k * n + c], s);
  C[r * n + c] = s;
})";

// Seconds that oclgrind-kernel takes for an n x n x n product; negative where it cannot be run.
double oclgrind_seconds(const std::filesystem::path& folder, int n) {
  std::ofstream(folder / "matmul.cl") << kOpenCl;
  const std::string size = std::to_string(n * n * 4), edge = std::to_string(n),
                    block = std::to_string(n < 32 ? n : 32);
  std::ofstream(folder / "matmul.sim") << "matmul.cl\nmatmul\n"
                                       << edge << " " << edge << " 1\n"
                                       << block << " " << block << " 1\n"
                                       << "<size=" << size << " fill=1 float>\n<size=" << size
                                       << " fill=2 float>\n<size=" << size << " fill=0 float>\n<size=4 int>\n"
                                       << n << "\n";
  const std::string command = "cd '" + folder.string() + "' && oclgrind-kernel matmul.sim > /dev/null 2>&1";
  const auto start = std::chrono::steady_clock::now();
  if (std::system(command.c_str()) != 0) return -1;
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Its own start (a product of 1 x 1 x 1) is taken off.
void oclgrind(benchmark::State& state) {
  const TestFolder folder;
  constexpr int n = 128;
  double multiply_adds = 0;
  for (auto _ : state) {
    const double start = oclgrind_seconds(folder.path(), 1), whole = oclgrind_seconds(folder.path(), n);
    if (start < 0 || whole < 0)
      return state.SkipWithError("oclgrind-kernel is not installed (Debian package oclgrind)");
    state.SetIterationTime(whole - start);
    multiply_adds += double{n} * n * n;
  }
  state.counters["FMA/s"] = benchmark::Counter(multiply_adds, benchmark::Counter::kIsRate);
}

void register_all() {
  benchmark::RegisterBenchmark("oclgrind/naive_128", oclgrind)
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond)
      ->Iterations(3);
  for (const char* ladder : {"matmul/", "ncsa/"}) {
    for (const auto& spec : kernels().kernels()) {
      if (spec.id.rfind(ladder, 0) != 0) continue;
      benchmark::RegisterBenchmark(("execution/" + spec.id).c_str(),
                                   [spec](benchmark::State& s) { run_kernel(s, spec, false); })
          ->UseManualTime()
          ->Unit(benchmark::kMillisecond);
      benchmark::RegisterBenchmark(("verified/" + spec.id).c_str(),
                                   [spec](benchmark::State& s) { run_kernel(s, spec, true); })
          ->UseRealTime()
          ->Unit(benchmark::kMillisecond);
    }
  }
}

}  // namespace
}  // namespace warplens::run

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  warplens::run::register_all();
  benchmark::RunSpecifiedBenchmarks();
}
