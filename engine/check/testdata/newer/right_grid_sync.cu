/*---
title   = "The grid waits for itself"
idea    = "A cooperative launch: all blocks are on the device at once, and grid.sync() lies between what they write and what others read."
[problem]
sizes   = { N = 20000 }
buffers = [{ name = "in", type = "float", count = "N" },
           { name = "out", type = "float", count = "N" }]
check   = "out[i] == in[N - 1 - i] + 1"
[launch]
block   = [256]
grid    = ["40"]
---*/

// right
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const auto grid = cg::this_grid();
  for (int i = grid.thread_rank(); i < N; i += grid.size()) out[i] = in[i] + 1;
  grid.sync();
  // Each pair of elements changes places, by the thread of the lower one.
  for (int i = grid.thread_rank(); i < N / 2; i += grid.size()) {
    const float low = out[i], high = out[N - 1 - i];
    out[i] = high;
    out[N - 1 - i] = low;
  }
}
