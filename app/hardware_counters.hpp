// Counters of the hardware for one launch, through NVIDIA's profiler ncu where it is installed. A program of
// its own, not CUPTI's library: counting needs rights that many machines give to nobody but the profiler's
// user, and ncu runs this very program, so nothing here depends on the profiler's version.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "app/run_job.hpp"
#include "engine/base/result.hpp"

namespace warplens::app {

// By the names of the table of run --engine both: "global_load.sectors".
using HardwareCounters = std::map<std::string, std::uint64_t>;

// Runs the plan once under ncu. home: of the kernels. Errors, each in one line: no ncu, no right to count, no
// answer within two minutes.
Result<HardwareCounters> count_on_hardware(const RunPlan& plan, const std::string& home, int gpu);

// What ncu --csv printed. Errors: a refusal of the driver, output without the counters.
Result<HardwareCounters> parse_ncu(std::string_view printed);

}  // namespace warplens::app
