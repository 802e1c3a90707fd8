// Thread-instructions a second of the ladder kernels with counters only (recorded:0) and with every access of
// every block recorded (recorded:1), on two threads of the host.
#include <benchmark/benchmark.h>

#include "engine/trace/recorder.hpp"
#include "engine/trace/testing/ladder_run.hpp"

namespace {

using namespace warplens;

void run_kernel(benchmark::State& state, const trace::LadderKernel& kernel) {
  const bool recorded = state.range(0) != 0;
  trace::LadderRun run(kernel, 256);
  double instructions = 0, events = 0, bytes = 0, seconds = 0;
  for (auto _ : state) {
    trace::Recorder recorder;
    const auto outcome = run.run(recorded ? &recorder : nullptr, 2);
    if (outcome.fault) state.SkipWithError(to_line(outcome.fault->error).c_str());
    instructions += static_cast<double>(outcome.counters.thread_instructions);
    seconds += outcome.seconds;
    if (!recorded) continue;
    const auto trace = recorder.finish(outcome.fault);
    events += static_cast<double>(trace.events());
    bytes += static_cast<double>(trace.bytes());
  }
  state.counters["thread_instr/s"] = benchmark::Counter(instructions, benchmark::Counter::kIsRate);
  state.counters["executing/s"] = instructions / seconds;  // without launch and finish
  if (!recorded) return;
  state.counters["events/s"] = benchmark::Counter(events, benchmark::Counter::kIsRate);
  state.counters["bytes/event"] = bytes / events;
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  for (const auto& kernel : trace::ladder())
    benchmark::RegisterBenchmark(kernel.name,
                                 [&kernel](benchmark::State& state) { run_kernel(state, kernel); })
        ->ArgName("recorded")
        ->Arg(0)
        ->Arg(1)
        ->UseRealTime()
        ->Unit(benchmark::kMillisecond);
  benchmark::RunSpecifiedBenchmarks();
}
