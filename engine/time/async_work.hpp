// What a block does that runs beside its warps: which barriers in shared memory each warp arrives at and waits for, and
// which copies it asks for, in the order in which it does. Of one block, as the emulator executed it; the blocks of its
// cluster are taken to do the same at the same time.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "engine/device/device.hpp"
#include "engine/emulator/launch.hpp"
#include "engine/emulator/memory.hpp"
#include "engine/emulator/watcher.hpp"
#include "engine/ptx/program.hpp"
#include "engine/time/machine_code.hpp"

namespace warplens::time {

// One barrier of an execution of an instruction.
struct AsyncOp {
  std::uint32_t barrier = 0;  // byte offset in shared memory; of a barrier of the block its number
  // Threads that arrive; phases that have to be over for a wait to end; threads that a barrier of the block waits for, 0: all.
  std::uint32_t count = 0;
  std::uint32_t bytes = 0;    // that an arrival expects, or that a copy brings to each block that gets it
  bool more = false;          // the next one is of the same execution
  bool is_remote = false;     // an arrival at another block of the cluster
  bool after_copies = false;  // an arrival when what the warp copied asynchronously is there
};

// The copies of one instruction. A row of a box is as many lines of 128 bytes as it touches inside of the matrix.
struct BulkTraffic {
  double executed = 0, lines = 0,
         arriving = 0;  // arriving: with what other blocks of the cluster bring the same way
};

struct AsyncWork {
  std::uint64_t block = 0;
  std::uint32_t cluster = 1;                           // blocks
  std::vector<std::uint32_t> sites;                    // PTX instructions that are told of, ascending
  std::vector<std::vector<std::vector<AsyncOp>>> ops;  // by warp and site
  std::map<std::uint32_t, std::uint32_t> arrivals;     // that end a phase, by barrier
  std::vector<std::vector<double>> executed;           // by warp and PTX instruction
  std::map<std::uint32_t, BulkTraffic> traffic;        // by PTX instruction

  std::optional<std::size_t> site_of(std::uint32_t pc) const;
};

Async async_of(const ptx::Instruction& instruction);
// Whether a kernel has any of it.
bool is_asynchronous(const ptx::Function& function);

// The kernel without its products of warp groups, in whose places stand fences: what it stores means nothing, but it goes the same ways
// and copies the same, where these do not come from sums, and most of what an emulator does is left out. Null: it has none.
std::shared_ptr<const emulator::Kernel> without_products(const emulator::Kernel& kernel,
                                                         const device::Device& device);

// Watches one block of a run.
class AsyncRecorder : public emulator::Watcher {
 public:
  // memory: of the run, which has its tensor maps. rank: of the block in its cluster of so many.
  AsyncRecorder(const ptx::Function& function, emulator::GlobalMemory& memory, std::uint64_t block,
                std::uint32_t rank, std::uint32_t cluster, std::uint32_t warps);
  ~AsyncRecorder() override;
  emulator::BlockWatcher* begin_block(std::uint64_t block) override;
  AsyncWork take();

 private:
  AsyncWork work_;
  std::unique_ptr<emulator::BlockWatcher> follower_;
};

}  // namespace warplens::time
