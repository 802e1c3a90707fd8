// From a run of engine/run to its predicted time: records the accesses of the blocks that one SM holds
// together, then predicts.
#pragma once

#include <atomic>
#include <optional>

#include "engine/base/cancel.hpp"
#include "engine/run/derived/placed.hpp"
#include "engine/run/run.hpp"
#include "engine/time/model.hpp"

namespace warplens::time {

// What watching some blocks gave.
struct Watched {
  std::map<std::uint32_t, AccessProfile> profile;   // by pc
  double footprint_bytes = 0;                       // of all buffers
  std::shared_ptr<const AsyncWork> async = {};      // of one block; null: none of it
  std::shared_ptr<const UnevenCounts> uneven = {};  // see Input
};
// All that the model reads of an execution.
struct Counted {
  emulator::Counters counters;
  Watched watched;
};
// Error: a block that the device cannot hold.
Result<device::Occupancy> occupancy_of(const run::Job& job);

struct CountOptions {
  run::Placed* placed = nullptr;  // the job's instance; null: it is placed for this
  int threads = 0;                // of the host; 0: one a core
  const std::atomic<bool>* cancel = nullptr;
};
// For callers that have no run: counts those blocks that the others repeat, else a sample of them where there
// are many. Errors: as of a run; a fault of the kernel; a kernel that the model does not know, or that does not fit
// on the device, of which nothing runs.
Result<Counted> count(const run::Job& job, const emulator::Kernel& kernel, const CountOptions& options = {});
// What a run counted, with some of its blocks watched. Errors: as why_not(), and of watch(); cancelled, as all
// below that is given the flag.
Result<Counted> counted_of(const run::Run& run, const std::atomic<bool>& cancel = kNeverCancelled);

struct PredictOptions {
  Settings parameters = {};      // instead of the device's own
  bool from_ptx = false;         // although machine code is there
  SmHistory* history = nullptr;  // null: not wanted
  int blocks_per_sm = 0;         // 0: as many as fit
  const std::atomic<bool>& cancel = kNeverCancelled;
};
// Errors: a block that the device cannot hold; a fault of the kernel.
Result<Prediction> predict(const run::Job& job, const emulator::Kernel& kernel, const Counted& counted,
                           const PredictOptions& options = {});
Result<Prediction> predict(const run::Run& run, const std::atomic<bool>& cancel = kNeverCancelled);
// With the model that it came from, to change it and predict again.
Result<Modelled> modelled(const run::Job& job, const emulator::Kernel& kernel, const Counted& counted,
                          const PredictOptions& options = {});
Result<Modelled> modelled(const run::Run& run, const std::atomic<bool>& cancel = kNeverCancelled);
// Why there is nothing to predict from: a preview, a fault, a run that counted nothing.
std::optional<Error> why_not(const run::Run& run);

}  // namespace warplens::time
