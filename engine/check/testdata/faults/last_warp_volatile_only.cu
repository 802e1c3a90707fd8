/*---
title   = "The last warp with volatile only"
problem = "reduce"
idea    = "Warp-synchronous code of the years before 2017: volatile keeps the order within a lane, but nothing orders the lanes; __syncwarp() is missing."
[launch]
block   = ["256"]
grid    = ["ceil_div(N, 512)"]
---*/

// size: 2048
__device__ void warpReduce(volatile float* sdata, unsigned int tid) {
  sdata[tid] += sdata[tid + 32];  // fault: race-warp
  sdata[tid] += sdata[tid + 16];  // fault: race-warp
  sdata[tid] += sdata[tid + 8];   // fault: race-warp
  sdata[tid] += sdata[tid + 4];   // fault: race-warp
  sdata[tid] += sdata[tid + 2];   // fault: race-warp
  sdata[tid] += sdata[tid + 1];   // fault: race-warp
}

// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float sdata[256];
  unsigned int tid = threadIdx.x;
  unsigned int i = blockIdx.x * 512 + tid;
  sdata[tid] = (i < N ? in[i] : 0.0f) + (i + 256 < N ? in[i + 256] : 0.0f);
  __syncthreads();
  for (unsigned int s = 128; s > 32; s >>= 1) {
    if (tid < s) sdata[tid] += sdata[tid + s];
    __syncthreads();
  }
  if (tid < 32) warpReduce(sdata, tid);
  if (tid == 0) atomicAdd(out, sdata[0]);
}
