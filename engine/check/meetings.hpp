// Where threads wait for each other: barriers that not all of them reach, masks that name others than come,
// and waits that never end.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/check/order/order.hpp"
#include "engine/check/races.hpp"
#include "engine/check/scene.hpp"
#include "engine/emulator/watcher.hpp"

namespace warplens::check {

class Meetings;

// Who put another value in a word by an atomic, the latest to do so.
struct Replacement {
  ThreadId thread;
  std::uint32_t pc = 0;
  bool has_ended = false;
  std::uint32_t end_pc = 0;
};

// What happens in the blocks that run at the same time.
struct Progress {
  std::uint64_t changes = 1, memory_changes = 1;
  std::vector<const Meetings*> blocks;
  std::map<std::uint64_t, Replacement> replaced;  // by generic address
};

class Meetings {
 public:
  Meetings(Scene& scene, std::uint32_t block, std::uint32_t warps, Progress& progress);
  ~Meetings();
  Meetings(const Meetings&) = delete;
  Meetings& operator=(const Meetings&) = delete;

  void part(const emulator::WatchedStep& step);  // a branch
  void leave(const emulator::WatchedStep& step);
  void at_barrier(const emulator::WatchedStep& step);
  void released(int barrier, std::span<const emulator::BarrierArrival> arrivals);
  // A .sync instruction. The lanes that meet in it now: none where some of them are still to come.
  std::uint32_t at_mask(const emulator::WatchedStep& step, std::size_t mask_operand);
  // Any other instruction that does something.
  void work(const emulator::WatchedStep& step) {
    if (waits_[step.warp].lanes != 0) waits_[step.warp].worked |= step.exec;
  }

  void changed() { ++progress_.changes; }  // who waits, or memory
  void memory_changed() { ++progress_.changes, ++progress_.memory_changes; }
  void step(std::uint32_t warp) { waits_beyond_[warp] = 0; }
  // The warp waits for other blocks, or for a phase of a barrier in shared memory: its next step ends that.
  void wait_beyond(std::uint32_t warp) { waits_beyond_[warp] = 1; }
  void looked_at(std::uint32_t warp, std::uint32_t lanes, const Target& what);
  void replaced(const Replacement& replacement, std::uint64_t address);
  // Why a warp that has been running for long never ends, or nothing. endless: where it does not even wait.
  emulator::Stuck slice(const emulator::Slice& slice, Endless& endless);

 private:
  struct Wait {  // lanes of a warp that wait for others of it
    std::uint32_t lanes = 0, alive = 0, worked = 0, pc = 0;
    std::uint32_t at_syncwarp = 0;
  };
  struct Spin {
    std::uint64_t changes = 0, memory = 0;  // as they were at its last slice
    int idle = 0;                           // slices since then, in each of which it looked for a change
    bool looked = false;                    // in this slice
    std::uint32_t pc = 0;
    std::array<std::uint64_t, 4> seen{};  // states of the warp, see emulator::Slice
    std::size_t next = 0;
    int repeats = 0;
  };
  void check_warp(std::span<const emulator::BarrierArrival> of_warp);
  void check_missing(const emulator::BarrierArrival& some, std::uint32_t warp, std::uint32_t gone);
  bool is_idle(std::uint32_t warp) const;
  bool in_one_loop(std::uint32_t a, std::uint32_t b) const;
  void check_counts(std::span<const emulator::BarrierArrival> arrivals);
  // Whether all that is left of the block repeats itself: the same registers again, and the same memory.
  bool stands_still(const emulator::Slice& slice);
  emulator::Stuck wait_for_ever(const emulator::Slice& slice) const;
  emulator::Stuck wait_for_thread(const emulator::Slice& slice, const Replacement& latest) const;
  emulator::Stuck wait_for_nobody(const emulator::Slice& slice) const;
  const Target& look_of(const emulator::Slice& slice) const;
  std::optional<Replacement> latest_at(const Target& look) const;
  void note_end(Replacement& latest) const;
  std::string name_of(const Target& look) const;
  bool is_input(const Target& look) const;
  void check_lines(std::span<const emulator::BarrierArrival> arrivals);
  void report_mask(const emulator::WatchedStep& step, std::uint32_t lane, std::uint32_t other,
                   const std::string& what);
  void note_ended(const emulator::WatchedStep& step, std::uint32_t ended);

  Scene& scene_;
  std::uint32_t block_;
  std::uint32_t warps_;
  std::vector<std::uint32_t> left_;                 // lanes of each warp
  std::vector<std::uint32_t> left_pc_, parted_pc_;  // of each thread; the latter + 1
  std::vector<std::uint32_t> existing_;
  std::vector<bool> at_barrier_;
  std::vector<std::uint32_t> counts_;  // of threads that each warp last waited for; 0: all
  std::vector<Wait> waits_;
  std::vector<Spin> spins_;
  std::vector<Target> looks_;  // what each thread looked at last by an atomic or a volatile load
  // Of each thread, + 1: the barrier that it waits at, and the branch that it took last, which is only known
  // where some thread has replaced a word.
  std::vector<std::uint32_t> barrier_pc_, taken_pc_;
  std::vector<std::uint8_t> waits_beyond_;
  Progress& progress_;
};

}  // namespace warplens::check
