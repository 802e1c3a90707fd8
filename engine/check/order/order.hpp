// What happened before what: a clock for each warp of a block, the lanes of a warp that have met, and what
// blocks tell each other by atomics after a fence.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "engine/check/order/lane_order.hpp"
#include "engine/emulator/watcher.hpp"

namespace warplens::check {

// Compute capability since which the lanes of a warp need not go together.
inline constexpr int kFirstWithOwnWays = 70;

using Clocks = std::array<std::uint32_t, 32>;  // one a warp of the block

// Who did something and when: all of an instruction of a warp.
struct Moment {
  std::uint32_t block = 0;    // its index + 1; 0: nobody
  std::uint32_t clock = 0;    // of the warp
  std::uint32_t meeting = 0;  // of the warp's lanes, the latest before; see LaneOrder
  std::uint32_t step = 0;     // of the block's instructions
  std::uint32_t pc = 0;
  std::uint8_t warp = 0;
  bool is_volatile = false;
  bool polls = false;  // a volatile load that waits for a value
  bool operator==(const Moment&) const = default;
};

// What some of its lanes did at a word of memory.
struct Stamp : Moment {
  std::uint32_t lanes = 0;
  std::uint8_t bytes = 0;  // of the word, a bit each
};

// What a block has told at one word: the clocks of its warps then, and what it knew itself.
struct Release;
struct Heard {
  const struct Channel* channel = nullptr;
  std::size_t count = 0;  // of its releases
};
struct Release {
  std::uint32_t block = 0;
  Clocks clocks{};  // with those of the block's releases before it at that word
  std::vector<Heard> heard;
};
struct Channel {
  std::vector<Release> releases;
  std::unordered_map<std::uint32_t, std::vector<std::size_t>> of_block;
  std::map<std::pair<std::uint32_t, std::uint32_t>, LaneClocks> of_lanes;  // by block and warp
};

// Of a launch: words of global memory by which blocks tell each other.
class Channels {
 public:
  Channel* find(std::uint64_t address);
  Channel& at(std::uint64_t address);

 private:
  std::map<std::uint64_t, std::unique_ptr<Channel>> channels_;
};

// A phase of a barrier of several blocks (cluster.sync(), grid.sync()): what those that arrived in it knew.
struct Phase {
  std::uint32_t number = 0;
  std::unordered_map<std::uint32_t, Clocks> known;  // by block
};

class Order {
 public:
  Order(std::uint32_t block, std::uint32_t warps, Channels& channels);

  Stamp stamp(std::uint32_t warp, std::uint32_t pc, std::uint32_t lanes) const;
  void next_step() { ++step_; }
  // Whether all of it happened before what the warp does now; both in other warps.
  bool knows(std::uint32_t warp, const Moment& stamp) const {
    const WarpClock& own = warps_[warp];
    if (stamp.block == block_ + 1) return own.clocks[stamp.warp] >= stamp.clock;
    if (own.phase != nullptr) {
      const auto known = own.phase->known.find(stamp.block - 1);
      if (known != own.phase->known.end() && known->second[stamp.warp] >= stamp.clock) return true;
    }
    return told(own.heard, stamp);
  }
  // Of those lanes of the stamp, which is this warp's, of which `lane` does not know that they are past it.
  std::uint32_t unmet(const Stamp& stamp, std::uint32_t lane) const {
    return warps_[stamp.warp].lanes.unmet(stamp.meeting, stamp.lanes, lane);
  }
  // Whether all lanes of the moment's warp, this one, have met since.
  bool all_met_since(const Moment& moment) const {
    return warps_[moment.warp].lanes.all_met_since(moment.meeting);
  }

  void meet(std::uint32_t warp, std::uint32_t lanes, std::uint32_t alive) {  // __syncwarp and the like
    warps_[warp].lanes.meet(lanes, alive);
  }
  void barrier(int id, std::span<const emulator::BarrierArrival> arrivals);
  void arrive(int id, std::uint32_t warp);  // without waiting
  // of_block: seen by the threads of the block alone.
  void fence(std::uint32_t warp, std::uint32_t lanes, bool of_block);
  void arrive(std::uint32_t warp, Phase& phase);
  void wait(std::uint32_t warp, const Phase& phase);
  // address: generic; of shared memory with the block's window. lanes: those that wrote there, or that saw
  // what others of their warp wrote.
  void release(std::uint32_t warp, std::uint32_t lanes, std::uint64_t address);
  void acquire(std::uint32_t warp, std::uint32_t lanes, std::uint64_t address);

 private:
  struct WarpClock {
    Clocks clocks{}, fence{}, block_fence{};
    bool fenced = false, block_fenced = false;
    LaneOrder lanes;
    std::vector<Heard> heard;
    const Phase* phase = nullptr;  // the latest that it waited for
  };
  static bool told(const std::vector<Heard>& heard, const Moment& stamp);

  std::uint32_t block_, step_ = 0;
  std::vector<WarpClock> warps_;
  Channels& channels_;
  std::map<int, Clocks> arrived_;
};

}  // namespace warplens::check
