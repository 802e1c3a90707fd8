/*---
title   = "A block waits for the one with the ticket before"
problem = "reduce"
idea    = "Looks like a wait that may never end, but tickets are drawn in the order in which blocks start, so the one waited for is running or done."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 128)"]
---*/

// right
// size: 1024
__device__ unsigned tickets, done;
__device__ float sum_so_far;

// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ unsigned ticket;
  __shared__ float s[4];
  const int t = threadIdx.x;
  if (t == 0) ticket = atomicInc(&tickets, gridDim.x - 1);
  __syncthreads();
  const int i = ticket * 128 + t;
  float v = i < N ? in[i] : 0.0f;
  for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffffu, v, d);
  if (t % 32 == 0) s[t / 32] = v;
  __syncthreads();
  if (t != 0) return;
  while (atomicAdd(&done, 0u) < ticket) {
  }
  __threadfence();
  volatile float* sum = &sum_so_far;
  *sum = (ticket == 0 ? 0.0f : *sum) + s[0] + s[1] + s[2] + s[3];
  const bool last = ticket + 1 == gridDim.x;
  if (last) *out = *sum;
  __threadfence();
  atomicExch(&done, last ? 0u : ticket + 1);
}
