// What no device could do, before anything runs: sizes and launches.
#pragma once

#include "engine/emulator/flow/shared_layout.hpp"
#include "engine/emulator/launch.hpp"

namespace warplens::emulator {

struct LaunchedKernel {
  const device::Device& device;
  const ptx::Function& flat;
  const SharedLayout& layout;
  const RunsTogether& together;
};
// Blocks that the device holds at the same time, by warps and shared memory.
std::uint64_t blocks_at_once(const LaunchedKernel& kernel, const Launch& launch);
Status check_launch(const LaunchedKernel& kernel, const Launch& launch);

// Of the kernel's variables.
Status check_sizes(const ptx::Program& program, const ptx::Function& flat);

}  // namespace warplens::emulator
