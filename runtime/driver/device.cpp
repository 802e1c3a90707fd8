// The device, and contexts on it.
#include <algorithm>
#include <cstdio>
#include <cstring>

#include "runtime/driver/driver.hpp"
#include "runtime/driver/runtime_calls.hpp"

using namespace warplens::driver;

namespace warplens::driver {

bool& is_initialized() {
  static bool is = false;
  return is;
}
std::vector<Context*>& contexts() {
  thread_local std::vector<Context*> stack;
  return stack;
}
Context& primary() {
  static Context one;
  return one;
}

}  // namespace warplens::driver

extern "C" int warplens_unsupported(const char* name) {
  cudaWarplensUnsupported(name);
  return kNotSupported;
}

WARPLENS_API Result cuInit(unsigned flags) {
  if (flags != 0) return kInvalidValue;
  int count = 0;
  const auto error = static_cast<Result>(cudaGetDeviceCount(&count));
  is_initialized() = error == kSuccess;
  return error;
}
WARPLENS_API Result cuDriverGetVersion(int* version) { return static_cast<Result>(cudaDriverGetVersion(version)); }
WARPLENS_API Result cuDeviceGetCount(int* count) {
  return initialized([&] { return cudaGetDeviceCount(count); });
}
WARPLENS_API Result cuDeviceGet(int* device, int number) {
  return initialized([&] {
    *device = 0;
    return number == 0 ? kSuccess : kInvalidDevice;
  });
}
WARPLENS_API Result cuDeviceGetAttribute(int* value, int attribute, int device) {
  return initialized([&] { return cudaDeviceGetAttribute(value, attribute, device); });
}
WARPLENS_API Result cuDeviceGetName(char* name, int size, int device) {
  return initialized([&] {
    cudaDeviceProp properties;
    if (name == nullptr || size <= 0) return cudaErrorInvalidValue;
    const auto error = cudaGetDeviceProperties(&properties, device);
    if (error == cudaSuccess) std::snprintf(name, static_cast<std::size_t>(size), "%s", properties.name);
    return error;
  });
}
WARPLENS_API Result cuDeviceTotalMem_v2(std::size_t* bytes, int device) {
  return initialized([&] {
    cudaDeviceProp properties;
    const auto error = cudaGetDeviceProperties(&properties, device);
    if (error == cudaSuccess) *bytes = properties.totalGlobalMem;
    return error;
  });
}
WARPLENS_API Result cuDeviceComputeCapability(int* major, int* minor, int device) {
  constexpr int kMajor = 75, kMinor = 76;  // CUdevice_attribute
  if (const Result error = cuDeviceGetAttribute(major, kMajor, device)) return error;
  return cuDeviceGetAttribute(minor, kMinor, device);
}
WARPLENS_API Result cuDeviceGetUuid_v2(char* uuid, int device) {
  if (device != 0) return kInvalidDevice;
  std::memset(uuid, 0, 16);
  return kSuccess;
}
WARPLENS_API Result cuDeviceCanAccessPeer(int* can, int from, int to) {
  return initialized([&] { return cudaDeviceCanAccessPeer(can, from, to); });
}

WARPLENS_API Result cuCtxCreate_v2(Context** context, unsigned flags, int device) {
  return initialized([&] {
    if (context == nullptr) return kInvalidValue;
    if (device != 0) return kInvalidDevice;
    *context = new Context{flags};
    contexts().push_back(*context);
    return kSuccess;
  });
}
WARPLENS_API Result cuCtxCreate_v3(Context** context, void*, int, unsigned flags, int device) {
  return cuCtxCreate_v2(context, flags, device);
}
WARPLENS_API Result cuCtxCreate_v4(Context** context, void*, unsigned flags, int device) {
  return cuCtxCreate_v2(context, flags, device);
}
// What is still allocated is given back with the process.
WARPLENS_API Result cuCtxDestroy_v2(Context* context) {
  if (context == nullptr) return kInvalidContext;
  std::erase(contexts(), context);
  if (context != &primary()) delete context;
  return kSuccess;
}
WARPLENS_API Result cuCtxPushCurrent_v2(Context* context) {
  if (context == nullptr) return kInvalidContext;
  contexts().push_back(context);
  return kSuccess;
}
WARPLENS_API Result cuCtxPopCurrent_v2(Context** context) {
  if (contexts().empty()) return kInvalidContext;
  if (context != nullptr) *context = contexts().back();
  contexts().pop_back();
  return kSuccess;
}
WARPLENS_API Result cuCtxSetCurrent(Context* context) {
  if (!contexts().empty()) contexts().pop_back();
  if (context != nullptr) contexts().push_back(context);
  return kSuccess;
}
WARPLENS_API Result cuCtxGetCurrent(Context** context) {
  *context = contexts().empty() ? nullptr : contexts().back();
  return kSuccess;
}
WARPLENS_API Result cuCtxGetDevice(int* device) {
  *device = 0;
  return ready();
}
WARPLENS_API Result cuCtxGetFlags(unsigned* flags) {
  *flags = contexts().empty() ? 0 : contexts().back()->flags;
  return ready();
}
WARPLENS_API Result cuCtxGetApiVersion(Context*, unsigned* version) {
  *version = 13000;
  return kSuccess;
}
WARPLENS_API Result cuCtxSynchronize() { return with_context(cudaDeviceSynchronize); }
WARPLENS_API Result cuCtxSetLimit(int limit, std::size_t value) {
  return with_context([&] { return cudaDeviceSetLimit(limit, value); });
}
WARPLENS_API Result cuCtxGetLimit(std::size_t* value, int limit) {
  return with_context([&] { return cudaDeviceGetLimit(value, limit); });
}
WARPLENS_API Result cuCtxSetCacheConfig(int) { return ready(); }
WARPLENS_API Result cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  return with_context([&] { return cudaDeviceGetStreamPriorityRange(least, greatest); });
}
WARPLENS_API Result cuDevicePrimaryCtxRetain(Context** context, int device) {
  return initialized([&] {
    *context = &primary();
    return device == 0 ? kSuccess : kInvalidDevice;
  });
}
WARPLENS_API Result cuDevicePrimaryCtxRelease_v2(int) { return kSuccess; }
WARPLENS_API Result cuDevicePrimaryCtxReset_v2(int) {
  return initialized([] { return cudaDeviceReset(); });
}
WARPLENS_API Result cuDevicePrimaryCtxSetFlags_v2(int, unsigned flags) {
  primary().flags = flags;
  return kSuccess;
}
WARPLENS_API Result cuDevicePrimaryCtxGetState(int, unsigned* flags, int* active) {
  *flags = primary().flags;
  *active = std::count(contexts().begin(), contexts().end(), &primary()) > 0;
  return kSuccess;
}

WARPLENS_API Result cuGetErrorString(int error, const char** text) {
  *text = cudaGetErrorString(error);
  return kSuccess;
}
// The runtime's names say "cudaError", where the driver's say "CUDA_ERROR".
WARPLENS_API Result cuGetErrorName(int error, const char** text) {
  *text = error == kSuccess ? "CUDA_SUCCESS" : cudaGetErrorName(error);
  return kSuccess;
}
WARPLENS_API Result cuProfilerStart() { return kSuccess; }
WARPLENS_API Result cuProfilerStop() { return kSuccess; }
