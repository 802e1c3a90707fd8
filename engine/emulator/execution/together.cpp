// Blocks that run at the same time: a cooperative grid, or the blocks of a cluster. Each has its turn until
// all of its warps wait; then the next one goes on.
#include <algorithm>

#include "engine/emulator/execution/executor.hpp"

namespace warplens::emulator {

void Executor::exchange(Context& context) {
  std::swap(warps_, context.warps);
  std::swap(registers_, context.registers);
  std::swap(shared_, context.shared);
  std::swap(local_, context.local);
  std::swap(arrived_, context.arrived);
  std::swap(expected_, context.expected);
  std::swap(time_outs_, context.time_outs);
  std::swap(static_cast<BlockState&>(worker_), context.state);
}

void Executor::start_together(std::span<const Companion> blocks, std::vector<Context>& contexts,
                              std::vector<Cluster>& clusters) {
  const auto& dims = launch_.together.cluster;
  const auto& grid = launch_.grid;
  const std::uint32_t size = dims[0] * dims[1] * dims[2];
  std::map<std::uint64_t, std::size_t> numbers;  // of clusters, by their first block
  for (const Companion& one : blocks) {
    const std::uint64_t first =
        with_companions({one.block}, {.in_clusters = true, .cluster = dims}, grid).front();
    numbers.try_emplace(first, numbers.size());
  }
  clusters.resize(numbers.size());
  for (Cluster& cluster : clusters) cluster.peers.resize(size);
  for (std::size_t c = 0; c < blocks.size(); ++c) {
    const Companion& one = blocks[c];
    const std::uint64_t first =
        with_companions({one.block}, {.in_clusters = true, .cluster = dims}, grid).front();
    Cluster& cluster = clusters[numbers[first]];
    exchange(contexts[c]);
    make_room();
    prepare_registers();
    worker_.observer = one.observer;
    worker_.watcher = one.watcher;
    worker_.cluster = contexts[c].cluster = &cluster;
    start_block(one.block);
    cluster.peers[worker_.rank] = {shared_.get(), worker_.shared_written.data(), false,
                                   worker_.bulk_copies.get()};
    exchange(contexts[c]);
  }
}

// False where nothing could go on.
bool Executor::turn_of(Context& context) {
  if (context.has_ended) return false;
  exchange(context);
  bool alive = true;
  const bool progress = take_turns(alive);
  if (worker_.fault) return true;  // it stays the executor's own: the fault names it
  if (!alive) {
    context.has_ended = true;
    worker_.cluster->peers[worker_.rank].has_ended = true;
  }
  exchange(context);
  return progress;
}

// A phase of a cluster's barrier is over when every thread that has not ended has arrived.
bool Executor::release_clusters(std::vector<Context>& contexts, std::vector<Cluster>& clusters) {
  bool released = false;
  for (Cluster& cluster : clusters) {
    bool all = true, waits = false;
    const auto for_each_group = [&](auto visit) {
      for (Context& context : contexts)
        if (context.cluster == &cluster)
          for (Warp& warp : context.warps)
            for (Group& group : warp.groups) visit(warp, group);
    };
    for_each_group([&](const Warp& warp, const Group& group) {
      waits |= group.barrier == kClusterBarrier;
      for (std::uint32_t mask = group.mask; mask != 0; mask &= mask - 1)
        all &= warp.cluster_arrivals[static_cast<std::size_t>(__builtin_ctz(mask))] > cluster.phase;
    });
    if (!all || !waits) continue;
    ++cluster.phase;
    released = true;
    for_each_group([](const Warp&, Group& group) {
      if (group.barrier == kClusterBarrier) group.barrier = -1;
    });
  }
  return released;
}

// Nothing can go on: waits that may end early do, or the first block that waits says so.
void Executor::end_waits(std::vector<Context>& contexts) {
  bool any = false;
  for (Context& context : contexts) {
    exchange(context);
    any |= time_out();
    exchange(context);
  }
  if (any) return;
  for (Context& context : contexts) {
    if (context.has_ended) continue;
    exchange(context);
    return report_stuck();
  }
}

void Executor::run_together(std::span<const Companion> blocks) {
  std::vector<Cluster> clusters;
  std::vector<Context> contexts(blocks.size());
  start_together(blocks, contexts, clusters);
  const auto alive = [](const Context& context) { return !context.has_ended; };
  while (std::any_of(contexts.begin(), contexts.end(), alive)) {
    bool progress = false;
    for (Context& context : contexts) {
      progress |= turn_of(context);
      if (worker_.fault) return;
    }
    progress |= release_clusters(contexts, clusters);
    if (!progress) end_waits(contexts);
    if (worker_.fault) return;
  }
}

}  // namespace warplens::emulator
