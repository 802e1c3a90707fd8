// Times launches on a stream by events: warm-up, then rounds of samples, the contenders in turn, until the
// medians are known or the time is up.
//
// A round is queued as a whole and begins with an untimed launch, so that the GPU never waits for the host
// between the events of a sample (launches below 2 us excepted: there the rate of launching is what is
// timed).
#pragma once

#include <functional>
#include <vector>

#include "engine/gpu/driver/device_memory.hpp"
#include "engine/gpu/driver/nvml.hpp"
#include "engine/gpu/driver/statistics.hpp"
#include "engine/gpu/worker/worker.hpp"

namespace warplens::gpu {

struct Contender {
  std::function<Status()> launch;  // queues one launch
  int launches = 1;                // of one sample
  double seconds_of_one = 0;
  std::vector<double> samples = {};
};

// Everything that measuring uses and does not own.
struct Bench {
  std::shared_ptr<const Driver> driver;
  Handle stream = nullptr;
  std::function<Status()> wait;  // for the stream; tells a kernel's fault apart
  Nvml* nvml = nullptr;          // may be null
  const Progress* progress = nullptr;
  std::uint64_t l2_bytes = 0;
};

// Seconds between two events around what `work` queues.
Result<double> seconds_of(const Bench& bench, const std::function<Status()>& work);

Status measure(const Bench& bench, const TimingOptions& options, std::vector<Contender>& contenders);

}  // namespace warplens::gpu
