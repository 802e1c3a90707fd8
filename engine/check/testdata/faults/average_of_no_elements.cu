/*---
title   = "An average over no elements"
problem = "reduce"
idea    = "The blocks past the end of the input have no elements and divide by their number."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 128) + 2"]
---*/

// size: 1000
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int t = threadIdx.x, first = blockIdx.x * 128;
  const int mine = max(0, min(128, N - first));
  const int rounds = N / mine;  // fault: division-by-zero
  float v = t < mine ? in[first + t] : 0.0f;
  if (rounds < -3) v = 0.0f;
  for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffffu, v, d);
  if (t % 32 == 0) atomicAdd(out, v);
}
