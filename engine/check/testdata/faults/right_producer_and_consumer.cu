/*---
title   = "A producer and a consumer warp with named barriers"
problem = "reduce"
idea    = "Looks like divergent barriers: the producer arrives at one and waits at the other, the consumer the other way round, each for 64 threads."
[launch]
block   = ["64"]
grid    = ["4"]
---*/

// right
// size: 2000
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[32];
  const int lane = threadIdx.x % 32;
  const int rounds = (N + 127) / 128;
  if (threadIdx.x < 32) {  // producer
    for (int k = 0; k < rounds; ++k) {
      const int i = (k * 4 + blockIdx.x) * 32 + lane;
      if (k > 0) asm volatile("bar.sync 2, 64;" ::: "memory");  // the place is free again
      s[31 - lane] = i < N ? in[i] : 0.0f;
      asm volatile("bar.arrive 1, 64;" ::: "memory");  // it is full
    }
  } else {  // consumer
    float v = 0.0f;
    for (int k = 0; k < rounds; ++k) {
      asm volatile("bar.sync 1, 64;" ::: "memory");
      v += s[lane];
      if (k + 1 < rounds) asm volatile("bar.arrive 2, 64;" ::: "memory");
    }
    for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffffu, v, d);
    if (lane == 0) atomicAdd(out, v);
  }
}
