// From addresses back to the problem: which element of which matrix a lane touches.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/emulator/memory.hpp"
#include "engine/problem/problem.hpp"
#include "engine/trace/trace.hpp"

namespace warplens::report {

// A buffer of a problem and where it stood during a run.
struct PlacedBuffer {
  problem::Buffer buffer;
  std::uint64_t address = 0;  // of its first byte
};
// The buffers of an instance at the places of run::Emulation::buffers.
std::vector<PlacedBuffer> placed_buffers(const problem::Instance& instance,
                                         std::span<const emulator::Allocation> allocations);

struct Element {
  std::size_t buffer = 0;   // index into the placed buffers
  std::uint64_t index = 0;  // in memory order
  std::int64_t row = 0, column = 0;
  std::uint32_t byte = 0;  // within the element
};
// Nothing for an address outside all buffers.
std::optional<Element> element_at(std::span<const PlacedBuffer> buffers, std::uint64_t address);

// What each lane of an access to global memory touches first; nothing for inactive lanes and for other
// memory. A lane goes on over access.width bytes, along the memory order.
std::array<std::optional<Element>, 32> elements_of(std::span<const PlacedBuffer> buffers,
                                                   const trace::Access& access);

}  // namespace warplens::report
