// The roofline: the most work a second that a kernel can reach on a device, by what must pass each of its
// parts at least. Sources: S. Williams, A. Waterman, D. Patterson, "Roofline", CACM 52(4), 2009; with a roof
// for each level of memory as in C. Yang, T. Kurth, S. Williams, "Hierarchical Roofline", CCPE 32(20), 2020.
#pragma once

#include <string_view>
#include <vector>

#include "engine/device/device.hpp"

namespace warplens::device {

struct Roofline {
  double peak_gflops = 0;        // fp32, a multiply-add counting two: 2 * SMs * lanes * boost clock
  double memory_gb_per_s = 0;    // 1 GB = 1e9 bytes
  bool multiply_adds = true;     // false: for work that has none, one operation a lane and clock
  int multiprocessors = 0;       // that reach all of it together; 0: not known
  double l1_gb_per_s = 0;        // of all SMs; 0: not known, or there is none
  double shared_giga_per_s = 0;  // wavefronts of all SMs; 0: not known
  double wavefront_bytes = 128;  // one of every bank
  bool caches = true;            // false: every sector that is asked for comes from memory (1.x)
  double l2_bytes = 0;
  double l2_gb_per_s = 0;    // of all SMs; 0: not known. No data sheet has it: see time::l2_gb_per_s()
  double tensor_gflops = 0;  // of tensor cores, of 16-bit operands; 0: not known

  // Flops a byte at which the roof of memory and the peak meet.
  double ridge() const { return peak_gflops / memory_gb_per_s; }
  // GFLOP/s at `intensity` flops per byte of global memory moved; 0 for an intensity of 0 or below, or NaN.
  double attainable(double intensity) const;
};

// Error: a row without a device's clock and memory (a bare compute capability).
Result<Roofline> roofline(const Device& device, bool multiply_adds = true);

// What a launch does, or some of its blocks.
struct Work {
  double operations = 0;         // without those of tensor cores
  double tensor_operations = 0;  // as long ones of 16-bit operands as tensor cores have
  double sector_bytes = 0;       // 32 for each sector that warps asked for
  double wavefronts = 0;         // of shared memory
  double least_bytes = 0;        // that any kernel of the problem must move: each buffer once
  double share = 1;              // of the launch's blocks that these numbers are of
  std::uint64_t blocks = 0;      // of the whole launch; 0: enough for every multiprocessor
};

enum class Roof { arithmetic, tensor, memory, l1, shared };
std::string_view to_string(Roof roof);  // "arithmetic", "tensor cores", "memory", "L1", "shared memory"

// The least time that a part of the device needs for its share of the work.
struct RoofTime {
  Roof roof = Roof::memory;
  double seconds = 0;
};
// Of every part that has work and whose rate is known, the longest first: no launch is quicker than that one.
// Only as many multiprocessors work as there are blocks.
std::vector<RoofTime> least_times(const Roofline& roofline, const Work& work);

// What must come from memory: without caches every sector; with them each buffer once, less what L2 may have
// kept of it since the launch before.
double memory_bytes(const Roofline& roofline, const Work& work);
// The share of the multiprocessors that have a block.
double busy_share(const Roofline& roofline, const Work& work);

}  // namespace warplens::device
