// Modules, launches, memory, streams and events of the driver interface.
#include <dlfcn.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include "runtime/driver/driver.hpp"
#include "runtime/driver/runtime_calls.hpp"

using namespace warplens::driver;

namespace {

void* pointer(Address address) { return reinterpret_cast<void*>(address); }

// cuLaunchKernel's `extra`: 1, the bytes of all parameters, 2, where their count stands, and 0.
std::vector<void*> parameters_in(const void* kernel, void* const* extra) {
  char* bytes = nullptr;
  for (; extra[0] != nullptr; extra += 2)
    if (reinterpret_cast<std::uintptr_t>(extra[0]) == 1) bytes = static_cast<char*>(extra[1]);
  std::vector<void*> places;
  std::size_t offset = 0, size = 0;
  while (bytes != nullptr && cudaWarplensParameter(kernel, places.size(), &offset, &size)) places.push_back(bytes + offset);
  return places;
}

Result launch(const void* kernel, const LaunchConfig& with, void** parameters, void** extra) {
  return with_context([&] {
    if (kernel == nullptr) return cudaErrorInvalidResourceHandle;
    std::vector<void*> unpacked;
    if (parameters == nullptr && extra != nullptr) {
      unpacked = parameters_in(kernel, extra);
      parameters = unpacked.data();
    }
    cudaLaunchConfig_t config{};
    config.gridDim = {with.grid[0], with.grid[1], with.grid[2]};
    config.blockDim = {with.block[0], with.block[1], with.block[2]};
    config.dynamicSmemBytes = with.shared;
    config.stream = static_cast<Stream*>(with.stream);
    config.attrs = with.attributes;
    config.numAttrs = with.attribute_count;
    return cudaLaunchKernelExC(&config, kernel, parameters);
  });
}

// Elements of 2 or 4 bytes: the first ones are written, and then copied on.
cudaError_t fill(Address to, std::uint32_t value, std::size_t element, std::size_t count) {
  if (count == 0) return cudaSuccess;
  std::string bytes(element * count, '\0');
  for (std::size_t i = 0; i < count; ++i) std::memcpy(bytes.data() + i * element, &value, element);
  return cudaMemcpy(pointer(to), bytes.data(), bytes.size(), kHostToDevice);
}

// "cuMemAlloc" is "cuMemAlloc_v2": the youngest there is.
void* function_named(const char* name) {
  for (const char* version : {"_v4", "_v3", "_v2", ""})
    if (void* const found = dlsym(RTLD_DEFAULT, (std::string(name) + version).c_str())) return found;
  return nullptr;
}

}  // namespace

WARPLENS_API Result cuModuleLoadData(void** module, const void* image) {
  return with_context([&] { return cudaLibraryLoadData(module, image, nullptr, nullptr, 0, nullptr, nullptr, 0); });
}
WARPLENS_API Result cuModuleLoadDataEx(void** module, const void* image, unsigned, void*, void**) {
  return cuModuleLoadData(module, image);
}
WARPLENS_API Result cuModuleLoadFatBinary(void** module, const void* image) { return cuModuleLoadData(module, image); }
WARPLENS_API Result cuModuleLoad(void** module, const char* file) {
  return with_context([&] { return cudaLibraryLoadFromFile(module, file, nullptr, nullptr, 0, nullptr, nullptr, 0); });
}
WARPLENS_API Result cuModuleUnload(void* module) {
  return with_context([&] { return cudaLibraryUnload(module); });
}
WARPLENS_API Result cuModuleGetFunction(const void** function, void* module, const char* name) {
  return with_context([&] { return cudaLibraryGetKernel(function, module, name); });
}
WARPLENS_API Result cuModuleGetGlobal_v2(Address* address, std::size_t* bytes, void* module, const char* name) {
  return with_context([&] { return cudaLibraryGetGlobal(reinterpret_cast<void**>(address), bytes, module, name); });
}

