/*---
title   = "Partial sums for eight of nine blocks"
problem = "reduce"
idea    = "The array of partial sums has eight elements and the grid nine blocks."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 128)"]
---*/

// size: 1152
__device__ float partial[8];
__device__ unsigned count;

// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[4];
  const int t = threadIdx.x, i = blockIdx.x * 128 + t;
  float v = i < N ? in[i] : 0.0f;
  for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(~0u, v, d);
  if (t % 32 == 0) s[t / 32] = v;
  __syncthreads();
  if (t != 0) return;
  volatile float* p = partial;
  p[blockIdx.x] = s[0] + s[1] + s[2] + s[3];  // fault: out-of-bounds // fault: out-of-array // fault: out-of-bounds
  __threadfence();
  if (atomicInc(&count, gridDim.x - 1) == gridDim.x - 1) {
    __threadfence();
    float total = 0.0f;
    for (int b = 0; b < gridDim.x; ++b) total += p[b];  // fault: out-of-bounds // fault: out-of-array // fault: out-of-bounds
    *out = total;
  }
}
