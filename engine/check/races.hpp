// Two threads at one word of memory, one of them writing, with nothing that says which of them comes first.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <utility>

#include "engine/check/hand_overs.hpp"
#include "engine/check/order/cells.hpp"
#include "engine/check/scene.hpp"

namespace warplens::check {

inline constexpr std::string_view kFixOfWarpRace = "put __syncwarp() between them";
inline constexpr std::string_view kFixOfBlockRace = "put __syncthreads() between them";
// Of two lines that only the next turn of their loop brings together.
std::string fix_of_next_turn(bool of_warp, int behind, int before);
enum class Access : std::uint8_t { load, store, atomic };

// Where an access is: what a message calls it.
struct Target {
  bool shared = false;
  std::uint64_t address = 0;  // generic, or the offset in shared memory
  std::uint32_t width = 4;    // of the access
};

struct Touch {  // an access of some lanes at one address
  const emulator::WatchedStep& step;
  Access kind = Access::load;
  std::uint64_t address = 0;
  std::uint32_t width = 4;
  std::uint32_t lanes = 0;
  std::uint32_t undefined = 0;  // lanes whose stored value is not
  bool same = false;
  std::uint16_t origin = 0;
  bool is_inside = false;  // of the array that the address was made from, as is known
  Stamp now{};
};

// Where all lanes of an access are, of one space.
struct Span {
  std::uint64_t low = 0, high = 0;        // the addresses
  ptx::Space space = ptx::Space::global;  // generic: not all in one
  std::uint64_t bits = 0;                 // that any of their distances has
};

class Races {
 public:
  Races(Scene& scene, const HandOvers& hand_overs) : scene_(scene), hand_overs_(hand_overs) {}

  // now.lanes access now.bytes of a cell, one of the cells. same: what a store puts there is there already.
  void access(const Order& order, Cells& cells, Cell& cell, const Stamp& now, Access kind, bool same,
              const Target& target);

 private:
  struct Pair {
    const Stamp& before;
    const Stamp& now;
    std::uint32_t lane_before, lane_now;
    bool wrote_before, writes_now;
  };
  static ThreadId thread_before(const Pair& pair) {
    return {pair.before.block - 1, pair.before.warp, pair.lane_before};
  }
  static ThreadId thread_now(const Pair& pair) { return {pair.now.block - 1, pair.now.warp, pair.lane_now}; }
  bool clash(const Order& order, const Stamp& before, const Stamp& now, Pair& pair) const;
  void check_write(const Order& order, const Stamp& write, const Stamp& now, Access kind, bool same,
                   const Target& target);
  void check_atomic(const Order& order, const Visits& visits, const Stamp& now, Access kind,
                    const Target& target);
  void check_reads(const Order& order, const std::array<Stamp, 2>& reads, const Stamp& now, Access kind,
                   const Target& target);
  bool is_decided_by_swap(std::uint32_t load, std::uint32_t swap);
  void check_scopes(const Order& order, const Visits& visits, const Stamp& now, const Target& target);
  bool is_too_narrow(const Stamp& before, const Stamp& now) const;
  HandOvers::Place lock_between(const Pair& pair) const;
  bool tell_each_other(const Stamp& write, const Stamp& read, const Target& target) const;
  HandOvers::Place flag_between(const Stamp& write, const Stamp& read) const;
  void report(const Pair& pair, bool harmless, const Target& target);
  static Severity severity_of(const Pair& pair, bool harmless);
  Finding finding_of(const Pair& pair, Kind kind, bool harmless, const Target& target) const;
  std::string name_of(const HandOvers::Place& lock) const;
  std::string fix_of_lock(const HandOvers::Place& lock) const;
  // Sets fix_of_block where a barrier mends it.
  std::string fix_of(const Pair& pair, Finding& finding) const;
  std::string fix_between_blocks(const Pair& pair) const;
  std::string fix_of_statement(const Pair& pair, bool same_warp) const;
  std::string fix_of_two_lines(const Pair& pair, bool same_warp) const;
  void report_in_flight(const Stamp& write, const Stamp& now, bool writes, const Target& target);

  Scene& scene_;
  const HandOvers& hand_overs_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, bool> by_swap_;  // by instructions: a load, an atomic
};

}  // namespace warplens::check
