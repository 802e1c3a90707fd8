// The hardware's own counters, through the range profiler of NVIDIA's CUPTI (12.6 and later), loaded when it
// is asked for. A process that has opened it stays hooked into the driver: time nothing there.
// https://docs.nvidia.com/cupti/main/main.html#cupti-range-profiling-api
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/base/result.hpp"
#include "engine/gpu/driver/driver.hpp"

namespace warplens::gpu {

// What of the current context is counted.
struct CountedLaunch {
  Handle context = nullptr;
  int device = 0;  // as cuDeviceGet gave it
  // Launches one kernel on fresh buffers and waits for it. Called again where the counters need that.
  std::function<Status()> launch;
};

struct CuptiFunctions;
class InstructionCounter;

class Cupti {
 public:
  // folders: as for Cublas. Errors: not installed, or older than 12.6.
  static Result<std::unique_ptr<Cupti>> open(const std::vector<std::filesystem::path>& folders);
  ~Cupti();
  Cupti(const Cupti&) = delete;
  Cupti& operator=(const Cupti&) = delete;

  // One number for each metric ("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"): the least of so many
  // launches, since what competes for a unit can only add. Errors: this user may not count, a metric that the
  // device does not have, an error of the launch.
  Result<std::vector<double>> count(const CountedLaunch& counted, std::span<const std::string> metrics,
                                    int launches) const;

  // One number for each metric of instructions ("smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared"), of one
  // launch of the patched kernel: see cupti_instructions.hpp. Errors: as above, and a CUPTI or device without
  // these.
  Result<std::vector<double>> count_instructions(const CountedLaunch& counted,
                                                 std::span<const std::string> metrics) const;

 private:
  Cupti();
  std::unique_ptr<CuptiFunctions> functions_;
  std::unique_ptr<InstructionCounter> instructions_;  // null: this CUPTI has none
};

}  // namespace warplens::gpu
