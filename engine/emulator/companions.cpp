#include "engine/emulator/companions.hpp"

#include <algorithm>
#include <numeric>

#include "engine/emulator/flow/flow.hpp"

namespace warplens::emulator {

using ptx::Opcode;

namespace {
// A copy to several blocks of the cluster names them last.
bool is_multicast(const ptx::Instruction& i) {
  return (i.opcode == Opcode::cp_async_bulk && i.operands.size() == 5) ||
         (i.opcode == Opcode::cp_async_bulk_tensor && i.operands.size() == 4);
}
}  // namespace

RunsTogether together_of(const ptx::Function& function) {
  RunsTogether together;
  together.whole_grid =
      reads_special(function, ptx::Special::envreg1) || reads_special(function, ptx::Special::envreg2);
  for (std::size_t d = 0; d < 3; ++d) together.cluster[d] = std::max(function.cluster[d], 1u);
  together.in_clusters =
      std::any_of(function.code.begin(), function.code.end(), [](const ptx::Instruction& i) {
        return is_multicast(i) || i.opcode == Opcode::barrier_cluster_arrive ||
               i.opcode == Opcode::barrier_cluster_wait || i.opcode == Opcode::mapa;
      });
  return together;
}

std::uint64_t block_of_rank(std::uint64_t block, std::uint64_t rank,
                            const std::array<std::uint32_t, 3>& cluster,
                            const std::array<std::uint32_t, 3>& grid) {
  const std::uint64_t x = block % grid[0] / cluster[0] * cluster[0],
                      y = block / grid[0] % grid[1] / cluster[1] * cluster[1],
                      z = block / grid[0] / grid[1] / cluster[2] * cluster[2];
  const std::uint64_t dx = rank % cluster[0], dy = rank / cluster[0] % cluster[1],
                      dz = rank / cluster[0] / cluster[1];
  return x + dx + grid[0] * (y + dy + grid[1] * (z + dz));
}

std::vector<std::uint64_t> with_companions(const std::vector<std::uint64_t>& blocks,
                                           const RunsTogether& together,
                                           const std::array<std::uint32_t, 3>& grid) {
  if (together.alone() || blocks.empty()) return blocks;
  std::vector<std::uint64_t> all;
  if (together.whole_grid) {
    all.resize(static_cast<std::size_t>(
        std::min<std::uint64_t>(std::uint64_t{grid[0]} * grid[1] * grid[2], SIZE_MAX)));
    std::iota(all.begin(), all.end(), 0);
    return all;
  }
  const auto& cluster = together.cluster;
  for (const std::uint64_t block : blocks)
    for (std::uint64_t rank = 0; rank < std::uint64_t{cluster[0]} * cluster[1] * cluster[2]; ++rank)
      all.push_back(block_of_rank(block, rank, cluster, grid));
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

}  // namespace warplens::emulator
