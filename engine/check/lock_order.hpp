// How threads wait for each other's locks for ever.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "engine/check/scene.hpp"

namespace warplens::check {

// Locks that threads take while they hold another one. Where two do it in opposite order each may wait for
// the other for ever, even if they did not in this run.
class LockOrder {
 public:
  struct Change {  // of a word, by a thread
    ThreadId thread;
    std::uint64_t address = 0;  // generic, of shared memory with the block's window
    std::uint32_t width = 4;
    std::uint64_t before = 0, after = 0;
    std::uint32_t pc = 0;
  };
  // By an atomic whose result somebody looks at. wait: the innermost loop around it, in which it is tried
  // again; no instructions: it is tried once.
  void take(const Change& change, const Loop& wait);
  // By any store or atomic: a lock is what is set back to what it was before it was taken.
  void put(const Change& change);
  bool is_any_held() const { return !held_.empty(); }

  // Of all blocks, at their end.
  void tell(Scene& scene) const;

 private:
  struct Edge {                     // from the lock that is held to the one that is taken
    std::vector<ThreadId> threads;  // two at most
    std::uint32_t pc = 0, width = 4;
    std::set<std::uint64_t> gates;  // that were held beside it, each time
  };
  struct Held {
    std::uint64_t address = 0, free = 0;
    std::uint32_t pc = 0, width = 4;
    std::vector<std::pair<std::uint64_t, Edge>> then;  // what was taken while it was held
  };
  using Key = std::pair<std::uint64_t, std::uint64_t>;
  void add(const Key& key, const Edge& edge);
  void tell(Scene& scene, const Key& key, const Edge& one, const Edge& other) const;

  std::map<std::uint64_t, std::vector<Held>> held_;  // by thread
  std::map<Key, Edge> edges_;
  std::set<std::uint64_t> locks_;  // words that were set back
};

// Locks that lanes of one warp take from each other, before compute capability 7.0: there the lanes of a warp go
// on together behind a loop, so a lane that has left it with the lock waits for those that are still trying, and
// they wait for the lock.
class LaneLocks {
 public:
  // An atomic whose result is looked at found the word as it was left: the lane has to try again.
  void fail(const ThreadId& thread, std::uint64_t address, std::uint32_t pc);
  // It changed the word: it has it.
  void take(const ThreadId& thread, std::uint64_t address);
  // A thread sets the word back. Says so where others of its warp wait for it in a loop that it has left.
  // width: of the access.
  void put(Scene& scene, const ThreadId& thread, std::uint64_t address, std::uint32_t width,
           std::uint32_t pc);

 private:
  struct Wait {
    std::uint64_t address = 0;
    std::uint32_t pc = 0;
  };
  std::map<std::uint64_t, Wait> waits_;             // by thread
  std::map<std::uint64_t, std::uint64_t> holders_;  // by word: the thread that took it last
};

}  // namespace warplens::check