WARPLENS_API Result cuLaunchKernel(const void* kernel, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                                   unsigned bz, unsigned shared, void* stream, void** parameters, void** extra) {
  return launch(kernel, {{gx, gy, gz}, {bx, by, bz}, shared, stream, nullptr, 0}, parameters, extra);
}
WARPLENS_API Result cuLaunchCooperativeKernel(const void* kernel, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                                              unsigned by, unsigned bz, unsigned shared, void* stream,
                                              void** parameters) {
  cudaLaunchAttribute cooperative{};
  cooperative.id = kAttributeCooperative;
  cooperative.val.cooperative = 1;
  return launch(kernel, {{gx, gy, gz}, {bx, by, bz}, shared, stream, &cooperative, 1}, parameters, nullptr);
}
WARPLENS_API Result cuLaunchKernelEx(const LaunchConfig* config, const void* kernel, void** parameters, void** extra) {
  return config == nullptr ? kInvalidValue : launch(kernel, *config, parameters, extra);
}
WARPLENS_API Result cuFuncGetAttribute(int* value, int attribute, const void* kernel) {
  return with_context([&] {
    cudaFuncAttributes all;
    if (const auto error = cudaFuncGetAttributes(&all, kernel)) return error;
    const int values[] = {all.maxThreadsPerBlock, static_cast<int>(all.sharedSizeBytes), static_cast<int>(all.constSizeBytes),
                          static_cast<int>(all.localSizeBytes), all.numRegs, all.ptxVersion, all.binaryVersion,
                          all.cacheModeCA, all.maxDynamicSharedSizeBytes, all.preferredShmemCarveout,
                          all.clusterDimMustBeSet, all.requiredClusterWidth, all.requiredClusterHeight,
                          all.requiredClusterDepth};
    if (attribute < 0 || attribute >= static_cast<int>(std::size(values))) return cudaErrorInvalidValue;
    *value = values[attribute];
    return cudaSuccess;
  });
}
WARPLENS_API Result cuFuncSetAttribute(const void* kernel, int attribute, int value) {
  return with_context([&] { return cudaFuncSetAttribute(kernel, attribute, value); });
}
WARPLENS_API Result cuFuncSetCacheConfig(const void*, int) { return ready(); }
WARPLENS_API Result cuFuncSetSharedMemConfig(const void*, int) { return ready(); }
WARPLENS_API Result cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* kernel, int block,
                                                                std::size_t shared) {
  return with_context([&] { return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, block, shared); });
}
// The largest block of those with which an SM holds most threads.
WARPLENS_API Result cuOccupancyMaxPotentialBlockSize(int* grid, int* best, const void* kernel,
                                                     std::size_t (*shared_of)(int), std::size_t shared, int most) {
  return with_context([&] {
    constexpr int kThreadsOfBlock = 1, kSms = 16, kStep = 32;  // CUdevice_attribute
    int largest = 0, sms = 0, threads = 0;
    cudaDeviceGetAttribute(&largest, kThreadsOfBlock, 0);
    cudaDeviceGetAttribute(&sms, kSms, 0);
    if (most > 0 && most < largest) largest = most;
    for (int block = largest / kStep * kStep; block > 0; block -= kStep) {
      int blocks = 0;
      const std::size_t bytes = shared_of != nullptr ? shared_of(block) : shared;
      if (const auto error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, block, bytes)) return error;
      if (blocks * block <= threads) continue;
      threads = blocks * block;
      *best = block;
      *grid = blocks * sms;
    }
    return cudaSuccess;
  });
}

WARPLENS_API Result cuMemAlloc_v2(Address* to, std::size_t size) {
  return with_context([&] { return size == 0 ? cudaErrorInvalidValue : cudaMalloc(reinterpret_cast<void**>(to), size); });
}
WARPLENS_API Result cuMemAllocAsync(Address* to, std::size_t size, void* stream) {
  return with_context([&] { return cudaMallocAsync(reinterpret_cast<void**>(to), size, stream); });
}
WARPLENS_API Result cuMemAllocManaged(Address* to, std::size_t size, unsigned flags) {
  return with_context([&] { return cudaMallocManaged(reinterpret_cast<void**>(to), size, flags); });
}
WARPLENS_API Result cuMemAllocPitch_v2(Address* to, std::size_t* pitch, std::size_t width, std::size_t height, unsigned) {
  return with_context([&] { return cudaMallocPitch(reinterpret_cast<void**>(to), pitch, width, height); });
}
WARPLENS_API Result cuMemHostAlloc(void** to, std::size_t size, unsigned flags) {
  return with_context([&] { return cudaHostAlloc(to, size, flags); });
}
WARPLENS_API Result cuMemAllocHost_v2(void** to, std::size_t size) { return cuMemHostAlloc(to, size, 0); }
WARPLENS_API Result cuMemFree_v2(Address address) {
  return with_context([&] { return cudaFree(pointer(address)); });
}
WARPLENS_API Result cuMemFreeAsync(Address address, void* stream) {
  return with_context([&] { return cudaFreeAsync(pointer(address), stream); });
}
WARPLENS_API Result cuMemFreeHost(void* p) {
  return with_context([&] { return cudaFreeHost(p); });
}
WARPLENS_API Result cuMemHostGetDevicePointer_v2(Address* to, void* host, unsigned flags) {
  return with_context([&] { return cudaHostGetDevicePointer(reinterpret_cast<void**>(to), host, flags); });
}
WARPLENS_API Result cuMemHostRegister_v2(void* host, std::size_t size, unsigned flags) {
  return with_context([&] { return cudaHostRegister(host, size, flags); });
}
WARPLENS_API Result cuMemHostUnregister(void* host) {
  return with_context([&] { return cudaHostUnregister(host); });
}
WARPLENS_API Result cuMemGetInfo_v2(std::size_t* free, std::size_t* total) {
  return with_context([&] { return cudaMemGetInfo(free, total); });
}

