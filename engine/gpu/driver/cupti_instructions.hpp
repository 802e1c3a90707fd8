// What each instruction did by itself, through CUPTI's SASS metrics (12.6 and later): the machine code is
// patched so that it adds that up. Unlike the counters of the L1 cache's data stage these have nothing in
// them that other traffic caused. Inside engine/gpu only: see Cupti.
// https://docs.nvidia.com/cupti/main/main.html#cupti-sass-metric-api
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/base/result.hpp"
#include "engine/gpu/driver/cupti.hpp"

namespace warplens::gpu {

struct InstructionFunctions;

class InstructionCounter {
 public:
  // Null where the library does not have it.
  static std::unique_ptr<InstructionCounter> bind_to(void* library);
  ~InstructionCounter();
  InstructionCounter(const InstructionCounter&) = delete;
  InstructionCounter& operator=(const InstructionCounter&) = delete;

  // chip: as CUPTI names it, "GH100". See Cupti::count_instructions.
  Result<std::vector<double>> count(const CountedLaunch& counted, const char* chip,
                                    std::span<const std::string> metrics) const;

 private:
  InstructionCounter();
  std::unique_ptr<InstructionFunctions> functions_;
};

}  // namespace warplens::gpu
