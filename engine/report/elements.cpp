#include "engine/report/elements.hpp"

#include <algorithm>
#include <bit>

namespace warplens::report {

std::vector<PlacedBuffer> placed_buffers(const problem::Instance& instance,
                                         std::span<const emulator::Allocation> allocations) {
  std::vector<PlacedBuffer> placed;
  for (std::size_t b = 0; b < instance.buffers().size() && b < allocations.size(); ++b)
    placed.push_back({instance.buffers()[b], allocations[b].address});
  return placed;
}

std::optional<Element> element_at(std::span<const PlacedBuffer> buffers, std::uint64_t address) {
  for (std::size_t b = 0; b < buffers.size(); ++b) {
    const auto& [buffer, start] = buffers[b];
    const std::uint64_t size = problem::size_in_bytes(buffer.type);
    if (address < start || address - start >= buffer.elements * size) continue;
    Element element;
    element.buffer = b;
    element.index = (address - start) / size;
    element.byte = static_cast<std::uint32_t>((address - start) % size);
    const problem::MatrixShape& shape = buffer.shape;
    const auto pitch = static_cast<std::uint64_t>(std::max<std::int64_t>(shape.leading_dimension, 1));
    element.row = static_cast<std::int64_t>(shape.row_major ? element.index / pitch : element.index % pitch);
    element.column =
        static_cast<std::int64_t>(shape.row_major ? element.index % pitch : element.index / pitch);
    return element;
  }
  return std::nullopt;
}

std::array<std::optional<Element>, 32> elements_of(std::span<const PlacedBuffer> buffers,
                                                   const trace::Access& access) {
  std::array<std::optional<Element>, 32> elements;
  if (access.space != ptx::Space::global) return elements;
  for (std::uint32_t mask = access.active; mask != 0; mask &= mask - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(mask));
    elements[lane] = element_at(buffers, access.address[lane]);
  }
  return elements;
}

}  // namespace warplens::report
