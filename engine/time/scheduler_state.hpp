// What the schedule of an SM keeps of each warp, of each block that it holds, and of the ways to its memories.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "engine/time/scheduler.hpp"

namespace warplens::time {

inline constexpr int kMostParts = 4;
inline constexpr double kGolden = 0.6180339887498949;

struct Warp {
  std::uint32_t instruction = 0, block = 0;
  std::uint32_t number = 0;  // of its thread block
  int slot = 0;
  int part = 0;
  bool alive = false, at_barrier = false;
  std::uint32_t barrier = 0;                 // the instruction at which it waits for the others
  std::uint32_t barrier_name = 0;            // of the block's barriers
  const std::vector<Block>* code = nullptr;  // what it executes
  double ready = 0;                          // by the stall count
  double started = 0;
  std::array<double, 6> barriers{};
  std::array<bool, 6> far{};  // the barrier waits for global memory
  double copies = 0;          // when the open group of copies is complete
  std::vector<double> groups;
  std::vector<float> credit;          // of the first edge of each block
  std::vector<float> splits;          // of the blocks at whose ends its lanes part
  std::vector<std::uint32_t> parted;  // blocks where other lanes of it wait for their turn
  double phase = 0;                   // 0 to 1, another for each warp
  double order = 0;
  double stored = 0;  // when its last store has arrived
};

struct Slot {
  int alive = 0;
  double stored = 0;
  // Barriers of the block, by name: threads that a barrier waits for, 0: all; warps, and threads that only arrive.
  struct Meeting {
    int waiting = 0, threads = 0, expected = 0;
    double last_arrival = 0;
  };
  std::array<Meeting, 16> meetings{};
};

struct Earliest {
  double time = 0;
  Stall reason = Stall::wait;
};

// What the search for the next issue reads of a warp.
struct Waiting {
  Earliest own;
  double order = 0;
  std::uint8_t unit = 0;
  std::array<std::uint8_t, 2> reads{};
  bool queues = false;  // for the load/store unit
  bool at_barrier = false;
};

// The ways of an SM to its memories: until when each is taken. All of its warps share them.
struct SmWays {
  const SmWork& work;
  const Parameters& p;
  SmResult& result;
  double lsu_free = 0, constant_free = 0, way_free = 0, l2_free = 0, dram_free = 0;
  double port_free = 0, store_free = 0;  // for bulk copies: what comes to the SM, and what leaves it
  double memory_busy = 0, memory_looked = 0;

  // How busy memory was of late: a mean over the time, of which what is long ago counts less and less.
  void keep_memory_busy(double now, double cycles) {
    constexpr double kMemory = 3000;
    memory_busy *= std::exp(-std::max(0.0, now - memory_looked) / kMemory);
    memory_looked = std::max(memory_looked, now);
    memory_busy += cycles / kMemory;
  }
  double wait_in_banks() const {
    constexpr double kMost = 0.97;
    const double busy = std::min(memory_busy, kMost);
    return p.dram_queue * busy / (1 - busy);
  }

  // A bulk load. When all of it is there.
  double load_bulk(const AccessCost& cost, double now) {
    const double from = std::max(now, l2_free);
    l2_free = from + cost.l2_sectors / work.l2_sectors_per_cycle;
    port_free = std::max(now, port_free) + cost.arriving / p.bulk_port;
    double there = std::max(l2_free, port_free);
    if (cost.dram_sectors > 0) {
      const double service = cost.dram_sectors / work.dram_sectors_per_cycle;
      dram_free = std::max(dram_free, from) + service;
      keep_memory_busy(from, service);
      there = std::max(there, dram_free);
    }
    result.l2_sectors += cost.l2_sectors, result.dram_sectors += cost.dram_sectors;
    const double far = cost.l2_miss * (p.dram_latency - p.l2_latency + wait_in_banks());
    return there + p.bulk_latency + far;
  }

  // A bulk store. When all of it has left.
  double store_bulk(const AccessCost& cost, double now) {
    store_free = std::max(now, store_free) + cost.arriving / p.bulk_stores;
    l2_free = std::max(now, l2_free) + cost.l2_sectors / work.l2_sectors_per_cycle;
    dram_free = std::max(dram_free, now) + cost.dram_sectors / work.dram_sectors_per_cycle;
    result.l2_sectors += cost.l2_sectors, result.dram_sectors += cost.dram_sectors;
    return std::max(l2_free, store_free);
  }
};

}  // namespace warplens::time
