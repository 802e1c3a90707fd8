#include "engine/run/report.hpp"

namespace warplens::run {
namespace {

GlobalTraffic global(const emulator::AccessTotals& totals) {
  return {totals.requests, totals.cost, totals.bytes_used};
}
SharedTraffic shared(const emulator::AccessTotals& totals) {
  return {totals.requests, totals.cost, totals.ideal};
}

}  // namespace

Counts counts_of(const emulator::Counters& counters) {
  Counts counts;
  counts.warp_instructions = counters.warp_instructions;
  counts.thread_instructions = counters.thread_instructions;
  counts.global_load = global(counters.global_load);
  counts.global_store = global(counters.global_store);
  counts.shared_load = shared(counters.shared_load);
  counts.shared_store = shared(counters.shared_store);
  return counts;
}

double gflops(const Report& report) {
  return report.seconds > 0 ? report.operations / report.seconds * 1e-9 : 0;
}

}  // namespace warplens::run
