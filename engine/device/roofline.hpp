// The roofline: the most work a second that a kernel of a given arithmetic intensity can reach on a device.
// Source: S. Williams, A. Waterman, D. Patterson, "Roofline", CACM 52(4), 2009.
#pragma once

#include "engine/device/device.hpp"

namespace warplens::device {

struct Roofline {
  double peak_gflops = 0;      // fp32, a multiply-add counting two: 2 * SMs * lanes * boost clock
  double memory_gb_per_s = 0;  // 1 GB = 1e9 bytes
  bool multiply_adds = true;   // false: for work that has none, one operation a lane and clock
  int multiprocessors = 0;     // that reach both together; 0: not known

  // Flops a byte at which the two roofs meet.
  double ridge() const { return peak_gflops / memory_gb_per_s; }
  // GFLOP/s at `intensity` flops per byte of global memory moved; 0 for an intensity of 0 or below, or NaN.
  double attainable(double intensity) const;
};

// Error: a row without a device's clock and memory (a bare compute capability).
Result<Roofline> roofline(const Device& device, bool multiply_adds = true);

}  // namespace warplens::device
