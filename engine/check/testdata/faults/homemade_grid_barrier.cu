/*---
title   = "A barrier of the grid by hand, with too many blocks"
problem = "reduce"
idea    = "All blocks wait until all have arrived, but the device holds 264 blocks of 1024 threads and the grid has 300."
[launch]
block   = ["1024"]
grid    = ["ceil_div(N, 2048)"]
---*/

// size: 614400
__device__ float partial[300];
__device__ unsigned arrived;

// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[32];
  const int t = threadIdx.x, i = blockIdx.x * 2048 + t;
  float v = (i < N ? in[i] : 0.0f) + (i + 1024 < N ? in[i + 1024] : 0.0f);
  for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(~0u, v, d);
  if (t % 32 == 0) s[t / 32] = v;
  __syncthreads();
  if (t == 0) {
    v = 0.0f;
    for (int w = 0; w < 32; ++w) v += s[w];
    atomicExch(&partial[blockIdx.x], v);
    __threadfence();
    atomicAdd(&arrived, 1u);
    while (atomicAdd(&arrived, 0u) < gridDim.x) {  // fault: deadlock
    }
    __threadfence();
  }
  __syncthreads();
  if (blockIdx.x == 0 && t < gridDim.x) atomicAdd(out, atomicAdd(&partial[t], 0.0f));
}
