#include "engine/emulator/execution/launch_check.hpp"

#include <algorithm>

#include "engine/base/text.hpp"

namespace warplens::emulator {

using ptx::Space;

std::uint64_t blocks_at_once(const LaunchedKernel& kernel, const Launch& launch) {
  const auto& device = kernel.device;
  const std::uint64_t threads = std::uint64_t{launch.block[0]} * launch.block[1] * launch.block[2];
  const std::uint64_t shared = std::uint64_t{kernel.layout.static_bytes()} + launch.dynamic_shared_bytes;
  const std::uint64_t warps = (threads + 31) / 32;
  std::uint64_t fit = static_cast<std::uint64_t>(std::max(device.max_warps_per_sm, 1)) / warps;
  if (device.max_blocks_per_sm > 0) fit = std::min(fit, static_cast<std::uint64_t>(device.max_blocks_per_sm));
  if (shared != 0) fit = std::min(fit, static_cast<std::uint64_t>(device.shared_per_sm) / shared);
  fit *= static_cast<std::uint64_t>(std::max(device.sm_count, 1));
  return fit;
}

namespace {

// Blocks of a cooperative grid are all on the device at once, and clusters are whole ones.
Status check_together(const LaunchedKernel& kernel, const Launch& launch) {
  const auto& device = kernel.device;
  const RunsTogether& together = kernel.together;
  const std::uint64_t blocks = std::uint64_t{launch.grid[0]} * launch.grid[1] * launch.grid[2];
  for (std::size_t d = 0; d < 3 && together.in_clusters; ++d)
    if (launch.grid[d] % together.cluster[d] != 0)
      return Error{"the grid cannot be divided into clusters: " + grouped(launch.grid[d]) +
                       " blocks are no multiple of " + grouped(together.cluster[d]),
                   "round the grid up to whole clusters"};
  if (!together.whole_grid) return Done{};
  const std::uint64_t fit = blocks_at_once(kernel, launch);
  if (blocks <= fit) return Done{};
  return Error{"too many blocks in cooperative launch: grid.sync() needs all " + grouped(blocks) +
                   " blocks on the device at once, and " + device.name + " holds " + grouped(fit) +
                   " of them",
               "launch fewer blocks and let each do more in a grid-stride loop"};
}

}  // namespace

Status check_launch(const LaunchedKernel& kernel, const Launch& launch) {
  const auto& device = kernel.device;
  std::uint64_t threads = 1, blocks = 1;
  for (std::size_t d = 0; d < 3; ++d) {
    const std::uint32_t most = d == 0 ? 0x7fffffffu : 0xffffu;  // the same on every GPU since 3.0
    if (launch.grid[d] > most)
      return Error{
          grouped(launch.grid[d]) + " blocks in one direction of the grid are more than " + grouped(most),
          "choose a smaller size"};
    if (launch.block[d] > 0xffffu)
      return Error{"a block of that many threads cannot be", "choose a smaller block"};
    threads *= launch.block[d];
    blocks *= launch.grid[d];
  }
  if (threads == 0 || blocks == 0)
    return Error{"a launch of 0 threads", "choose sizes and parameters from 1 up"};
  if (threads > static_cast<std::uint64_t>(device.max_threads_per_block))
    return Error{grouped(threads) + " threads a block, " +
                     grouped(static_cast<std::uint64_t>(device.max_threads_per_block)) + " allowed on " +
                     device.name,
                 "choose a smaller block"};
  const std::uint64_t shared = std::uint64_t{kernel.layout.static_bytes()} + launch.dynamic_shared_bytes;
  if (shared > static_cast<std::uint64_t>(device.shared_per_block_optin))
    return Error{grouped(shared) + " shared bytes a block, " +
                     grouped(static_cast<std::uint64_t>(device.shared_per_block_optin)) + " allowed on " +
                     device.name,
                 "choose a smaller tile or another device"};
  std::uint64_t arguments = 0;
  for (const auto& parameter : kernel.flat.parameters)
    arguments = std::max(arguments, parameter.offset + parameter.size);
  if (launch.arguments.size() != arguments)
    return Error{"the kernel takes " + grouped(arguments) + " bytes of arguments, the launch has " +
                     grouped(launch.arguments.size()),
                 "give the kernel the signature that its problem asks for"};
  for (std::uint64_t block : launch.blocks)
    if (block >= blocks)
      return Error{"block " + grouped(block) + " is outside the grid of " + grouped(blocks) + " blocks",
                   "choose a block of the grid"};
  return check_together(kernel, launch);
}

// Variables of sizes that no GPU has, before anybody adds them up in 32 bits.
Status check_sizes(const ptx::Program& program, const ptx::Function& flat) {
  constexpr std::uint64_t kMostShared = 1u << 24;
  constexpr std::uint64_t kMostLocal = 512u << 10;  // CUDA C++ Programming Guide, "Technical Specifications"
  std::uint64_t shared = 0, local = 0;
  const auto add = [&](const ptx::Variable& variable) {
    const std::uint64_t size = std::min<std::uint64_t>(variable.size, kMostShared) + variable.alignment;
    if (variable.space == Space::shared) shared += size;
    if (variable.space == Space::local) local += size;
    return shared <= kMostShared && local <= kMostLocal;
  };
  const auto too_large = [&](const ptx::Variable& variable) {
    return Error{"with " + variable.name + " of " + grouped(variable.size) + " bytes the kernel has more " +
                     (variable.space == Space::shared ? "shared" : "local") + " memory than any GPU",
                 "make it smaller"};
  };
  for (const auto& variable : program.variables)
    if (!add(variable)) return too_large(variable);
  for (const auto& variable : flat.variables)
    if (!add(variable)) return too_large(variable);
  return Done{};
}

}  // namespace warplens::emulator
