// In front of programs that 'warplens nvcc' compiles: names that CUDA 13 no longer has and older programs use.
#pragma once
#define cudaThreadSynchronize cudaDeviceSynchronize
#define cudaThreadExit cudaDeviceReset
#define cudaThreadSetLimit cudaDeviceSetLimit
#define cudaThreadGetLimit cudaDeviceGetLimit
#define cudaThreadSetCacheConfig cudaDeviceSetCacheConfig

// Members of cudaDeviceProp: our runtime writes them behind the last one that there is.
#define hostNumaMultinodeIpcSupported                                                                            \
  hostNumaMultinodeIpcSupported, clockRate, deviceOverlap, kernelExecTimeoutEnabled, computeMode, memoryClockRate, \
      cooperativeMultiDeviceLaunch, singleToDoublePrecisionPerfRatio, maxTexture1DLinear
#include <driver_types.h>
#undef hostNumaMultinodeIpcSupported
