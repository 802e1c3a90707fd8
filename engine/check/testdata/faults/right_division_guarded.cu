/*---
title   = "A division that is skipped where it would be by zero"
problem = "reduce"
idea    = "Looks like a division by the number of a block's elements, which can be zero, but those blocks have returned."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 128) + 2"]
---*/

// right
// size: 1000
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int t = threadIdx.x, first = blockIdx.x * 128;
  const int mine = max(0, min(128, N - first));
  if (mine == 0) return;
  const int each = N / mine;
  float v = t < mine ? in[first + t] : 0.0f;
  if (each < 1) v = 0.0f;
  for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffffu, v, d);
  if (t % 32 == 0) atomicAdd(out, v);
}
