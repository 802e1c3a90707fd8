#include "engine/emulator/memory.hpp"

#include <sys/mman.h>

#include <algorithm>

namespace warplens::emulator {
namespace {
constexpr std::uint64_t kAlignment = 256;  // cudaMalloc's
constexpr std::uint64_t kGap = 4096;       // bytes between allocations that belong to nobody
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 32;  // offsets in a buffer are 32 bits
std::uint64_t round_up(std::uint64_t value, std::uint64_t unit) { return (value + unit - 1) / unit * unit; }
}  // namespace

void GlobalMemory::Unmap::operator()(std::byte* arena) const { munmap(arena, size); }

GlobalMemory::GlobalMemory(std::byte* arena, std::uint64_t limit)
    : arena_(arena, Unmap{limit}), limit_(limit) {}

Result<GlobalMemory> GlobalMemory::create(std::uint64_t limit) {
  const std::uint64_t size = round_up(std::max<std::uint64_t>(limit, kGap), kGap);
  void* arena =
      mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (arena == MAP_FAILED)
    return Error{"no room for " + std::to_string(size >> 20) + " MiB of emulated device memory",
                 "choose a smaller size"};
  return GlobalMemory(static_cast<std::byte*>(arena), size);
}

Result<Allocation> GlobalMemory::allocate(std::string name, std::uint64_t size, bool read_only) {
  if (size >= kMostBytes)
    return Error{"buffer " + name + " of " + std::to_string(size) +
                     " bytes is larger than the 4 GiB that the emulator handles",
                 "choose a smaller size"};
  const std::uint64_t start = round_up(used_ + (allocations_.empty() ? 0 : kGap), kAlignment);
  if (size > limit_ || start > limit_ - size)
    return Error{"buffer " + name + " of " + std::to_string(size) +
                     " bytes does not fit into the emulated device memory",
                 "choose a smaller size"};
  used_ = start + size;
  allocations_.push_back({std::move(name), kGlobalBase + start, size, read_only});
  return allocations_.back();
}

std::span<std::byte> GlobalMemory::bytes(const Allocation& allocation) {
  return {arena_.get() + (allocation.address - kGlobalBase), allocation.size};
}

std::span<const std::byte> GlobalMemory::bytes(const Allocation& allocation) const {
  return {arena_.get() + (allocation.address - kGlobalBase), allocation.size};
}

const Allocation* GlobalMemory::find(std::uint64_t address, std::uint64_t size) const {
  const Allocation* near = nearest(address);
  if (near == nullptr || address < near->address || size > near->size) return nullptr;
  return address - near->address <= near->size - size ? near : nullptr;
}

const Allocation* GlobalMemory::nearest(std::uint64_t address) const {
  if (allocations_.empty()) return nullptr;
  auto after = std::upper_bound(allocations_.begin(), allocations_.end(), address,
                                [](std::uint64_t a, const Allocation& b) { return a < b.address; });
  if (after == allocations_.begin()) return &*after;
  const Allocation& before = *std::prev(after);
  if (after == allocations_.end() || address < before.address + before.size) return &before;
  return address - (before.address + before.size) <= after->address - address ? &before : &*after;
}

}  // namespace warplens::emulator
