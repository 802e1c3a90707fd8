// Swizzles of shared memory, which tensor copies (TMA) and matrix products of warp groups (wgmma) share: the
// 16-byte chunks of rows of 32, 64 or 128 bytes change places by the number of their row, so that the rows of
// a column lie in different banks. Addresses are byte offsets in a block's shared memory, which begins at a
// multiple of 1,024 bytes. PTX ISA 9.0, section 5.5.6 "Swizzling Modes".
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace warplens::tensor {

enum class Swizzle : std::uint8_t { none, b32, b64, b128 };

struct SwizzleRow {
  Swizzle swizzle;
  std::string_view name;        // as front matters have it
  std::uint32_t span;           // bytes of a row within which chunks change places
  std::uint32_t bits;           // how many address bits from bit 4 on are exchanged with those from bit 7 on
  std::uint32_t pattern;        // bytes after which the pattern repeats
  std::uint32_t in_descriptor;  // bits 62 and 63 of a matrix descriptor
};
inline constexpr std::array<SwizzleRow, 4> kSwizzles{{{Swizzle::none, "none", 16, 0, 128, 0},
                                                      {Swizzle::b32, "32B", 32, 1, 256, 3},
                                                      {Swizzle::b64, "64B", 64, 2, 512, 2},
                                                      {Swizzle::b128, "128B", 128, 3, 1024, 1}}};
constexpr const SwizzleRow& row_of(Swizzle swizzle) { return kSwizzles[static_cast<std::size_t>(swizzle)]; }

inline constexpr std::uint32_t kChunkBytes = 16;

// Where the byte at an address lies. base_offset: of a matrix descriptor, rows of 128 bytes by which its
// pattern begins behind a multiple of its length.
constexpr std::uint32_t swizzled(std::uint32_t address, Swizzle swizzle, std::uint32_t base_offset = 0) {
  const std::uint32_t mask = (1u << row_of(swizzle).bits) - 1;
  return address ^ (((address >> 7) - base_offset) & mask) << 4;
}

}  // namespace warplens::tensor
