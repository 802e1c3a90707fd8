// Runs a PTX kernel on the CPU, warp by warp, and counts what each instruction does to memory.
//
//   auto kernel = Kernel::prepare(program, "kernel", device);
//   auto outcome = kernel->run(launch, memory);  // a Fault, or results in `memory` and counts
//
// Several may be prepared and run in a process at the same time. A Kernel is immutable, thread-safe.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.hpp"
#include "engine/device/device.hpp"
#include "engine/emulator/block_work.hpp"
#include "engine/emulator/companions.hpp"
#include "engine/emulator/fault.hpp"
#include "engine/emulator/flow/issued_accesses.hpp"
#include "engine/emulator/memory.hpp"
#include "engine/emulator/observer.hpp"
#include "engine/emulator/tensor_counts.hpp"
#include "engine/ptx/program.hpp"

namespace warplens::emulator {

class SharedLayout;
class Watcher;

enum class Isa : std::uint8_t { automatic, sse2, avx2, avx512 };
Isa best_isa();                  // of this CPU
std::string_view name(Isa isa);  // "AVX-512"
// A launch. arguments: the bytes of the parameter block, laid out as ptx::Function::parameters says.
struct Launch {
  std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  std::uint32_t dynamic_shared_bytes = 0;
  std::vector<std::byte> arguments;
  // Which blocks to run (linear indices, ascending), with those that run together with them; empty: all.
  std::vector<std::uint64_t> blocks;
  int threads = 0;  // host threads; 0: one a core
  Isa isa = Isa::automatic;
  std::uint64_t instruction_budget = 20'000'000;  // warp instructions that one warp may execute
  std::uint64_t least_limit = 4'000'000'000;      // of all warps together, where the budget allows no more
  Observer* observer = nullptr;
  Watcher* watcher = nullptr;
  // Blocks, and the warps of each, from the last to the first; parted lanes the furthest on first.
  bool backwards = false;
  bool count_each = false;  // of each of `blocks` too: Outcome::each
  // Where the program's variables are, by place_variables(); null: they are placed, and begin, anew.
  const std::vector<std::uint64_t>* variables = nullptr;
  // Whether a read of shared memory that nobody wrote stops the run; a watcher knows what becomes of it.
  bool stop_at_uninitialised = true;
  // A read of global memory beside its array finds what is there, as on hardware, where the page is an
  // array's: Outcome::read_beside.
  bool reads_go_on = false;
  // Set it to true to stop early; the outcome is then a cancelled Fault.
  const std::atomic<bool>* cancel = nullptr;
};

// Accesses of one kind. One warp-wide access with at least one active lane is one request.
struct AccessCounts {
  std::uint64_t requests = 0;         // as ptxas issues them: vectorized shared loads are one
  std::uint64_t requests_in_ptx = 0;  // as the PTX has them
  // 32 bytes of global or local memory, by the rule of the device, and the fewest that could carry the bytes.
  std::uint64_t sectors = 0, ideal_sectors = 0;
  // Of shared memory; ideal: without bank conflicts. Of constant memory: turns, one for each different address.
  std::uint64_t wavefronts = 0, ideal_wavefronts = 0;
  std::uint64_t bytes_used = 0;  // distinct bytes asked for by each warp, summed

  AccessCounts& operator+=(const AccessCounts& other);
  AccessCounts& operator*=(std::uint64_t times);
  bool operator==(const AccessCounts&) const = default;
};

// What one PTX instruction did, over all warps that ran.
struct InstructionCounters : AccessCounts {
  std::uint64_t executed = 0;  // warps that executed it
  std::uint64_t lanes = 0;     // threads active then
  // Where its accesses went; generic where they went to more than one kind of memory.
  ptx::Space space = ptx::Space::generic;
  std::uint64_t diverged = 0;  // a branch or exit: warps whose lanes it sent different ways
  std::uint64_t chosen = 0;    // selp: threads that took its first value
  bool operator==(const InstructionCounters&) const = default;
};
struct Counts {
  std::uint64_t warp_instructions = 0, thread_instructions = 0;
  TensorCounts tensor;
  AccessCounts global_load, global_store, global_atomic, shared_load, shared_store, shared_atomic, local_load,
      local_store, constant_load;
  bool operator==(const Counts&) const = default;
};
struct Counters : Counts {
  std::vector<InstructionCounters> instructions;  // one a row of Kernel::function().code
  std::uint64_t barriers = 0, blocks_run = 0;

  // Those of other blocks as well. Of one kernel.
  Counters& operator+=(const Counters& other);
  Counters& operator*=(std::uint64_t times);
  bool operator==(const Counters&) const = default;
};

struct Outcome {
  std::optional<Fault> fault;
  std::vector<Fault> read_beside;  // that did not stop it: of each instruction the first, by block
  Counters counters;               // up to the fault
  std::vector<Counters> each;      // of each of the launch's blocks, where it asks for them
  std::vector<BlockWork> work;     // of the blocks that ran, ascending; empty: not kept
  std::string printed;             // by printf, in the order of blocks and warps
  int threads_used = 0;
  bool serial = false;  // blocks ran one after another because their atomics do not commute
  double seconds = 0;   // of execution
};

// The program's global and constant variables in memory, with their initial values: the address of each of
// ptx::Program::variables, 0 of those that are elsewhere. again: where an earlier run of the program placed
// them, and their names are theirs alone.
Result<std::vector<std::uint64_t>> place_variables(const ptx::Program& program, GlobalMemory& memory,
                                                   bool again = false);

class Kernel {
 public:
  // entry: empty for the only entry of the program. issued: by its machine code; null where there is none,
  // and shared accesses are taken to be those that ptxas is expected to issue. Errors: no such entry,
  // recursion, calls through pointers.
  static Result<std::shared_ptr<const Kernel>> prepare(std::shared_ptr<const ptx::Program> program,
                                                       std::string_view entry, const device::Device& device,
                                                       const MachineAccesses* issued = nullptr);
  virtual ~Kernel() = default;

  // The kernel as it is run: calls inlined. Counters and events index its code.
  virtual const ptx::Function& function() const = 0;
  virtual const ptx::Program& program() const = 0;
  // Bytes of the static shared variables; shared_variable(offset) names the variable at an offset.
  virtual std::uint32_t static_shared_bytes() const = 0;
  virtual std::string shared_variable(std::uint32_t offset) const = 0;
  virtual const SharedLayout& layout() const = 0;
  virtual RunsTogether together() const = 0;
  // What becomes of each shared load and store; one entry a row of function().code.
  virtual const std::vector<VectorizedAccess>& shared_accesses() const = 0;

  // memory: holds the buffers that the arguments point to; module variables are added to it. Errors: forms
  // that the emulator does not know (all of them in the message), a launch that the device could not make.
  virtual Result<Outcome> run(const Launch& launch, GlobalMemory& memory) const = 0;
};

}  // namespace warplens::emulator
