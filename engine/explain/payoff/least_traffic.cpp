#include "engine/explain/payoff/least_traffic.hpp"

#include <algorithm>

namespace warplens::explain {

double least_sectors(const run::Run& run) {
  constexpr double kSector = 32;
  const run::Emulation& ran = run.emulation;
  const emulator::Counters& counted = ran.outcome.counters;
  const double least = run.job->instance->least_bytes() / kSector;
  if (counted.tensor.load_sectors + counted.tensor.store_sectors > 0) return least;
  double asked = 0;
  for (const emulator::AccessCounts* kind :
       {&counted.global_load, &counted.global_store, &counted.global_atomic})
    asked += static_cast<double>(kind->bytes_used);
  asked /= ran.counted_share();
  return std::min(least, asked / kSector);
}

}  // namespace warplens::explain
