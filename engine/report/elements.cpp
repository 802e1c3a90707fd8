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
    element.in_matrix = element.row < shape.rows && element.column < shape.columns;
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

std::vector<std::uint32_t> touch_counts(std::span<const PlacedBuffer> buffers, std::size_t buffer,
                                        const trace::Trace& trace, std::size_t block,
                                        const trace::Filter& filter) {
  const PlacedBuffer& placed = buffers[buffer];
  const std::uint64_t size = problem::size_in_bytes(placed.buffer.type);
  std::vector<std::uint32_t> counts(placed.buffer.elements, 0);
  for (const std::uint32_t event : trace.find(block, filter)) {
    const trace::Access access = trace.access(block, event);
    if (access.space != ptx::Space::global) continue;
    for (std::uint32_t mask = access.active; mask != 0; mask &= mask - 1) {
      const std::uint64_t address = access.address[static_cast<std::size_t>(std::countr_zero(mask))];
      if (address < placed.address || address - placed.address >= counts.size() * size) continue;
      const std::uint64_t first = (address - placed.address) / size;
      const std::uint64_t last = (address - placed.address + access.width - 1) / size;
      for (std::uint64_t e = first; e <= last && e < counts.size(); ++e) ++counts[e];
    }
  }
  return counts;
}

}  // namespace warplens::report