WARPLENS_API Result cuMemcpyHtoD_v2(Address to, const void* from, std::size_t size) {
  return with_context([&] { return cudaMemcpy(pointer(to), from, size, kHostToDevice); });
}
WARPLENS_API Result cuMemcpyDtoH_v2(void* to, Address from, std::size_t size) {
  return with_context([&] { return cudaMemcpy(to, pointer(from), size, kDeviceToHost); });
}
WARPLENS_API Result cuMemcpyDtoD_v2(Address to, Address from, std::size_t size) {
  return with_context([&] { return cudaMemcpy(pointer(to), pointer(from), size, kDeviceToDevice); });
}
WARPLENS_API Result cuMemcpy(Address to, Address from, std::size_t size) {
  return with_context([&] { return cudaMemcpy(pointer(to), pointer(from), size, kByAddress); });
}
WARPLENS_API Result cuMemcpyHtoDAsync_v2(Address to, const void* from, std::size_t size, void* stream) {
  return with_context([&] { return cudaMemcpyAsync(pointer(to), from, size, kHostToDevice, stream); });
}
WARPLENS_API Result cuMemcpyDtoHAsync_v2(void* to, Address from, std::size_t size, void* stream) {
  return with_context([&] { return cudaMemcpyAsync(to, pointer(from), size, kDeviceToHost, stream); });
}
WARPLENS_API Result cuMemcpyDtoDAsync_v2(Address to, Address from, std::size_t size, void* stream) {
  return with_context([&] { return cudaMemcpyAsync(pointer(to), pointer(from), size, kDeviceToDevice, stream); });
}
WARPLENS_API Result cuMemcpyAsync(Address to, Address from, std::size_t size, void* stream) {
  return with_context([&] { return cudaMemcpyAsync(pointer(to), pointer(from), size, kByAddress, stream); });
}
WARPLENS_API Result cuMemsetD8Async(Address to, unsigned char value, std::size_t count, void* stream) {
  return with_context([&] { return cudaMemsetAsync(pointer(to), value, count, stream); });
}
WARPLENS_API Result cuMemsetD8_v2(Address to, unsigned char value, std::size_t count) {
  return cuMemsetD8Async(to, value, count, nullptr);
}
WARPLENS_API Result cuMemsetD16_v2(Address to, unsigned short value, std::size_t count) {
  return with_context([&] { return fill(to, value, 2, count); });
}
WARPLENS_API Result cuMemsetD32_v2(Address to, unsigned value, std::size_t count) {
  return with_context([&] { return fill(to, value, 4, count); });
}

WARPLENS_API Result cuStreamCreateWithPriority(void** stream, unsigned flags, int priority) {
  return with_context([&] { return cudaStreamCreateWithPriority(stream, flags, priority); });
}
WARPLENS_API Result cuStreamCreate(void** stream, unsigned flags) { return cuStreamCreateWithPriority(stream, flags, 0); }
WARPLENS_API Result cuStreamDestroy_v2(void* stream) {
  return with_context([&] { return cudaStreamDestroy(stream); });
}
WARPLENS_API Result cuStreamSynchronize(void* stream) {
  return with_context([&] { return cudaStreamSynchronize(stream); });
}
WARPLENS_API Result cuStreamQuery(void* stream) {
  return with_context([&] { return cudaStreamQuery(stream); });
}
WARPLENS_API Result cuStreamWaitEvent(void* stream, void* event, unsigned flags) {
  return with_context([&] { return cudaStreamWaitEvent(stream, event, flags); });
}
WARPLENS_API Result cuEventCreate(void** event, unsigned flags) {
  return with_context([&] { return cudaEventCreateWithFlags(event, flags); });
}
WARPLENS_API Result cuEventDestroy_v2(void* event) {
  return with_context([&] { return cudaEventDestroy(event); });
}
WARPLENS_API Result cuEventRecord(void* event, void* stream) {
  return with_context([&] { return cudaEventRecord(event, stream); });
}
WARPLENS_API Result cuEventSynchronize(void* event) {
  return with_context([&] { return cudaEventSynchronize(event); });
}
WARPLENS_API Result cuEventQuery(void* event) {
  return with_context([&] { return cudaEventQuery(event); });
}
WARPLENS_API Result cuEventElapsedTime_v2(float* milliseconds, void* from, void* to) {
  return with_context([&] { return cudaEventElapsedTime(milliseconds, from, to); });
}
WARPLENS_API Result cuEventElapsedTime(float* milliseconds, void* from, void* to) {
  return cuEventElapsedTime_v2(milliseconds, from, to);
}

WARPLENS_API Result cuGetProcAddress_v2(const char* name, void** function, int, std::uint64_t, int* status) {
  *function = function_named(name);
  if (status != nullptr) *status = *function != nullptr ? 0 : 1;  // CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND
  return *function != nullptr ? kSuccess : static_cast<Result>(cudaErrorSymbolNotFound);
}
