#include <array>
#include <cstdint>
#include <cstdlib>

#include "engine/base/memory_pages.hpp"

namespace warplens {

void use_large_pages(std::span<std::byte>) {}

// Memory that was never used is zero, and costs nothing while it is only read: a library's calloc writes all of it.
std::byte* reserve_memory(std::size_t bytes) {
  using Page = std::array<std::uint64_t, 512>;
  const std::size_t pages = (bytes + sizeof(Page) - 1) / sizeof(Page);
  auto* memory = static_cast<Page*>(std::malloc(pages * sizeof(Page)));
  if (memory == nullptr) return nullptr;
  for (Page& page : std::span(memory, pages)) {
    std::uint64_t any = 0;
    for (const std::uint64_t word : page) any |= word;
    if (any != 0) page.fill(0);
  }
  return reinterpret_cast<std::byte*>(memory);
}

std::byte* map_file(int, std::size_t, Written) { return nullptr; }

void release_memory(std::byte* memory, std::size_t) { std::free(memory); }

// A page's memory has addresses of 32 bits; half of them for what is emulated leaves room for the rest.
std::optional<std::uint64_t> memory_of_machine() { return std::uint64_t{2} << 30; }

}  // namespace warplens
