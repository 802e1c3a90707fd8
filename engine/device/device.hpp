// Limits and memory rules of GPUs by compute capability, read from assets/devices.toml.
// Sources are beside each row of that file (CUDA C Programming Guide, appendix "Compute Capabilities", by
// edition).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.hpp"

namespace warplens::device {

// How a warp's global accesses become transactions.
enum class GlobalRule {
  half_warp_strict,    // 1.0, 1.1: half-warps; in-order, aligned segments or one transaction a lane
  half_warp_segments,  // 1.2, 1.3: half-warps; fewest segments, each shrunk to 64 or 32 bytes where half is
                       // unused
  lines_128,           // 2.x (L1 on): 128-byte lines of the warp
  sectors_32,          // 3.x on: 32-byte sectors of the warp
};

struct Device {
  std::string id;                    // "h100", "cc1.3"
  std::string name;                  // "NVIDIA H100 SXM"
  std::vector<std::string> aliases;  // other ids of the same device ("geforce8800gtx" for "g80")
  int compute_capability = 90;       // 10 * major + minor (100 for 10.0, 120 for 12.0)
  int warp_size = 32;
  int max_threads_per_block = 1024;
  int max_threads_per_sm = 2048;
  int max_warps_per_sm = 64;
  int max_blocks_per_sm = 32;
  int registers_per_sm = 65536;
  int registers_per_block = 65536;
  int max_registers_per_thread = 255;      // what code can name
  int checked_registers_per_thread = 255;  // what NVIDIA's calculator refuses to go above (256 from 7.0 on)
  int register_allocation_unit = 256;      // registers
  bool registers_per_warp = true;          // allocated by warp (2.0 on), else by block (1.x)
  int warp_allocation_granularity = 4;  // partitions of the register file: warps fit in groups of this many
  int launch_warp_granularity = 4;      // the same for the check of one block against registers_per_block
  std::int64_t shared_per_sm = 0;       // bytes
  std::int64_t shared_per_block = 0;    // bytes without opt-in
  std::int64_t shared_per_block_optin = 0;  // bytes with opt-in; equals shared_per_block where there is none
  std::int64_t shared_reserved_per_block = 0;  // bytes the system takes of each block (1024 from 8.0 on)
  int shared_allocation_unit = 128;            // bytes
  // Sizes the shared memory of an SM can be set to (the rest is L1); shared_per_sm is the largest, as in
  // NVIDIA's calculators. For another split copy the device and set shared_per_sm.
  std::vector<std::int64_t> shared_carveouts;
  int shared_banks = 32;
  GlobalRule global_rule = GlobalRule::sectors_32;
  double fp32_lanes_per_sm = 0;  // multiply-adds an SM starts per clock
  // Results of an SM per clock: multiply-adds of doubles (0: demoted to float), functions such as reciprocals
  // and sines, sums of 32-bit integers, their products.
  double fp64_per_clock = 0, special_per_clock = 16, integer_per_clock = 64, multiplies_per_clock = 64;
  // For the roofs on chip: bytes that an SM gets from L1 in a clock (0: not known, or global memory has no
  // L1), and turns of shared memory in one.
  double l1_bytes_per_clock = 0, shared_wavefronts_per_clock = 1;
  // Of a named device, for the roofline; 0 where the row is a bare compute capability.
  int sm_count = 0;
  double boost_clock_mhz = 0, memory_gb_per_s = 0;
  std::int64_t l2_bytes = 0;  // 0: none for global memory (1.x)
  // What engine/time knows of it, by the names of its parameters: those of [time], but for its own.
  std::map<std::string, double, std::less<>> time = {};
  std::string source;
};

class DeviceTable {
 public:
  // toml_text: the contents of assets/devices.toml; file_name goes into errors.
  static Result<DeviceTable> parse(std::string_view toml_text, std::string_view file_name);
  const std::vector<Device>& devices() const { return devices_; }
  // By id or alias ("h100", "cc8.6") or compute capability ("8.6", "sm_86", "86"); a compute capability gives
  // its bare row. Letter case does not matter. An unknown one is an error that lists near ids.
  Result<Device> find(std::string_view id) const;

 private:
  std::vector<Device> devices_;
};

}  // namespace warplens::device
