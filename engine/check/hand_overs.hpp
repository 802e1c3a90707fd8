// What threads tell others without saying in which order memory is: locks that they give on, and flags.
//
// Where threads give something on to others by an atomic that replaces a word, such as the 0 of a lock: to
// tell, of a race, that only the fence is missing that would have made it an order.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "engine/check/scene.hpp"

namespace warplens::check {

class HandOvers {
 public:
  struct Place {
    std::uint64_t address = 0;           // generic, of shared memory with the block's window; 0: none
    std::uint32_t width = 4;             // bytes
    std::uint32_t taken = 0, given = 0;  // the pcs of both atomics
  };
  // step: of the thread's block; width: bytes of the word.
  void give(const ThreadId& thread, std::uint64_t address, std::uint32_t width, std::uint32_t pc,
            std::uint32_t step);
  void take(const ThreadId& thread, std::uint64_t address, std::uint32_t pc);
  // What `before` gave on after that step and `now` took last.
  Place between(const ThreadId& before, std::uint32_t step, const ThreadId& now) const;

  // A word that a thread of a block changes by an atomic or a volatile store, and one that a block waits for.
  void set(const ThreadId& thread, std::uint64_t address, std::uint32_t width, std::uint32_t pc,
           std::uint32_t step);
  void hear(const ThreadId& thread, std::uint64_t address, std::uint32_t pc);
  // The word that block `before` had changed after that step when block `now` looked at it.
  Place flag_between(std::uint32_t before, std::uint32_t step, std::uint32_t now) const;

 private:
  using WarpId = std::pair<std::uint32_t, std::uint32_t>;  // block and warp
  struct Given {
    std::array<std::uint32_t, 32> steps{};  // of each lane, + 1; 0: none
    std::array<std::uint32_t, 32> pcs{};
    std::uint32_t width = 4;
  };
  struct Taken {
    std::array<std::uint64_t, 32> addresses{};
    std::array<std::uint32_t, 32> pcs{};
  };
  std::map<std::uint64_t, std::map<WarpId, Given>> given_;
  std::map<WarpId, Taken> taken_;

  struct Flag {
    std::uint32_t step = 0;  // of the latest change by the block
    Place place;
  };
  struct Word {
    std::uint32_t changes = 0;
    std::map<std::uint32_t, Flag> by_block;
    std::map<std::uint32_t, std::uint32_t> heard;  // by block: how many of the changes
  };
  std::map<std::uint64_t, Word> words_;
  // by the blocks that look and that changed it
  std::map<std::pair<std::uint32_t, std::uint32_t>, Flag> heard_;
};

}  // namespace warplens::check
