// The one device that there is.
#include <cstdio>
#include <cstring>
#include <iterator>
#include <utility>

#include "runtime/cudart/runtime.hpp"

using namespace warplens::runtime;
namespace protocol = warplens::protocol;

namespace {

constexpr int kVersion = 13000;
constexpr int kLastAttribute = 147;

struct Attribute {
  int number, value;
};
constexpr Attribute kUsual[] = {
#include "runtime/cudart/attributes.inc"
};

// cudaDeviceAttr
int attribute_of(const protocol::Device& device, int number) {
  const auto bytes = [](auto value) { return static_cast<int>(value); };
  switch (number) {
    case 1:
    case 2:
    case 3:
      return device.threads_per_block;
    case 8:
      return bytes(device.shared_per_block);
    case 10:
      return device.warp_size;
    case 12:
      return device.registers_per_block;
    case 13:
      return device.clock_khz;
    case 16:
      return device.sm_count;
    case 36:
      return device.memory_clock_khz;
    case 37:
      return device.bus_bits;
    case 38:
      return bytes(device.l2_bytes);
    case 39:
      return device.threads_per_sm;
    case 75:
      return device.major;
    case 76:
      return device.minor;
    case 81:
      return bytes(device.shared_per_sm);
    case 82:
      return device.registers_per_sm;
    case 97:
      return bytes(device.shared_per_block_optin);
    case 106:
      return device.blocks_per_sm;
    case 111:
      return bytes(device.shared_reserved);
    default:
      for (const Attribute& one : kUsual)
        if (one.number == number) return one.value;
      return 0;
  }
}

cudaError_t check(int device) { return device == 0 ? cudaSuccess : cudaErrorInvalidDevice; }

// Which attribute a property is.
struct Row {
  int cudaDeviceProp::*field;
  int attribute;
};
using P = cudaDeviceProp;
constexpr Row kRows[] = {
    {&P::regsPerBlock, 12}, {&P::warpSize, 10}, {&P::maxThreadsPerBlock, 1}, {&P::major, 75}, {&P::minor, 76},
    {&P::multiProcessorCount, 16}, {&P::integrated, 18}, {&P::canMapHostMemory, 19}, {&P::maxTexture1D, 21},
    {&P::concurrentKernels, 31}, {&P::ECCEnabled, 32}, {&P::pciBusID, 33}, {&P::pciDeviceID, 34},
    {&P::pciDomainID, 50}, {&P::tccDriver, 35}, {&P::asyncEngineCount, 40}, {&P::unifiedAddressing, 41},
    {&P::memoryBusWidth, 37}, {&P::l2CacheSize, 38}, {&P::persistingL2CacheMaxSize, 108},
    {&P::maxThreadsPerMultiProcessor, 39}, {&P::streamPrioritiesSupported, 78}, {&P::globalL1CacheSupported, 79},
    {&P::localL1CacheSupported, 80}, {&P::regsPerMultiprocessor, 82}, {&P::managedMemory, 83},
    {&P::isMultiGpuBoard, 84}, {&P::multiGpuBoardGroupID, 85}, {&P::hostNativeAtomicSupported, 86},
    {&P::pageableMemoryAccess, 88}, {&P::concurrentManagedAccess, 89}, {&P::computePreemptionSupported, 90},
    {&P::canUseHostPointerForRegisteredMem, 91}, {&P::cooperativeLaunch, 95},
    {&P::pageableMemoryAccessUsesHostPageTables, 100}, {&P::directManagedMemAccessFromHost, 101},
    {&P::maxBlocksPerMultiProcessor, 106}, {&P::accessPolicyMaxWindowSize, 109}, {&P::hostRegisterSupported, 99},
    {&P::sparseCudaArraySupported, 112}, {&P::hostRegisterReadOnlySupported, 113},
    {&P::timelineSemaphoreInteropSupported, 114}, {&P::memoryPoolsSupported, 115},
    {&P::gpuDirectRDMASupported, 116}, {&P::gpuDirectRDMAWritesOrdering, 118},
    {&P::deferredMappingCudaArraySupported, 121}, {&P::ipcEventSupported, 122}, {&P::clusterLaunch, 120},
    {&P::unifiedFunctionPointers, 129}, {&P::clockRate, 13}, {&P::deviceOverlap, 15}, {&P::kernelExecTimeoutEnabled, 17},
    {&P::computeMode, 20}, {&P::memoryClockRate, 36}, {&P::cooperativeMultiDeviceLaunch, 96},
    {&P::singleToDoublePrecisionPerfRatio, 87}, {&P::maxTexture1DLinear, 69},
};

void fill(P& to, const protocol::Device& device) {
  std::memset(&to, 0, sizeof to);
  std::snprintf(to.name, sizeof to.name, "%s", device.name);
  const auto value = [&](int number) { return attribute_of(device, number); };
  const auto values = [&](int* field, std::initializer_list<int> numbers) {
    for (const int number : numbers) *field++ = value(number);
  };
  for (const Row& row : kRows) to.*row.field = value(row.attribute);
  to.totalGlobalMem = device.memory_bytes;
  to.sharedMemPerBlock = static_cast<std::size_t>(value(8));
  to.memPitch = static_cast<std::size_t>(value(11));
  to.totalConstMem = static_cast<std::size_t>(value(9));
  to.textureAlignment = static_cast<std::size_t>(value(14));
  to.texturePitchAlignment = static_cast<std::size_t>(value(51));
  to.surfaceAlignment = static_cast<std::size_t>(value(14));
  to.sharedMemPerMultiprocessor = static_cast<std::size_t>(value(81));
  to.sharedMemPerBlockOptin = static_cast<std::size_t>(value(97));
  to.reservedSharedMemPerBlock = static_cast<std::size_t>(value(111));
  to.memoryPoolSupportedHandleTypes = static_cast<unsigned>(value(119));
  values(to.maxThreadsDim, {2, 3, 4});
  values(to.maxGridSize, {5, 6, 7});
  values(to.maxTexture2D, {22, 23});
  values(to.maxTexture3D, {24, 25, 26});
  values(to.maxTexture2DLayered, {27, 28, 29});
  values(to.maxTexture1DLayered, {42, 43});
}

}  // namespace

