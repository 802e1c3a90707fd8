#include "engine/instrument/record_buffer.hpp"

#include <algorithm>
#include <cstring>

#include "engine/base/round_up.hpp"

namespace warplens::instrument {
namespace {

constexpr std::uint64_t kMostRoom = 0xfffffffe;  // the index of a record must stay below the largest u32

}  // namespace

std::uint64_t head_bytes(std::size_t variables, std::uint64_t blocks_in_grid) {
  return round_up(sizeof(Head) + 8 * variables + 4 * ((blocks_in_grid + 31) / 32), 16);
}

Result<std::vector<std::byte>> make_head(std::size_t variables, std::uint64_t blocks_in_grid,
                                         std::span<const std::uint64_t> blocks, std::uint64_t bytes) {
  if (blocks_in_grid >> 32 != 0)
    return Error{"a grid of 2^32 blocks or more cannot be recorded", "choose a smaller size"};
  const std::uint64_t size = head_bytes(variables, blocks_in_grid);
  if (bytes < size + sizeof(Record))
    return Error{"the buffer for the records is too small for one record", "give it more bytes"};
  const Head head{0, std::min((bytes - size) / sizeof(Record), kMostRoom), size, 0};
  std::vector<std::byte> start(static_cast<std::size_t>(size));
  std::memcpy(start.data(), &head, sizeof head);
  std::byte* bits = start.data() + sizeof(Head) + 8 * variables;
  const auto choose = [&](std::uint64_t block) { bits[block / 8] |= std::byte{1} << (block % 8); };
  for (std::uint64_t block = 0; blocks.empty() && block < blocks_in_grid; ++block) choose(block);
  for (const std::uint64_t block : blocks)
    if (block < blocks_in_grid) choose(block);
  return start;
}

Head head_of(std::span<const std::byte> start) {
  Head head;
  std::memcpy(&head, start.data(), std::min(start.size(), sizeof head));
  return head;
}

std::uint64_t filled_bytes(std::span<const std::byte> start) {
  const Head head = head_of(start);
  return head.records + std::min(head.appended, head.room) * sizeof(Record);
}

}  // namespace warplens::instrument
