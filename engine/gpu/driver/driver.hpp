// The CUDA driver, loaded at run time, and what is used of it. The prototypes are here because cuda.h need
// not be installed; they are those of CUDA 11 and later (the _v2 names are what cuda.h makes of the plain
// ones). https://docs.nvidia.com/cuda/cuda-driver-api
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.hpp"
#include "engine/base/shared_library.hpp"
#include "engine/gpu/types.hpp"

namespace warplens::gpu {

using DevicePointer = std::uint64_t;
using Handle = void*;  // of a context, module, function, stream or event

// Every entry is found or loading fails. 0 is success.
#define WARPLENS_DRIVER_FUNCTIONS(F)                                                                         \
  F(int, cuInit, (unsigned flags))                                                                           \
  F(int, cuDriverGetVersion, (int* version))                                                                 \
  F(int, cuGetErrorName, (int code, const char** name))                                                      \
  F(int, cuGetErrorString, (int code, const char** text))                                                    \
  F(int, cuDeviceGetCount, (int* count))                                                                     \
  F(int, cuDeviceGet, (int* device, int ordinal))                                                            \
  F(int, cuDeviceGetName, (char* name, int length, int device))                                              \
  F(int, cuDeviceGetAttribute, (int* value, int attribute, int device))                                      \
  F(int, cuDeviceTotalMem_v2, (std::size_t * bytes, int device))                                             \
  F(int, cuDeviceGetPCIBusId, (char* id, int length, int device))                                            \
  F(int, cuDevicePrimaryCtxRetain, (Handle * context, int device))                                           \
  F(int, cuDevicePrimaryCtxRelease_v2, (int device))                                                         \
  F(int, cuCtxSetCurrent, (Handle context))                                                                  \
  F(int, cuModuleLoadData, (Handle * module, const void* image))                                             \
  F(int, cuModuleLoadDataEx,                                                                                 \
    (Handle * module, const void* image, unsigned count, int* options, void** values))                       \
  F(int, cuModuleUnload, (Handle module))                                                                    \
  F(int, cuModuleGetFunction, (Handle * function, Handle module, const char* name))                          \
  F(int, cuFuncSetAttribute, (Handle function, int attribute, int value))                                    \
  F(int, cuFuncGetAttribute, (int* value, int attribute, Handle function))                                   \
  F(int, cuLaunchKernel,                                                                                     \
    (Handle function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y, \
     unsigned block_z, unsigned shared_bytes, Handle stream, void** parameters, void** extra))               \
  F(int, cuLaunchCooperativeKernel,                                                                          \
    (Handle function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y, \
     unsigned block_z, unsigned shared_bytes, Handle stream, void** parameters))                             \
  F(int, cuMemAlloc_v2, (DevicePointer * pointer, std::size_t bytes))                                        \
  F(int, cuMemFree_v2, (DevicePointer pointer))                                                              \
  F(int, cuMemGetInfo_v2, (std::size_t * free, std::size_t * total))                                         \
  F(int, cuMemHostRegister_v2, (void* memory, std::size_t bytes, unsigned flags))                            \
  F(int, cuMemHostUnregister, (void* memory))                                                                \
  F(int, cuMemcpyHtoDAsync_v2, (DevicePointer to, const void* from, std::size_t bytes, Handle stream))       \
  F(int, cuMemcpyDtoHAsync_v2, (void* to, DevicePointer from, std::size_t bytes, Handle stream))             \
  F(int, cuMemsetD8Async, (DevicePointer to, unsigned char value, std::size_t bytes, Handle stream))         \
  F(int, cuStreamCreate, (Handle * stream, unsigned flags))                                                  \
  F(int, cuStreamSynchronize, (Handle stream))                                                               \
  F(int, cuStreamDestroy_v2, (Handle stream))                                                                \
  F(int, cuEventCreate, (Handle * event, unsigned flags))                                                    \
  F(int, cuEventRecord, (Handle event, Handle stream))                                                       \
  F(int, cuEventSynchronize, (Handle event))                                                                 \
  F(int, cuEventElapsedTime, (float* milliseconds, Handle begin, Handle end))                                \
  F(int, cuEventDestroy_v2, (Handle event))                                                                  \
  F(int, cuEventQuery, (Handle event))                                                                       \
  F(int, cuStreamCreateWithPriority, (Handle * stream, unsigned flags, int priority))                        \
  F(int, cuCtxGetStreamPriorityRange, (int* least, int* greatest))                                           \
  F(int, cuMemAllocHost_v2, (void** memory, std::size_t bytes))                                              \
  F(int, cuMemFreeHost, (void* memory))                                                                      \
  F(int, cuMemHostAlloc, (void** memory, std::size_t bytes, unsigned flags))                                 \
  F(int, cuMemcpyDtoDAsync_v2, (DevicePointer to, DevicePointer from, std::size_t bytes, Handle stream))     \
  F(int, cuMemsetD32Async, (DevicePointer to, unsigned value, std::size_t words, Handle stream))             \
  F(int, cuModuleGetGlobal_v2,                                                                               \
    (DevicePointer * pointer, std::size_t * bytes, Handle module, const char* name))                         \
  F(int, cuGraphicsGLRegisterBuffer, (Handle * resource, unsigned buffer, unsigned flags))                   \
  F(int, cuGraphicsUnregisterResource, (Handle resource))                                                    \
  F(int, cuGraphicsMapResources, (unsigned count, Handle* resources, Handle stream))                         \
  F(int, cuGraphicsUnmapResources, (unsigned count, Handle* resources, Handle stream))                       \
  F(int, cuGraphicsResourceGetMappedPointer_v2,                                                              \
    (DevicePointer * pointer, std::size_t * bytes, Handle resource))

struct DriverFunctions {
  WARPLENS_FUNCTION_TABLE(WARPLENS_DRIVER_FUNCTIONS)
  // Null in drivers before 12.0.
  int (*cuTensorMapEncodeTiled)(void* map, int type, std::uint32_t dimensions, void* address,
                                const std::uint64_t* extents, const std::uint64_t* strides,
                                const std::uint32_t* box, const std::uint32_t* element_strides,
                                int interleave, int swizzle, int promotion, int fill) = nullptr;
};
inline constexpr int kNotReady = 600;  // CUDA_ERROR_NOT_READY

class Driver {
 public:
  // Errors: no libcuda.so.1, one that is too old, cuInit refuses (says the driver's own reason).
  static Result<std::shared_ptr<const Driver>> load();

  const DriverFunctions& functions() const { return functions_; }
  int version() const { return version_; }  // 13000 for 13.0

  // Done, or an error that names the call, the driver's code and its text.
  Status check(int code, std::string_view call) const;
  std::string name_of(int code) const;  // "CUDA_ERROR_ILLEGAL_ADDRESS"
  std::string text_of(int code) const;  // "an illegal memory access was encountered"

  Result<std::vector<GpuDevice>> devices() const;

 private:
  Result<GpuDevice> describe(int ordinal) const;
  DriverFunctions functions_{};
  int version_ = 0;
};

}  // namespace warplens::gpu

// Returns the error of a call that does not succeed: for functions that return a Status or a Result.
#define WARPLENS_GPU_TRY(driver, call) \
  if (const auto status = (driver).check((driver).functions().call, #call); !status) return status.error()
