/*---
title   = "One table runs into the next"
problem = "reduce"
idea    = "Ten blocks store their sums into a device array of eight; the ninth and tenth sum land in what follows it."
[launch]
block   = ["64"]
grid    = ["10"]
---*/

// size: 640
__device__ float low[8];
__device__ float high[8];

// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int t = threadIdx.x, i = blockIdx.x * 64 + t;
  float v = i < N ? in[i] : 0.0f;
  for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(~0u, v, d);
  if (t == 0) {
    low[blockIdx.x] = v;  // fault: out-of-array // fault: out-of-bounds
  }
  if (t == 32) high[blockIdx.x % 8] = 0.0f * blockDim.x;
  if (t % 32 == 0) atomicAdd(out, v);
}
