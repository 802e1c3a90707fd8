// How long a kernel takes: one SM is scheduled with the blocks that it holds, then the grid follows from it.
#pragma once

#include <array>
#include <map>
#include <string>

#include "engine/catalog/kernel_spec.hpp"
#include "engine/device/device.hpp"
#include "engine/device/occupancy.hpp"
#include "engine/emulator/launch.hpp"
#include "engine/time/memory_profile.hpp"
#include "engine/time/scheduler.hpp"

namespace warplens::time {

struct Input {
  const emulator::Kernel& kernel;
  const emulator::Counters& counters;  // of counters.blocks_run blocks
  std::span<const std::byte> cubin;
  std::string_view entry;
  const catalog::LaunchShape& launch;
  const device::Device& device;
  int blocks_per_sm = 1;
  double footprint_bytes = 0;  // of the buffers
  const std::map<std::uint32_t, AccessProfile>& profile;
};

struct Prediction {
  double seconds = 0, cycles = 0;
  double waves = 0;
  double instructions = 0;  // warp instructions of the grid
  double l1_hits = 0, l2_hits = 0;
  double issue = 0, fma = 0, alu = 0, shared = 0, l1 = 0, l2 = 0, dram = 0;  // shares of the time
  std::array<double, kStalls> stalls{};  // shares of the warps' time
  std::string limiter;
  // for exploring
  double sim_cycles = 0, sim_instructions = 0, dram_bytes = 0;
};

Result<Prediction> predict(const Input& input, const Parameters& parameters);

}  // namespace warplens::time
