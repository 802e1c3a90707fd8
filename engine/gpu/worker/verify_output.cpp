#include <algorithm>
#include <cstring>
#include <vector>

#include "engine/gpu/worker/client.hpp"

namespace warplens::gpu {
namespace {

using problem::Buffer, problem::Instance, problem::Verification;

constexpr std::size_t kTile = 32;  // of the reference: engine/problem/product_kernel.hpp

const Buffer& output_of(const Instance& instance, std::size_t& index) {
  const auto& buffers = instance.buffers();
  const auto found =
      std::find_if(buffers.begin(), buffers.end(), [](const Buffer& b) { return b.is_output; });
  index = static_cast<std::size_t>(found - buffers.begin());
  return *found;
}

// Flags of every `stride`-th tile, the last among them.
std::vector<std::uint8_t> sampled_tiles(std::size_t width, std::size_t height, std::size_t stride) {
  std::vector<std::uint8_t> checked(width * height);
  const std::size_t across = (width + kTile - 1) / kTile, tiles = across * ((height + kTile - 1) / kTile);
  const auto mark = [&](std::size_t tile) {
    const std::size_t row = tile / across * kTile, column = tile % across * kTile;
    const std::size_t columns = std::min(kTile, width - column);
    for (std::size_t r = row; r < std::min(row + kTile, height); ++r)
      std::fill_n(checked.data() + r * width + column, columns, std::uint8_t{1});
  };
  for (std::size_t tile = 0; tile < tiles; tile += stride) mark(tile);
  mark(across - 1);
  mark(tiles - across);
  mark(tiles - 1);
  return checked;
}

// The first element whose bits are still those from before the run; -1 where there is none. Poison is a NaN
// of a rare pattern: no computation leaves it.
std::int64_t first_untouched(std::span<const std::byte> output, std::span<const std::byte> initial,
                             std::size_t element) {
  for (std::size_t at = 0; at + element <= output.size(); at += element) {
    if (std::memcmp(output.data() + at, initial.data() + at, element) == 0)
      return static_cast<std::int64_t>(at / element);
  }
  return -1;
}

}  // namespace

Verification verify_output(const Instance& instance, std::span<const std::byte> output,
                           double operations_at_most) {
  std::size_t index = 0;
  const Buffer& buffer = output_of(instance, index);
  const double operations = instance.operations();
  if (operations <= operations_at_most || buffer.starts_at_zero || buffer.starts_filled ||
      buffer.elements == 0)
    return instance.verify(output);
  const std::size_t element = problem::size_in_bytes(buffer.type);
  if (const auto place = first_untouched(output, instance.initial(index), element); place >= 0) {
    return {.verified = false,
            .wrong_elements = 1,
            .first_wrong = place,
            .explanation = "element " + std::to_string(place) + " of " + buffer.name + " was never written",
            .mistake = problem::Mistake::unwritten};
  }
  const auto width = static_cast<std::size_t>(buffer.shape.leading_dimension);
  // An odd stride visits other columns in each row of tiles.
  const auto stride = static_cast<std::size_t>(operations / operations_at_most) | 1;
  return instance.verify(output, sampled_tiles(width, buffer.elements / width, stride));
}

}  // namespace warplens::gpu
