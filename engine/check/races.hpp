// Two threads at one word of memory, one of them writing, with nothing that says who is first.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/check/order.hpp"
#include "engine/check/scene.hpp"

namespace warplens::check {

inline constexpr std::string_view kFixOfWarpRace = "put __syncwarp() between them";
inline constexpr std::string_view kFixOfBlockRace = "put __syncthreads() between them";

// The latest accesses of four bytes of memory.
struct Cell {
  Stamp write;
  std::array<Stamp, 2> reads, atomics;  // of different warps
  std::uint32_t last_atomic = 0;        // the block of the newest one, its index + 1
  std::uint32_t read_only_pc = 0;       // + 1: a load through the read-only cache
  std::uint8_t defined = 0;             // bytes that were written, a bit each
  std::uint8_t undefined = 0;           // bytes that were written with a value that is not defined
  bool in_flight = false;               // an asynchronous copy that nobody has waited for, by `write`
};

enum class Access : std::uint8_t { load, store, atomic };

// Where an access is: what a message calls it.
struct Target {
  bool shared = false;
  std::uint64_t address = 0;  // generic, or the offset in shared memory
  std::uint32_t width = 4;    // of the access
};

class Races {
 public:
  explicit Races(Scene& scene) : scene_(scene) {}

  // lanes of now.lanes access bytes (a bit each) of the cell. same: what a store puts there is there already.
  void access(const Order& order, Cell& cell, const Stamp& now, Access kind, bool same, const Target& target);

 private:
  struct Pair {
    const Stamp& before;
    const Stamp& now;
    std::uint32_t lane_before, lane_now;
    bool wrote_before, writes_now;
  };
  bool clash(const Order& order, const Stamp& before, const Stamp& now, Pair& pair) const;
  void check_write(const Order& order, const Cell& cell, const Stamp& now, Access kind, bool same,
                   const Target& target);
  void check_atomic(const Order& order, const Cell& cell, const Stamp& now, Access kind,
                    const Target& target);
  void check_reads(const Order& order, const Cell& cell, const Stamp& now, const Target& target);
  // Of several warps those that nothing orders.
  void remember(const Order& order, std::array<Stamp, 2>& slots, const Stamp& now) const;
  void report(const Pair& pair, bool harmless, const Target& target);
  void report_in_flight(const Cell& cell, const Stamp& now, bool writes, const Target& target);

  Scene& scene_;
};

}  // namespace warplens::check
