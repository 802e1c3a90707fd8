/*---
title   = "A block waits for the one behind it"
problem = "reduce"
idea    = "Each block waits for the sum of the next, but no more than 264 of these 300 blocks are on the device at once, and those wait for blocks that cannot start."
[launch]
block   = ["1024"]
grid    = ["ceil_div(N, 1024)"]
---*/

// size: 307200
__device__ float sums[301];
__device__ volatile int ready[301];

// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[32];
  const int t = threadIdx.x, b = blockIdx.x, i = b * 1024 + t;
  float v = i < N ? in[i] : 0.0f;
  for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(~0u, v, d);
  if (t % 32 == 0) s[t / 32] = v;
  __syncthreads();
  if (t != 0) return;
  v = 0.0f;
  for (int w = 0; w < 32; ++w) v += s[w];
  if (b + 1 < gridDim.x) {
    while (ready[b + 1] == 0) {  // fault: deadlock
    }
    __threadfence();
    v += atomicAdd(&sums[b + 1], 0.0f);
  }
  atomicExch(&sums[b], v);
  __threadfence();
  ready[b] = 1;
  if (b == 0) *out = v;
}