WARPLENS_API cudaError_t cudaGetDeviceCount(int* count) {
  const std::lock_guard lock(runtime().mutex());
  const cudaError_t error = runtime().start();
  *count = error == cudaSuccess ? 1 : 0;
  return runtime().keep(error);
}
WARPLENS_API cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}
WARPLENS_API cudaError_t cudaSetDevice(int device) {
  return api([&](Runtime&) { return check(device); });
}
WARPLENS_API cudaError_t cudaInitDevice(int device, unsigned, unsigned) { return cudaSetDevice(device); }
WARPLENS_API cudaError_t cudaSetValidDevices(int*, int) {
  return api([](Runtime&) { return cudaSuccess; });
}
WARPLENS_API cudaError_t cudaChooseDevice(int* device, const P*) { return cudaGetDevice(device); }
WARPLENS_API cudaError_t cudaSetDeviceFlags(unsigned flags) {
  return api([&](Runtime& one) {
    one.limits()[std::size_t{1} << 20] = flags;
    return cudaSuccess;
  });
}
WARPLENS_API cudaError_t cudaGetDeviceFlags(unsigned* flags) {
  return api([&](Runtime& one) {
    *flags = static_cast<unsigned>(one.limits()[std::size_t{1} << 20]) | 8u;  // host memory may be mapped
    return cudaSuccess;
  });
}
WARPLENS_API cudaError_t cudaGetDeviceProperties(P* to, int device) {
  return api([&](Runtime& one) {
    if (const auto error = check(device)) return error;
    fill(*to, one.device());
    return cudaSuccess;
  });
}
WARPLENS_API cudaError_t cudaDeviceGetAttribute(int* value, int attribute, int device) {
  return api([&](Runtime& one) {
    if (const auto error = check(device)) return error;
    if (value == nullptr || attribute < 1 || attribute > kLastAttribute) return cudaErrorInvalidValue;
    *value = attribute_of(one.device(), attribute);
    return cudaSuccess;
  });
}
WARPLENS_API cudaError_t cudaDeviceGetPCIBusId(char* to, int size, int device) {
  return api([&](Runtime&) {
    if (const auto error = check(device)) return error;
    std::snprintf(to, static_cast<std::size_t>(size), "0000:00:00.0");
    return cudaSuccess;
  });
}
WARPLENS_API cudaError_t cudaDeviceGetByPCIBusId(int* device, const char*) { return cudaGetDevice(device); }
WARPLENS_API cudaError_t cudaDeviceGetP2PAttribute(int* value, int, int, int) {
  return api([&](Runtime&) {
    *value = 0;
    return cudaErrorInvalidDevice;
  });
}
WARPLENS_API cudaError_t cudaDeviceSynchronize() {
  return api([](Runtime& one) { return one.wait(); });
}
WARPLENS_API cudaError_t cudaDeviceReset() {
  Runtime& one = runtime();
  const std::lock_guard lock(one.mutex());
  if (const auto error = one.start()) return one.keep(error);
  one.wait();
  one.reset();
  return cudaSuccess;
}
WARPLENS_API cudaError_t cudaDeviceCanAccessPeer(int* can, int from, int to) {
  return api([&](Runtime&) {
    *can = 0;
    return from == 0 && to == 0 ? cudaSuccess : cudaErrorInvalidDevice;
  });
}
WARPLENS_API cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned) {
  return api([&](Runtime&) { return peer == 0 ? cudaErrorPeerAccessUnsupported : cudaErrorInvalidDevice; });
}
WARPLENS_API cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  return api([&](Runtime&) { return peer == 0 ? cudaErrorPeerAccessNotEnabled : cudaErrorInvalidDevice; });
}

