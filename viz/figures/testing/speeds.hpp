// A small ladder for tests of its plots and of their words: two steps that were measured, and one that was not.
#pragma once

#include <string>

#include "viz/figures/performance/performance.hpp"

namespace warplens::figures::speeds {

inline PerformancePoint step(const std::string& title, double size, double recorded, double intensity) {
  PerformancePoint point{.step = title, .id = "ladder/" + title, .size = size};
  if (recorded > 0) {
    point.recorded = MeasuredSpeed{recorded, "measured here"};
    point.library = MeasuredSpeed{1000, "cuBLAS"};
  }
  if (intensity > 0) point.work = 1e9 * intensity, point.bytes = 1e9, point.counted = "counted here";
  return point;
}

inline PerformanceInput input() {
  PerformanceInput input{.title = "Ladder", .device = "A device"};
  input.roofline = device::Roofline{.peak_gflops = 1200, .memory_gb_per_s = 100, .caches = false};
  input.points = {step("naive", 512, 50, 0.25), step("tiled", 512, 400, 4), step("final", 512, 0, 40)};
  return input;
}

}  // namespace warplens::figures::speeds
