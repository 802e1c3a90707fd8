/*---
title   = "A consumer waits for more arrivals than come"
problem = "reduce"
idea    = "The consumer warp waits until two producer warps have arrived, but the test lets only one of them do so."
[launch]
block   = ["96"]
grid    = ["ceil_div(N, 96)"]
---*/

// size: 300
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[64];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (warp > 0) {
    const int place = threadIdx.x - 32;
    float v = 0.0f;
    for (int i = blockIdx.x * 96 + place; i < min(N, (blockIdx.x + 1) * 96); i += 64) v += in[i];
    s[place] = v;
    if (warp == 1) asm volatile("bar.arrive 1, 96;" ::: "memory");
  } else {
    asm volatile("bar.sync 1, 96;" ::: "memory");  // fault: deadlock // fault: divergent-barrier
    float v = s[lane] + s[lane + 32];
    for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(~0u, v, d);
    if (lane == 0) atomicAdd(out, v);
  }
}
