// Memory as the system gives it: address space that costs nothing before it is written, and pages of 2 MiB for
// what will be written from end to end, where a matrix of 256 MiB then costs 128 page faults and not 65,536.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace warplens {

// Before the first write. Only what lies in whole large pages is changed; where the system has none, nothing.
void use_large_pages(std::span<std::byte> memory);

// All zero. Null: there is no room.
std::byte* reserve_memory(std::size_t bytes);
// The first bytes of an open file, with as little cost. kShared: what is written is seen by all who mapped it.
enum class Written { kShared, kPrivate };
std::byte* map_file(int file, std::size_t bytes, Written written);
void release_memory(std::byte* memory, std::size_t bytes);  // with the bytes that were reserved

// How much this machine, or this page, has for all; nothing where the system does not say.
std::optional<std::uint64_t> memory_of_machine();

}  // namespace warplens
