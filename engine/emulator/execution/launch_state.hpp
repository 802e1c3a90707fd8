// What all blocks of a launch share, for those that run them.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>

#include "engine/emulator/block_work.hpp"
#include "engine/emulator/companions.hpp"

namespace warplens::emulator {

class SharedLayout;

// What a block takes that does nothing, in instructions of a warp.
inline constexpr std::uint64_t kBlockCost = 64;

struct LaunchState {
  std::array<std::uint32_t, 3> grid{}, block{};
  std::uint32_t shared_bytes = 0;  // static + dynamic
  std::uint64_t instruction_budget = 0;
  const std::atomic<bool>* cancel = nullptr;
  const SharedLayout* layout = nullptr;
  RunsTogether together;
  bool backwards = false;                        // see Launch
  std::optional<std::uint32_t> reserved_shared;  // where kReservedShared bytes of shared memory begin
  // Instructions that all warps together may execute and have executed, each block counted as kBlockCost
  // more.
  std::uint64_t limit = 0;
  std::atomic<std::uint64_t>* spent = nullptr;
  WorkOfBlocks* work = nullptr;  // told of each block at its end

  bool is_over_limit() const { return spent->load(std::memory_order_relaxed) > limit; }
  bool is_cancelled() const { return cancel != nullptr && cancel->load(std::memory_order_relaxed); }
};

}  // namespace warplens::emulator
