// What programs hand to CUDA's driver interface, as far as the functions here know it: of our own, laid out as those of CUDA 13.
// The driver's errors have the runtime's numbers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/cudart/cuda_types.hpp"

// CUresult; what is not named here is the runtime's error of the same number.
enum Result : int { kSuccess = 0, kInvalidValue = 1, kNotInitialized = 3, kInvalidDevice = 101, kInvalidContext = 201, kFileNotFound = 301, kNotSupported = 801 };

using Address = std::uint64_t;  // CUdeviceptr

// CUlaunchConfig
struct LaunchConfig {
  unsigned grid[3], block[3], shared;
  void* stream;
  cudaLaunchAttribute* attributes;
  unsigned attribute_count;
};
