// Memory of the device and what the host has of it.
#include <algorithm>
#include <cstring>

#include "runtime/cudart/runtime.hpp"

namespace warplens::runtime {

using protocol::Memory, protocol::Request;

std::uint64_t Runtime::ask_for(std::size_t size, Memory kind) {
  const protocol::Allocate question{size, static_cast<std::uint32_t>(kind)};
  const Answer answer = connection_.ask(Request::allocate, bytes_of(question));
  std::string_view body = answer.body;
  return take<std::uint64_t>(body);
}

cudaError_t Runtime::allocate(void** p, std::size_t size, Memory kind, unsigned flags) {
  if (p == nullptr) return cudaErrorInvalidValue;
  *p = nullptr;
  if (size == 0) return cudaSuccess;
  const std::uint64_t address = ask_for(size, kind);
  if (address == 0) return cudaErrorMemoryAllocation;
  if (kind != Memory::device) connection_.open_to_host(address, size, true);
  blocks_[address] = {size, kind, false, flags};
  allocated_ += size;
  *p = reinterpret_cast<void*>(address);
  return cudaSuccess;
}

cudaError_t Runtime::release(const void* p, bool of_host) {
  if (p == nullptr) return cudaSuccess;
  const auto address = reinterpret_cast<std::uint64_t>(p);
  const auto found = blocks_.find(address);
  if (found == blocks_.end() || found->second.is_variable) return cudaErrorInvalidValue;
  if ((found->second.kind == Memory::pinned) != of_host) return cudaErrorInvalidValue;
  if (found->second.kind != Memory::device) connection_.open_to_host(address, found->second.size, false);
  allocated_ -= found->second.size;
  blocks_.erase(found);
  connection_.ask(Request::release, bytes_of(address));
  return cudaSuccess;
}

const Block* Runtime::block_at(const void* p, std::size_t size, std::uint64_t* begin) const {
  const auto address = reinterpret_cast<std::uint64_t>(p);
  auto found = blocks_.upper_bound(address);
  if (found == blocks_.begin()) return nullptr;
  --found;
  const std::uint64_t into = address - found->first;
  if (into >= found->second.size || size > found->second.size - into) return nullptr;
  if (begin != nullptr) *begin = found->first;
  return &found->second;
}

}  // namespace warplens::runtime

using namespace warplens::runtime;
using warplens::protocol::Memory;

namespace {

constexpr std::size_t kPitch = 512;
std::size_t pitch_of(std::size_t width) { return (width + kPitch - 1) / kPitch * kPitch; }

// cudaHostAlloc's flag that memory is mapped: so is all of it.
constexpr unsigned kMapped = 2;

Runtime::Shadow* shadow_at(Runtime& one, const void* p) {
  const auto address = reinterpret_cast<std::uint64_t>(p);
  auto found = one.shadows().upper_bound(address);
  if (found == one.shadows().begin()) return nullptr;
  --found;
  return address - found->first < found->second.size ? &found->second : nullptr;
}

}  // namespace

WARPLENS_API cudaError_t cudaMalloc(void** p, std::size_t size) {
  return api([&](Runtime& one) { return one.allocate(p, size, Memory::device); });
}
WARPLENS_API cudaError_t cudaMallocAsync(void** p, std::size_t size, void*) { return cudaMalloc(p, size); }
WARPLENS_API cudaError_t cudaMallocFromPoolAsync(void** p, std::size_t size, void*, void*) {
  return cudaMalloc(p, size);
}
WARPLENS_API cudaError_t cudaMallocManaged(void** p, std::size_t size, unsigned) {
  return api([&](Runtime& one) { return one.allocate(p, size, Memory::managed); });
}
WARPLENS_API cudaError_t cudaMallocHost(void** p, std::size_t size) {
  return api([&](Runtime& one) { return one.allocate(p, size, Memory::pinned, kMapped); });
}
WARPLENS_API cudaError_t cudaHostAlloc(void** p, std::size_t size, unsigned flags) {
  return api([&](Runtime& one) { return one.allocate(p, size, Memory::pinned, flags | kMapped); });
}
WARPLENS_API cudaError_t cudaMallocPitch(void** p, std::size_t* pitch, std::size_t width, std::size_t height) {
  return api([&](Runtime& one) {
    if (pitch == nullptr) return cudaErrorInvalidValue;
    *pitch = pitch_of(width);
    return one.allocate(p, *pitch * height, Memory::device);
  });
}
WARPLENS_API cudaError_t cudaMalloc3D(cudaPitchedPtr* to, cudaExtent extent) {
  return api([&](Runtime& one) {
    if (to == nullptr) return cudaErrorInvalidValue;
    *to = {nullptr, pitch_of(extent.width), extent.width, extent.height};
    return one.allocate(&to->ptr, to->pitch * extent.height * extent.depth, Memory::device);
  });
}
WARPLENS_API cudaError_t cudaFree(void* p) {
  return waiting_api([&](Runtime& one) { return one.release(p, false); });
}
WARPLENS_API cudaError_t cudaFreeAsync(void* p, void*) {
  return api([&](Runtime& one) { return p == nullptr ? cudaErrorInvalidValue : one.release(p, false); });
}
WARPLENS_API cudaError_t cudaFreeHost(void* p) {
  return waiting_api([&](Runtime& one) { return one.release(p, true); });
}

