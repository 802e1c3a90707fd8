/*---
title   = "Two locks taken in opposite order"
problem = "reduce"
idea    = "The first warp takes lock 0 and then 1, the second takes 1 and then 0, and a barrier makes sure that both have their first."
[launch]
block   = ["64"]
grid    = ["ceil_div(N, 64)"]
---*/

// size: 128
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ int lock[2];
  __shared__ float total;
  const int t = threadIdx.x, w = t / 32, i = blockIdx.x * 64 + t;
  if (t == 0) lock[0] = lock[1] = 0, total = 0.0f;
  __syncthreads();
  float v = i < N ? in[i] : 0.0f;
  for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(~0u, v, d);
  if (t % 32 == 0)
    while (atomicCAS(&lock[w], 0, 1) != 0) {
    }
  __syncthreads();
  if (t % 32 == 0) {
    while (atomicCAS(&lock[1 - w], 0, 1) != 0) {  // fault: deadlock
    }
    atomicAdd(&total, v);
    atomicExch(&lock[1 - w], 0);
    atomicExch(&lock[w], 0);
  }
  __syncthreads();
  if (t == 0) atomicAdd(out, total);
}
