// The buffer that a recording kernel appends to, in device memory:
//
//   Head | address of each variable, 8 bytes | one bit a block of the grid, 1: record it | records
//
// A record is what one warp-wide instruction did. Records are in the order in which the warps came by (one
// counter gives out the places), so the order inside a warp is kept and that between warps is the true one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/base/result.hpp"

namespace warplens::instrument {

struct Head {
  std::uint64_t appended = 0;  // records that came; those beyond `room` were not written
  std::uint64_t room = 0;      // records that fit, below 2^32 - 1
  std::uint64_t records = 0;   // bytes from the start of the buffer, a multiple of 16
  std::uint64_t unused = 0;
};
static_assert(sizeof(Head) == 32);

struct Record {
  std::uint32_t site = 0;                   // index into AccessRecords::sites
  std::uint32_t block = 0;                  // linear index
  std::uint32_t warp = 0;                   // in the block
  std::uint32_t lanes = 0;                  // that took part
  std::array<std::uint64_t, 32> address{};  // of these lanes, see lane_space(); of others: anything
};
static_assert(sizeof(Record) == 272 && sizeof(Record) % 16 == 0);

// The two highest bits of an address tell the space of an access through a generic address.
inline constexpr std::uint64_t kGlobalLane = 0, kSharedLane = 1, kLocalLane = 2;
inline constexpr int kLaneSpaceShift = 62;

// Bytes that hold a head, `variables` addresses and the bits of the blocks.
std::uint64_t head_bytes(std::size_t variables, std::uint64_t blocks_in_grid);

// The start of a buffer of `bytes`, up to its records, which need not be cleared. blocks: linear indices;
// empty: all of the grid. Errors: a grid of 2^32 blocks, a buffer without room for a record.
Result<std::vector<std::byte>> make_head(std::size_t variables, std::uint64_t blocks_in_grid,
                                         std::span<const std::uint64_t> blocks, std::uint64_t bytes);

// Of a buffer that a launch has filled: the bytes up to the last record that was written. start: at least a
// Head.
std::uint64_t filled_bytes(std::span<const std::byte> start);
Head head_of(std::span<const std::byte> start);

}  // namespace warplens::instrument
