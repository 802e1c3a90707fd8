// The runs that the stops and expressions of a lesson ask for: on the emulator, with the accesses of block 0
// and of the block that is looked at.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "engine/catalog/catalog.hpp"
#include "engine/device/device.hpp"
#include "engine/lesson/evaluator.hpp"
#include "engine/run/runner.hpp"

namespace warplens::lesson {

// What is run. Parameters and sizes that are missing take their defaults.
struct RunKey {
  std::string kernel;  // id or path
  catalog::Values parameters = {}, sizes = {};
  std::string device = "h100";
  std::uint64_t block = 0;  // recorded beside block 0
  bool operator==(const RunKey&) const = default;
};

// A stop as run() completes what is not said from it.
struct StopRun {
  RunKey key;
  std::uint32_t warp = 0;
  AccessWish access = {};
};

// May be used by several threads; the runner keeps the newest runs.
class Runs {
 public:
  // What is named must outlive this.
  Runs(const catalog::Catalog& catalog, const device::DeviceTable& devices, run::Runner& runner,
       const std::atomic<bool>& cancel)
      : catalog_(catalog), devices_(devices), runner_(runner), cancel_(cancel) {}

  // Errors: unknown names, values that are not valid, code that does not compile, a fault of the kernel, a
  // cancelled run. A result that is wrong is none: Run::report.verified says it.
  Result<run::SharedRun> run(const RunKey& key) const;
  // The wish completed by the stop: its device, its sizes of the same problem, its block and warp of the same
  // kernel, and its access where the run has such a one.
  Result<Subject> run(const RunWish& wish, const StopRun& stop) const;

 private:
  Result<RunKey> complete(const RunWish& wish, const RunKey& stop) const;

  const catalog::Catalog& catalog_;
  const device::DeviceTable& devices_;
  run::Runner& runner_;
  const std::atomic<bool>& cancel_;
};

}  // namespace warplens::lesson
