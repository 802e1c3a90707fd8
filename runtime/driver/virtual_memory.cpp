// Addresses that are reserved apart from the memory behind them. Here each reservation has memory of its own from the beginning, so an
// allocation can be mapped at one place alone.
#include "runtime/driver/driver.hpp"
#include "runtime/driver/runtime_calls.hpp"

using namespace warplens::driver;

namespace {

constexpr std::size_t kGranularity = std::size_t{2} << 20;

struct Physical {
  std::size_t size = 0;
  bool is_mapped = false;
};

}  // namespace

WARPLENS_API Result cuMemGetAllocationGranularity(std::size_t* bytes, const void*, int) {
  return initialized([&] {
    *bytes = kGranularity;
    return kSuccess;
  });
}
WARPLENS_API Result cuMemCreate(Physical** handle, std::size_t size, const void*, std::uint64_t) {
  return initialized([&] {
    if (handle == nullptr || size == 0 || size % kGranularity != 0) return kInvalidValue;
    *handle = new Physical{size};
    return kSuccess;
  });
}
WARPLENS_API Result cuMemRelease(Physical*) { return kSuccess; }  // what is mapped stays; the rest goes with the process
WARPLENS_API Result cuMemAddressReserve(Address* to, std::size_t size, std::size_t, Address, std::uint64_t) {
  return initialized([&] {
    if (size == 0 || size % kGranularity != 0) return cudaErrorInvalidValue;
    return cudaMalloc(reinterpret_cast<void**>(to), size);
  });
}
WARPLENS_API Result cuMemAddressFree(Address address, std::size_t) {
  return initialized([&] { return cudaFree(reinterpret_cast<void*>(address)); });
}
WARPLENS_API Result cuMemMap(Address, std::size_t size, std::size_t offset, Physical* handle, std::uint64_t) {
  if (handle == nullptr || offset + size > handle->size) return kInvalidValue;
  if (handle->is_mapped) {
    cudaWarplensUnsupported("cuMemMap of an allocation that is mapped already");
    return kNotSupported;
  }
  handle->is_mapped = true;
  return kSuccess;
}
WARPLENS_API Result cuMemUnmap(Address, std::size_t) { return kSuccess; }
WARPLENS_API Result cuMemSetAccess(Address, std::size_t, const void*, std::size_t) { return kSuccess; }
