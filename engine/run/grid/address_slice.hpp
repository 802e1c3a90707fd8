// The part of a kernel that decides which addresses it accesses in which order: its branches, the accesses to
// global, local and constant memory, and what their addresses and guards are computed from. Executed in the
// kernel's place it tells an observer the same accesses of each warp in a fraction of the time: nearly all
// instructions compute with data.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "engine/device/device.hpp"
#include "engine/emulator/launch.hpp"

namespace warplens::run {

struct AddressSlice {
  std::shared_ptr<const emulator::Kernel> kernel;  // what it stores and counts means nothing
  std::vector<std::uint32_t> pcs;                  // of its instructions in the whole kernel
};
// Shared memory, barriers, clusters and products are left out, and asynchronous copies become loads; copies by tensor maps
// become prefetches of the same box, with the mask of the blocks that get it behind it, for watchers. Nothing where a branch or
// an address comes from memory, or where the kernel has instructions of which that is not known.
std::optional<AddressSlice> address_slice(const emulator::Kernel& kernel, const device::Device& device);

}  // namespace warplens::run
