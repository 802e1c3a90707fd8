#include "engine/program/launch_rules.hpp"

#include <algorithm>

namespace warplens::program {
namespace {

std::uint64_t product(const std::uint32_t (&of)[3]) { return std::uint64_t{of[0]} * of[1] * of[2]; }

// In any of the three directions.
bool is_shape(const protocol::Launch& launch, const device::Device& device) {
  constexpr std::uint64_t kMostGrid[] = {0x7fffffff, 0xffff, 0xffff};
  const std::uint64_t threads = static_cast<std::uint64_t>(device.max_threads_per_block);
  const std::uint64_t most_block[] = {threads, threads, 64};
  for (int d = 0; d < 3; ++d) {
    if (launch.grid[d] == 0 || launch.grid[d] > kMostGrid[d]) return false;
    if (launch.block[d] == 0 || launch.block[d] > most_block[d]) return false;
  }
  return product(launch.block) <= threads;
}

bool is_whole_clusters(const protocol::Launch& launch, const KernelEntry& entry) {
  const auto& own = entry.kernel->function().cluster;
  for (std::size_t d = 0; d < 3; ++d) {
    const std::uint32_t size = std::max(own[0] != 0 ? own[d] : launch.cluster[d], 1u);
    if (launch.grid[d] % size != 0) return false;
  }
  return true;
}

}  // namespace

cudaError_t error_of_launch(const protocol::Launch& launch, const KernelEntry& entry,
                            const device::Device& device, const Fit& fit) {
  if (!is_shape(launch, device) || launch.shared > launch.shared_allowed) return cudaErrorInvalidValue;
  const std::uint64_t threads = product(launch.block);
  if (threads > static_cast<std::uint64_t>(entry.max_threads)) return cudaErrorInvalidValue;
  if (!is_whole_clusters(launch, entry)) return cudaErrorInvalidClusterSize;
  if (fit.blocks_per_sm == 0) return cudaErrorLaunchOutOfResources;
  const auto held = static_cast<std::uint64_t>(fit.blocks_per_sm) *
                    static_cast<std::uint64_t>(std::max(device.sm_count, 1));
  if (launch.is_cooperative != 0 && product(launch.grid) > held) return cudaErrorCooperativeLaunchTooLarge;
  return cudaSuccess;
}

cudaError_t error_of_fault(const emulator::Fault& fault, const ptx::Function& kernel) {
  using F = emulator::Fault::Kind;
  switch (fault.kind) {
    case F::out_of_bounds:
      // Beyond shared or local memory the hardware says the same.
    case F::read_only:
      return cudaErrorIllegalAddress;
    case F::misaligned:
      return cudaErrorMisalignedAddress;
    case F::trap: {
      const bool is_call = fault.pc < kernel.code.size() && kernel.code[fault.pc].opcode == ptx::Opcode::call;
      return is_call ? cudaErrorAssert : cudaErrorLaunchFailure;
    }
    case F::budget:
    case F::limit:
    case F::deadlock:
    case F::cancelled:
      return cudaErrorLaunchTimeout;
    default:
      return cudaErrorLaunchFailure;
  }
}

}  // namespace warplens::program
