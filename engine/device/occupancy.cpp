// The arithmetic of NVIDIA's occupancy calculators: the spreadsheet's for 1.x and 2.x, cuda_occupancy.h's
// from 3.0 on.
#include "engine/device/occupancy.hpp"

#include <algorithm>
#include <string>

#include "engine/base/text.hpp"

namespace warplens::device {
namespace {

std::int64_t round_up(std::int64_t value, std::int64_t unit) { return (value + unit - 1) / unit * unit; }
std::int64_t round_down(std::int64_t value, std::int64_t unit) { return value / unit * unit; }

int to_limit(std::int64_t blocks) {
  return static_cast<int>(std::min<std::int64_t>(blocks, kUnlimitedBlocks));
}

int limit_by_warps(const Device& device, const ResourceUsage& use, std::int64_t warps) {
  if (use.threads_per_block > device.max_threads_per_block) return 0;
  return to_limit(device.max_warps_per_sm / warps);
}

std::int64_t warps_of(const Device& device, const ResourceUsage& use) {
  return round_up(use.threads_per_block, device.warp_size) / device.warp_size;
}

std::int64_t registers_of_warp(const Device& device, const ResourceUsage& use) {
  return round_up(std::int64_t{use.registers_per_thread} * device.warp_size, device.register_allocation_unit);
}

// 1.x: registers go to the block as a whole, its warps counted in pairs (CUDA_Occupancy_Calculator.xls).
std::int64_t registers_of_block(const Device& device, const ResourceUsage& use, std::int64_t warps) {
  const std::int64_t rounded_warps = round_up(warps, device.warp_allocation_granularity);
  return round_up(rounded_warps * device.warp_size * use.registers_per_thread,
                  device.register_allocation_unit);
}

int limit_by_block_registers(const Device& device, const ResourceUsage& use, std::int64_t warps) {
  const std::int64_t block = registers_of_block(device, use, warps);
  return block > device.registers_per_block ? 0 : to_limit(device.registers_per_sm / block);
}

// From 2.0 on: registers go to warps, and the register file is cut into partitions that a warp does not
// straddle, so warps fit in multiples of the number of partitions. The check of one block rounds its warps up
// the same way.
int limit_by_warp_registers(const Device& device, const ResourceUsage& use, std::int64_t warps) {
  const std::int64_t warp = registers_of_warp(device, use);
  if (warp * round_up(warps, device.launch_warp_granularity) > device.registers_per_block) return 0;
  return to_limit(round_down(device.registers_per_sm / warp, device.warp_allocation_granularity) / warps);
}

int limit_by_registers(const Device& device, const ResourceUsage& use, std::int64_t warps) {
  if (use.registers_per_thread > device.checked_registers_per_thread) return 0;
  if (use.registers_per_thread == 0) return kUnlimitedBlocks;
  return device.registers_per_warp ? limit_by_warp_registers(device, use, warps)
                                   : limit_by_block_registers(device, use, warps);
}

int limit_by_shared(const Device& device, const ResourceUsage& use) {
  const std::int64_t most = device.shared_per_block_optin + device.shared_reserved_per_block;
  if (use.shared_bytes_per_block > most) return 0;  // also keeps the sum below from overflowing
  const std::int64_t block = allocated_shared(device, use);
  if (block == 0) return kUnlimitedBlocks;
  return block > most ? 0 : to_limit(device.shared_per_sm / block);
}

Status check(const ResourceUsage& use) {
  if (use.threads_per_block < 1)
    return Error{"a block of " + std::to_string(use.threads_per_block) + " threads cannot be launched",
                 "give 1 thread or more",
                 {}};
  if (use.registers_per_thread < 0)
    return Error{"the number of registers a thread is negative", "give 0 or more", {}};
  if (use.shared_bytes_per_block < 0)
    return Error{"the number of shared bytes a block is negative", "give 0 or more", {}};
  return Done{};
}

}  // namespace

Result<Occupancy> occupancy(const Device& device, const ResourceUsage& use) {
  if (auto ok = check(use); !ok) return ok.error();
  const std::int64_t warps = warps_of(device, use);
  Occupancy result;
  result.by_warps = limit_by_warps(device, use, warps);
  result.by_blocks = device.max_blocks_per_sm;
  result.by_registers = limit_by_registers(device, use, warps);
  result.by_shared = limit_by_shared(device, use);
  result.blocks_per_sm = std::min({result.by_warps, result.by_blocks, result.by_registers, result.by_shared});
  result.warps_per_sm = static_cast<int>(result.blocks_per_sm * warps);
  result.occupancy = static_cast<double>(result.warps_per_sm) / device.max_warps_per_sm;
  if (result.by_warps == result.blocks_per_sm) result.limiters.push_back(Limiter::warps);
  if (result.by_blocks == result.blocks_per_sm) result.limiters.push_back(Limiter::blocks);
  if (result.by_registers == result.blocks_per_sm) result.limiters.push_back(Limiter::registers);
  if (result.by_shared == result.blocks_per_sm) result.limiters.push_back(Limiter::shared);
  return result;
}

const char* to_string(Limiter limiter) {
  switch (limiter) {
    case Limiter::warps:
      return "warps";
    case Limiter::blocks:
      return "blocks";
    case Limiter::registers:
      return "registers";
    case Limiter::shared:
      return "shared";
  }
  return "";
}

namespace {

std::string above(std::int64_t asked, std::int64_t most, const std::string& what, const std::string& who) {
  const auto number = [](std::int64_t value) { return grouped(static_cast<std::uint64_t>(value)); };
  return number(asked) + " " + what + " are above the " + number(most) + " that a " + who + " may have";
}

}  // namespace

std::string why_no_block(const Device& device, const ResourceUsage& use) {
  if (use.threads_per_block > device.max_threads_per_block)
    return above(use.threads_per_block, device.max_threads_per_block, "threads", "block");
  if (use.registers_per_thread > device.checked_registers_per_thread)
    return above(use.registers_per_thread, device.max_registers_per_thread, "registers", "thread");
  if (use.shared_bytes_per_block > device.shared_per_block_optin)
    return above(use.shared_bytes_per_block, device.shared_per_block_optin, "bytes of shared memory",
                 "block");
  const std::int64_t warps = warps_of(device, use);
  const std::int64_t registers =
      device.registers_per_warp
          ? registers_of_warp(device, use) * round_up(warps, device.launch_warp_granularity)
          : registers_of_block(device, use, warps);
  return registers > device.registers_per_block
             ? above(registers, device.registers_per_block, "registers", "block")
             : "";
}

std::int64_t allocated_registers(const Device& device, const ResourceUsage& use) {
  const std::int64_t warps = warps_of(device, use);
  return device.registers_per_warp ? warps * registers_of_warp(device, use)
                                   : registers_of_block(device, use, warps);
}

std::int64_t allocated_shared(const Device& device, const ResourceUsage& use) {
  return round_up(use.shared_bytes_per_block + device.shared_reserved_per_block,
                  device.shared_allocation_unit);
}

}  // namespace warplens::device
