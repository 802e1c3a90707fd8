#include "engine/emulator/memory.hpp"

#include <algorithm>
#include <cstdint>

#include "engine/base/memory_pages.hpp"
#include "engine/base/round_up.hpp"
#include "engine/base/text.hpp"

namespace warplens::emulator {
namespace {
constexpr std::uint64_t kAlignment = 256;                     // cudaMalloc's
constexpr std::uint64_t kGap = 4096;                          // unused bytes between allocations
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 32;  // offsets in a buffer are 32 bits
constexpr std::uint64_t kHeapBytes = 8u << 20;  // CUDA C++ Programming Guide, "Heap Memory Allocation"
constexpr std::uint64_t kHeapAddresses = 32u
                                         << 20;  // more, so that what is freed is not given out again soon
constexpr std::uint64_t kHeader = 16;            // of each piece: what the heap itself needs, about
std::uint64_t charged(std::uint64_t size) { return round_up(size, kHeader) + kHeader; }
std::uint64_t places(std::uint64_t size) { return round_up(size, kAlignment) + kAlignment; }
}  // namespace

void GlobalMemory::Unmap::operator()(std::byte* arena) const {
  release_memory(arena, static_cast<std::size_t>(size));
}

GlobalMemory::GlobalMemory(std::byte* arena, std::uint64_t limit)
    : arena_(arena, Unmap{limit}), limit_(limit) {}

Result<GlobalMemory> GlobalMemory::map(std::uint64_t limit,
                                       const std::function<std::byte*(std::size_t)>& reserve) {
  const std::uint64_t size = round_up(std::max<std::uint64_t>(limit, kGap), kGap);
  std::byte* arena = size > SIZE_MAX ? nullptr : reserve(static_cast<std::size_t>(size));
  if (arena == nullptr)
    return Error{"no room for " + grouped(size >> 20) + " MiB of emulated device memory",
                 "choose a smaller size"};
  return GlobalMemory(arena, size);
}

Result<GlobalMemory> GlobalMemory::create(std::uint64_t limit) { return map(limit, reserve_memory); }

Result<GlobalMemory> GlobalMemory::create_on(int file, std::uint64_t limit) {
  return map(limit, [&](std::size_t size) { return map_file(file, size, Written::kShared); });
}

Result<GlobalMemory> GlobalMemory::private_view(int file) const {
  auto view = map(limit_, [&](std::size_t size) { return map_file(file, size, Written::kPrivate); });
  if (!view) return view;
  view->used_ = used_;
  view->allocations_ = allocations_;
  view->heap_ = heap_;
  return view;
}

bool GlobalMemory::is_of_heap(std::uint64_t start, std::uint64_t size) const {
  const std::uint64_t end = heap_.end - kGlobalBase;
  return heap_.end != 0 && start < end && start + size + kHeapAddresses > end;
}

// Behind all others, else the first gap that is large enough.
std::optional<std::uint64_t> GlobalMemory::place_for(std::uint64_t size) const {
  const auto fits = [&](std::uint64_t start, std::uint64_t end) {
    return start <= end && size <= end - start;
  };
  const std::uint64_t start = round_up(used_ + (used_ == 0 && allocations_.empty() ? 0 : kGap), kAlignment);
  if (fits(start, limit_)) return start;
  std::uint64_t free = 0;
  for (const Allocation& next : allocations_) {
    const std::uint64_t begin = next.address - kGlobalBase;
    if (begin >= kGap && fits(free, begin - kGap) && !is_of_heap(free, size)) return free;
    free = std::max(free, round_up(begin + next.size + kGap, kAlignment));
  }
  return std::nullopt;
}

Result<Allocation> GlobalMemory::allocate(std::string name, std::uint64_t size, bool read_only) {
  if (size >= kMostBytes)
    return Error{"buffer " + name + " of " + grouped(size) +
                     " bytes is larger than the 4 GiB that the emulator handles",
                 "choose a smaller size"};
  const auto start = place_for(size);
  if (!start)
    return Error{
        "buffer " + name + " of " + grouped(size) + " bytes does not fit into the emulated device memory",
        "choose a smaller size"};
  used_ = std::max(used_, *start + size);
  const Allocation made{std::move(name), kGlobalBase + *start, size, read_only};
  const auto at = std::upper_bound(allocations_.begin(), allocations_.end(), made.address,
                                   [](std::uint64_t a, const Allocation& b) { return a < b.address; });
  return *allocations_.insert(at, made);
}

bool GlobalMemory::release(std::uint64_t address) {
  const auto at = std::lower_bound(allocations_.begin(), allocations_.end(), address,
                                   [](const Allocation& a, std::uint64_t b) { return a.address < b; });
  if (at == allocations_.end() || at->address != address) return false;
  allocations_.erase(at);
  return true;
}

Result<Allocation> GlobalMemory::allocate_variable(std::string name, std::uint64_t size, bool read_only,
                                                   bool internal) {
  auto fresh = allocate(std::move(name), size, read_only);
  if (!fresh) return fresh;
  const auto at = std::lower_bound(allocations_.begin(), allocations_.end(), fresh->address,
                                   [](const Allocation& a, std::uint64_t b) { return a.address < b; });
  at->internal = internal;
  at->of_module = true;
  return *at;
}

std::span<std::byte> GlobalMemory::bytes(const Allocation& allocation) {
  return {arena_.get() + (allocation.address - kGlobalBase), static_cast<std::size_t>(allocation.size)};
}

std::span<const std::byte> GlobalMemory::bytes(const Allocation& allocation) const {
  return {arena_.get() + (allocation.address - kGlobalBase), static_cast<std::size_t>(allocation.size)};
}

Result<Allocation> GlobalMemory::allocate_for_module(std::string name, std::uint64_t size, bool read_only,
                                                     bool internal) {
  for (const Allocation& old : allocations_) {
    if (!old.of_module || old.name != name || old.size != size || old.read_only != read_only) continue;
    std::fill_n(bytes(old).begin(), size, std::byte{0});
    return old;
  }
  return allocate_variable(std::move(name), size, read_only, internal);
}

const Allocation* GlobalMemory::find(std::uint64_t address, std::uint64_t size) const {
  auto after = std::upper_bound(allocations_.begin(), allocations_.end(), address,
                                [](std::uint64_t a, const Allocation& b) { return a < b.address; });
  if (after == allocations_.begin()) return nullptr;
  const Allocation& near = *std::prev(after);
  if (size > near.size) return nullptr;
  return address - near.address <= near.size - size ? &near : nullptr;
}

bool GlobalMemory::is_in_page(std::uint64_t address, std::uint64_t size) const {
  constexpr std::uint64_t kPage = 2u << 20;
  if (address < kGlobalBase || address - kGlobalBase + size > limit_) return false;
  const auto shares = [&](const Allocation& one) {
    return one.size > 0 && address / kPage >= one.address / kPage &&
           (address + size - 1) / kPage <= (one.address + one.size - 1) / kPage;
  };
  const auto after = std::upper_bound(allocations_.begin(), allocations_.end(), address,
                                      [](std::uint64_t a, const Allocation& b) { return a < b.address; });
  return (after != allocations_.end() && shares(*after)) ||
         (after != allocations_.begin() && shares(*std::prev(after)));
}

std::uint64_t GlobalMemory::heap_allocate(std::uint64_t size) {
  if (size == 0 || size > kHeapBytes || heap_.used + charged(size) > kHeapBytes) return 0;
  if (heap_.begin == 0) {
    const std::uint64_t start = round_up(used_ + kGap, kAlignment);
    if (kHeapAddresses > limit_ || start > limit_ - kHeapAddresses) return 0;
    used_ = start + kHeapAddresses;
    heap_.begin = kGlobalBase + start;
    heap_.end = heap_.begin + kHeapAddresses;
  }
  std::uint64_t address = heap_.begin;
  if (places(size) <= heap_.end - heap_.begin) {
    heap_.begin += places(size);
  } else {  // the addresses are used up: those that were freed first once more
    const auto again = std::find_if(heap_.freed.begin(), heap_.freed.end(),
                                    [&](const auto& one) { return places(one.second) == places(size); });
    if (again == heap_.freed.end()) return 0;
    address = again->first;
    heap_.freed.erase(again);
  }
  heap_.used += charged(size);
  const auto at = std::upper_bound(allocations_.begin(), allocations_.end(), address,
                                   [](std::uint64_t a, const Allocation& b) { return a < b.address; });
  allocations_.insert(at, {"memory from malloc()", address, size, false, false, true});
  return address;
}

bool GlobalMemory::heap_free(std::uint64_t address) {
  const auto at = std::find_if(allocations_.begin(), allocations_.end(),
                               [&](const Allocation& one) { return one.address == address; });
  if (at == allocations_.end() || address < heap_.end - kHeapAddresses || address >= heap_.end) return false;
  heap_.used -= charged(at->size);
  heap_.freed[address] = at->size;
  allocations_.erase(at);
  return true;
}

bool GlobalMemory::was_freed(std::uint64_t address) const {
  auto after = heap_.freed.upper_bound(address);
  return after != heap_.freed.begin() && address - std::prev(after)->first < std::prev(after)->second;
}

// A variable of the program is meant only where it is really near: wild addresses come from buffers.
const Allocation* GlobalMemory::nearest(std::uint64_t address) const {
  const Allocation* best = nullptr;
  std::uint64_t best_distance = 0;
  for (const Allocation& one : allocations_) {
    const std::uint64_t end = one.address + one.size;
    std::uint64_t distance = address < one.address ? one.address - address
                             : address < end       ? 0
                                                   : address - end;
    if (one.internal) continue;
    if (one.of_module && distance >= kGap) distance = std::max(distance, ~std::uint64_t{0} >> 1);
    if (best != nullptr && distance >= best_distance) continue;
    best = &one;
    best_distance = distance;
  }
  return best;
}

}  // namespace warplens::emulator