namespace {

// cudaLimit, as an H100 begins with them; -1: there is no such limit.
constexpr long long kLimits[] = {1024, 8650752, 8388608, -1, 2048, 64, 9830400, 232448};

}  // namespace

WARPLENS_API cudaError_t cudaDeviceGetLimit(std::size_t* value, int limit) {
  return api([&](Runtime& one) {
    if (limit < 0 || limit >= static_cast<int>(std::size(kLimits)) || kLimits[limit] < 0)
      return cudaErrorUnsupportedLimit;
    const auto set = one.limits().find(static_cast<std::size_t>(limit));
    *value = set != one.limits().end() ? set->second : static_cast<std::size_t>(kLimits[limit]);
    return cudaSuccess;
  });
}
WARPLENS_API cudaError_t cudaDeviceSetLimit(int limit, std::size_t value) {
  return api([&](Runtime& one) {
    if (limit < 0 || limit >= static_cast<int>(std::size(kLimits)) || kLimits[limit] < 0)
      return cudaErrorUnsupportedLimit;
    one.limits()[static_cast<std::size_t>(limit)] = value;
    return cudaSuccess;
  });
}
WARPLENS_API cudaError_t cudaDeviceSetCacheConfig(int) {
  return api([](Runtime&) { return cudaSuccess; });
}
WARPLENS_API cudaError_t cudaDeviceGetCacheConfig(int* config) {
  return api([&](Runtime&) {
    *config = 0;
    return cudaSuccess;
  });
}
WARPLENS_API cudaError_t cudaDeviceSetSharedMemConfig(int) { return cudaDeviceSetCacheConfig(0); }
WARPLENS_API cudaError_t cudaDeviceGetSharedMemConfig(int* config) {
  return api([&](Runtime&) {
    *config = 1;  // banks of four bytes
    return cudaSuccess;
  });
}
WARPLENS_API cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return api([&](Runtime&) {
    *least = 0;
    *greatest = -5;
    return cudaSuccess;
  });
}
WARPLENS_API cudaError_t cudaCtxResetPersistingL2Cache() {
  return api([](Runtime&) { return cudaSuccess; });
}
WARPLENS_API cudaError_t cudaDriverGetVersion(int* version) {
  *version = kVersion;
  return cudaSuccess;
}
WARPLENS_API cudaError_t cudaRuntimeGetVersion(int* version) { return cudaDriverGetVersion(version); }
WARPLENS_API cudaError_t cudaProfilerStart() {
  return api([](Runtime&) { return cudaSuccess; });
}
WARPLENS_API cudaError_t cudaProfilerStop() { return cudaProfilerStart(); }
