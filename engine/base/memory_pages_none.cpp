#include <cstdlib>

#include "engine/base/memory_pages.hpp"

namespace warplens {

void use_large_pages(std::span<std::byte>) {}

std::byte* reserve_memory(std::size_t bytes) { return static_cast<std::byte*>(std::calloc(bytes, 1)); }

std::byte* map_file(int, std::size_t, Written) { return nullptr; }

void release_memory(std::byte* memory, std::size_t) { std::free(memory); }

// A page's memory has addresses of 32 bits; half of them for what is emulated leaves room for the rest.
std::optional<std::uint64_t> memory_of_machine() { return std::uint64_t{2} << 30; }

}  // namespace warplens
