// What the emulator tells a checker: every instruction of a watched block, before it is executed. Watched
// blocks run code of their own (Code::watched), so that the others pay nothing for it. A watcher cannot
// change a run, but it may end one whose warps wait for what never comes.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "engine/emulator/observer.hpp"
#include "engine/ptx/program.hpp"

namespace warplens::emulator {

struct Warp;
struct PtxDetail;

// Whether a barrier in shared memory (mbarrier), or what an arrival returned, is in an odd phase.
constexpr bool is_odd_phase(std::uint64_t barrier) { return barrier >> 63 != 0; }

// One instruction of one warp. A .sync instruction that waits for other lanes of its warp is told again when
// it goes on with them.
struct WatchedStep {
  const ptx::Instruction* instruction = nullptr;  // of Kernel::function()
  std::uint32_t pc = 0;
  std::uint32_t warp = 0;      // in the block
  std::uint32_t active = 0;    // lanes that are here
  std::uint32_t exec = 0;      // those of them that its guard lets act
  std::uint32_t alive = 0;     // lanes of the warp that have not left
  std::uint32_t existing = 0;  // lanes that the block has
  const Warp* state = nullptr;
  const PtxDetail* detail = nullptr;

  // The values of an operand in all 32 lanes (of a memory operand, the addresses); element: of a vector
  // operand.
  void values(std::size_t operand, std::array<std::uint64_t, 32>& to) const;
  void element(std::size_t operand, std::size_t element, std::array<std::uint64_t, 32>& to) const;
  std::uint64_t value(std::size_t operand, std::uint32_t lane) const;
  const std::byte* shared() const;  // the block's shared memory
};

// The lanes of one warp that a block-wide barrier lets go on.
struct BarrierArrival {
  std::uint32_t warp = 0, pc = 0, lanes = 0;
  std::uint32_t alive = 0;  // lanes of the warp that have not left
};

// A warp that has been running for a while, at a backward branch or barrier.
struct Slice {
  std::uint32_t warp = 0, pc = 0;
  std::uint32_t lanes = 0;     // that are there
  bool looks_outside = false;  // the loop has an atomic or a volatile load
  std::uint64_t state = 0;     // a hash of all its registers, and of where its lanes are
};

// Why a warp never ends: what follows the name of its thread, and what to do. Empty where it may end.
struct Stuck {
  std::string why, next_step;
  std::uint64_t address = 0;  // in global memory, that it waits to change; 0: no such
};

class BlockWatcher {
 public:
  virtual ~BlockWatcher() = default;
  // Not called for instructions that are known already, see know_ahead().
  virtual void on_step(const WatchedStep&) = 0;
  // The addresses of a matrix instruction (ldmatrix, wmma.load, ...), which a step does not have.
  virtual void on_matrix(const AccessEvent&) {}
  virtual void on_release(int /*barrier*/, std::span<const BarrierArrival>) {}
  // After every some thousand instructions of one warp.
  virtual Stuck on_slice(const Slice&) { return {}; }

  bool knows(std::uint32_t warp, std::uint32_t pc, std::uint32_t lanes) const {
    const Ahead& ahead = ahead_[warp];
    return pc > ahead.begin && pc < ahead.end && lanes == ahead.lanes;
  }
  void forget(std::uint32_t warp) { ahead_[warp] = {}; }

 protected:
  // From on_step: nothing is left to find out in the instructions behind this one that come before `end`, if
  // the same lanes execute them. No branch may lead to one of them.
  void know_ahead(const WatchedStep& step, std::uint32_t end) {
    ahead_[step.warp] = {step.pc, end, step.active};
  }

 private:
  struct Ahead {
    std::uint32_t begin = 0, end = 0, lanes = 0;
  };
  std::array<Ahead, 32> ahead_{};  // of each warp
};

class Watcher {
 public:
  virtual ~Watcher() = default;
  // Called from any worker thread before a block starts; nullptr where the block is not to be watched.
  virtual BlockWatcher* begin_block(std::uint64_t block) = 0;
  virtual void end_block(std::uint64_t /*block*/) {}
};

}  // namespace warplens::emulator
