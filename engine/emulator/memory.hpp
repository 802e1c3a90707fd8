// The emulated device's global memory: allocations in one host arena, at addresses that are the same in every
// run. Addresses are generic 64-bit addresses; shared and local memory have windows of their own in the
// generic space.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/base/result.hpp"

namespace warplens::emulator {

// Windows of the generic address space. Their low 32 bits are 0, so that truncating a generic address of
// shared or local memory to 32 bits gives the offset in that space, as on the hardware.
// Where no process has anything of its own, so that a program's can have the same memory at the same address.
inline constexpr std::uint64_t kGlobalBase = 0x7000'0000'0000;
inline constexpr std::uint64_t kSharedWindow = 0x6000'0000'0000;
inline constexpr std::uint64_t kLocalWindow = 0x5000'0000'0000;
// In offsets in shared memory the bits from kRankShift on are the rank + 1 of the block of the cluster whose
// memory it is, and 0 for the own one. Where an access is told, its own block is always 0.
inline constexpr int kRankShift = 24;
inline constexpr std::uint64_t kOwnOffset = (std::uint64_t{1} << kRankShift) - 1;
// Where functions have addresses, as far as pointers to them go.
inline constexpr std::uint64_t kFunctionWindow = 0x4000'0000'0000;
inline constexpr std::uint64_t kFunctionBytes = 16;
constexpr std::uint64_t address_of_function(std::uint64_t index) {
  return kFunctionWindow + (index + 1) * kFunctionBytes;
}

struct Allocation {
  std::string name;           // the buffer's name: "A"
  std::uint64_t address = 0;  // first byte, 256-byte aligned
  std::uint64_t size = 0;     // bytes
  bool read_only = false;     // constant memory and kernel parameters
  bool internal = false;      // the emulator's own: never told as the buffer nearest to an address
  bool of_module = false;     // a variable of the program or its parameters: used again by the next run
};

class GlobalMemory {
 public:
  // limit: bytes of the whole arena. Pages are taken from the host when first touched.
  static Result<GlobalMemory> create(std::uint64_t limit);
  // In a file of `limit` bytes, which others may have mapped too: what is written is seen by them.
  static Result<GlobalMemory> create_on(int file, std::uint64_t limit);
  // The same allocations with the same contents, of which nobody else sees what is written from now on.
  Result<GlobalMemory> private_view(int file) const;
  GlobalMemory(GlobalMemory&&) noexcept = default;
  GlobalMemory& operator=(GlobalMemory&&) noexcept = default;

  // Errors: 4 GiB or more, no room. A 256-byte aligned allocation with an unallocated gap behind it, so that
  // running past the end is noticed.
  Result<Allocation> allocate(std::string name, std::uint64_t size, bool read_only = false);

  // Takes an allocation back; false: none begins there. Its addresses are given out again when all others are.
  bool release(std::uint64_t address);
  // For a variable of a program, which messages tell from buffers.
  Result<Allocation> allocate_variable(std::string name, std::uint64_t size, bool read_only, bool internal);

  // The bytes of an allocation.
  std::span<std::byte> bytes(const Allocation& allocation);
  std::span<const std::byte> bytes(const Allocation& allocation) const;

  // The allocation that holds [address, address + size), or nullptr.
  const Allocation* find(std::uint64_t address, std::uint64_t size) const;
  // Whether the address is in a page of 2 MiB that an allocation has a part of: a GPU maps whole ones.
  bool is_in_page(std::uint64_t address, std::uint64_t size) const;
  // As find(), for what a run adds for its program: the one of this name and size that an earlier run made,
  // cleared, or a new one.
  Result<Allocation> allocate_for_module(std::string name, std::uint64_t size, bool read_only, bool internal);

  // The device's own malloc: 8 MB, as cudaLimitMallocHeapSize has it. 0 where they are used up. Not for
  // several threads of the host at once.
  std::uint64_t heap_allocate(std::uint64_t size);
  bool heap_free(std::uint64_t address);  // false: that is not what heap_allocate() gave, or free already
  bool was_freed(std::uint64_t address) const;

  // The allocation nearest to `address`, internal ones aside; nullptr where there is none.
  const Allocation* nearest(std::uint64_t address) const;
  const std::vector<Allocation>& allocations() const { return allocations_; }

  std::byte* host(std::uint64_t address) { return arena_.get() + (address - kGlobalBase); }

 private:
  struct Unmap {
    std::uint64_t size = 0;
    void operator()(std::byte* arena) const;
  };
  GlobalMemory(std::byte* arena, std::uint64_t limit);
  static Result<GlobalMemory> map(std::uint64_t limit, const std::function<std::byte*(std::size_t)>& reserve);
  std::optional<std::uint64_t> place_for(std::uint64_t size) const;
  bool is_of_heap(std::uint64_t start, std::uint64_t size) const;
  std::unique_ptr<std::byte, Unmap> arena_;
  std::uint64_t limit_ = 0, used_ = 0;
  std::vector<Allocation> allocations_;  // ascending addresses
  struct Heap {
    std::uint64_t begin = 0, end = 0;              // addresses
    std::uint64_t used = 0;                        // bytes of the 8 MB
    std::map<std::uint64_t, std::uint64_t> freed;  // by address, of this size
  };
  Heap heap_;
};

}  // namespace warplens::emulator
