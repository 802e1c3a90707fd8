/*---
title   = "A counter that the last block sets back"
problem = "reduce"
idea    = "Looks like a race: a plain store to a word that other blocks count up. The last block stores, after its own atomic came last."
[launch]
block = ["128"]
grid = ["min(64, ceil_div(N,128))"]
---*/

// right
__device__ unsigned int count = 0;
__device__ volatile float result[64];
extern "C" __global__ void sum(const float* in, float* out, int N) {
  __shared__ float s[4]; __shared__ bool last;
  float v = 0;
  for (int i = blockIdx.x*128+threadIdx.x; i < N; i += 128*gridDim.x) v += in[i];
  for (int o = 16; o; o /= 2) v += __shfl_xor_sync(~0u, v, o);
  if (threadIdx.x % 32 == 0) s[threadIdx.x/32] = v;
  __syncthreads();
  if (threadIdx.x == 0) {
    result[blockIdx.x] = s[0]+s[1]+s[2]+s[3];
    __threadfence();
    last = atomicAdd(&count, 1) == gridDim.x-1;
    __threadfence();
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    float w = 0;
    for (int b = 0; b < gridDim.x; b++) w += result[b];
    out[0] = w;
    count = 0;
  }
}
