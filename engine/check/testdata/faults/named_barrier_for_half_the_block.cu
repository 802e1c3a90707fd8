/*---
title   = "A named barrier for half of the block"
problem = "reduce"
idea    = "The barrier counts 128 threads, so each half of the block meets only itself, and the first half reads what the second stores without waiting for it."
[launch]
block   = ["256"]
grid    = ["ceil_div(N, 256)"]
---*/

// size: 2000
__device__ void sync_half(int id) { asm volatile("bar.sync %0, 128;" ::"r"(id) : "memory"); }

// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float part[256];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  part[t] = i < N ? in[i] : 0.0f;  // fault: race-shared
  sync_half(1 + t / 128);
  if (t >= 128) return;
  part[t] += part[t + 128];  // fault: race-shared
  sync_half(1);
  for (int s = 64; s > 0; s /= 2) {
    if (t < s) part[t] += part[t + s];
    sync_half(1);
  }
  if (t == 0) atomicAdd(out, part[0]);
}