WARPLENS_API cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned) {
  return api([&](Runtime& one) {
    if (device == nullptr) return cudaErrorInvalidValue;
    const Block* block = one.block_at(host, 1);
    *device = host;
    if (block != nullptr && block->kind != Memory::device) return cudaSuccess;
    if (const auto* shadow = shadow_at(one, host)) {
      const auto begin = std::prev(one.shadows().upper_bound(reinterpret_cast<std::uint64_t>(host)))->first;
      *device = reinterpret_cast<void*>(shadow->device + (reinterpret_cast<std::uint64_t>(host) - begin));
      return cudaSuccess;
    }
    *device = nullptr;
    return cudaErrorInvalidValue;
  });
}
WARPLENS_API cudaError_t cudaHostGetFlags(unsigned* flags, void* host) {
  return api([&](Runtime& one) {
    const Block* block = one.block_at(host, 1);
    if (block == nullptr || block->kind != Memory::pinned) return cudaErrorInvalidValue;
    *flags = block->flags;
    return cudaSuccess;
  });
}
WARPLENS_API cudaError_t cudaHostRegister(void* host, std::size_t size, unsigned flags) {
  return api([&](Runtime& one) {
    if (host == nullptr || size == 0) return cudaErrorInvalidValue;
    if (shadow_at(one, host) != nullptr) return cudaErrorHostMemoryAlreadyRegistered;
    void* device = nullptr;
    if (const auto error = one.allocate(&device, size, Memory::device)) return error;
    one.shadows()[reinterpret_cast<std::uint64_t>(host)] = {reinterpret_cast<std::uint64_t>(device), size, flags};
    return cudaSuccess;
  });
}
WARPLENS_API cudaError_t cudaHostUnregister(void* host) {
  return waiting_api([&](Runtime& one) {
    const auto found = one.shadows().find(reinterpret_cast<std::uint64_t>(host));
    if (found == one.shadows().end()) return cudaErrorHostMemoryNotRegistered;
    const auto device = reinterpret_cast<void*>(found->second.device);
    one.shadows().erase(found);
    return one.release(device, false);
  });
}

WARPLENS_API cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* to, const void* p) {
  return api([&](Runtime& one) {
    if (to == nullptr) return cudaErrorInvalidValue;
    *to = {};
    to->device = -2;  // none
    void* const own = const_cast<void*>(p);
    to->hostPointer = own;
    if (const Block* block = one.block_at(p, 1)) {
      to->type = block->kind == Memory::pinned ? 1 : block->kind == Memory::device ? 2 : 3;
      to->device = 0;
      to->devicePointer = own;
      if (block->kind == Memory::device) to->hostPointer = nullptr;
    } else if (const auto* shadow = shadow_at(one, p)) {
      to->type = 1;
      to->device = 0;
      to->devicePointer = reinterpret_cast<void*>(shadow->device);
    }
    return cudaSuccess;
  });
}
WARPLENS_API cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  return api([&](Runtime& one) {
    if (free == nullptr || total == nullptr) return cudaErrorInvalidValue;
    const std::uint64_t taken = one.allocated() + (std::uint64_t{512} << 20);  // that the driver keeps, about
    *free = one.device().memory_bytes - std::min(one.device().memory_bytes, taken);
    *total = one.device().memory_bytes;
    return cudaSuccess;
  });
}

// Hints, which change nothing but times.
WARPLENS_API cudaError_t cudaMemPrefetchAsync(const void* p, std::size_t size, cudaMemLocation, unsigned, void*) {
  return api([&](Runtime& one) { return one.block_at(p, size) == nullptr ? cudaErrorInvalidValue : cudaSuccess; });
}
WARPLENS_API cudaError_t cudaMemAdvise(const void* p, std::size_t size, int, cudaMemLocation) {
  return api([&](Runtime& one) { return one.block_at(p, size) == nullptr ? cudaErrorInvalidValue : cudaSuccess; });
}
WARPLENS_API cudaError_t cudaStreamAttachMemAsync(void*, void*, std::size_t, unsigned) {
  return api([](Runtime&) { return cudaSuccess; });
}

// Pools: there is one, and it keeps nothing.
WARPLENS_API cudaError_t cudaDeviceGetDefaultMemPool(void** pool, int) {
  return api([&](Runtime& one) {
    *pool = &one;
    return cudaSuccess;
  });
}
WARPLENS_API cudaError_t cudaDeviceGetMemPool(void** pool, int device) {
  return cudaDeviceGetDefaultMemPool(pool, device);
}
WARPLENS_API cudaError_t cudaDeviceSetMemPool(int, void*) {
  return api([](Runtime&) { return cudaSuccess; });
}
WARPLENS_API cudaError_t cudaMemPoolCreate(void** pool, const void*) { return cudaDeviceGetDefaultMemPool(pool, 0); }
WARPLENS_API cudaError_t cudaMemPoolDestroy(void*) {
  return api([](Runtime&) { return cudaSuccess; });
}
WARPLENS_API cudaError_t cudaMemPoolTrimTo(void*, std::size_t) {
  return api([](Runtime&) { return cudaSuccess; });
}
WARPLENS_API cudaError_t cudaMemPoolSetAttribute(void*, int, void*) {
  return api([](Runtime&) { return cudaSuccess; });
}
WARPLENS_API cudaError_t cudaMemPoolSetAccess(void*, const void*, std::size_t) {
  return api([](Runtime&) { return cudaSuccess; });
}
WARPLENS_API cudaError_t cudaMemPoolGetAttribute(void*, int attribute, void* value) {
  return api([&](Runtime& one) {
    constexpr int kFirstOf64Bits = 4, kInUse = 7, kInUseMost = 8;  // cudaMemPoolAttr
    const std::uint64_t found = attribute == kInUse || attribute == kInUseMost ? one.allocated() : 0;
    std::memcpy(value, &found, attribute < kFirstOf64Bits ? sizeof(int) : sizeof found);
    return cudaSuccess;
  });
}

// What the elements of a texture are: known without textures.
WARPLENS_API cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, int kind) { return {x, y, z, w, kind}; }
