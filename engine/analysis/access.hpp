// Sectors and wavefronts of one warp-wide memory access, by the rules measured on hardware
// (assets/devices.toml says which rule a device follows). Pure functions of the lanes' byte offsets.
#pragma once

#include <array>
#include <cstdint>

#include "engine/device/device.hpp"

namespace warplens::analysis {

enum class AccessOp : std::uint8_t { load, store };

// One warp-wide access. address[lane] counts only where bit `lane` of active is set; width is bytes a lane.
// Active lanes' addresses are multiples of width: the hardware faults on any other.
struct WarpAccess {
  AccessOp op = AccessOp::load;
  int width = 4;  // 1, 2, 4, 8 or 16 bytes
  std::uint32_t active = 0xffffffffu;
  std::array<std::uint64_t, 32> address{};
};

// requests: 1 where any lane is active, else 0.
struct GlobalCounts {
  int requests = 0;
  int sectors = 0;        // 32-byte units that the transactions move: all four of each line of a 2.x load
  int ideal_sectors = 0;  // the fewest that could carry the distinct bytes asked for
  int transactions = 0;   // segments (1.x), 128-byte lines (2.x), equal to sectors since
  int bytes_moved = 0;    // 32 * sectors
  int bytes_used = 0;     // distinct bytes asked for
};
struct SharedCounts {
  int requests = 0;
  int wavefronts = 0;
  // With no two words of a phase in one bank: the number of phases that move data. wavefronts -
  // ideal_wavefronts is what the hardware counts as bank conflicts.
  int ideal_wavefronts = 0;
};

GlobalCounts count_global(const WarpAccess& access, const device::Device& device);
SharedCounts count_shared(const WarpAccess& access, const device::Device& device);
// Local memory: 32-byte sectors of the warp's own area, in which the lanes' words alternate.
GlobalCounts count_local(const WarpAccess& access);
int bytes_used(const WarpAccess& access);  // distinct bytes asked for

}  // namespace warplens::analysis
