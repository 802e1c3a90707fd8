/*---
title   = "A block's barrier inside a locked section"
problem = "reduce"
idea    = "The warp that holds the lock waits at the barrier for the other warp, which waits for the lock."
[launch]
block   = ["64"]
grid    = ["ceil_div(N, 64)"]
---*/

// size: 256
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ int lock;
  __shared__ float total;
  const int t = threadIdx.x, lane = t % 32, i = blockIdx.x * 64 + t;
  if (t == 0) lock = 0, total = 0.0f;
  __syncthreads();
  float v = i < N ? in[i] : 0.0f;
  for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(~0u, v, d);
  if (lane == 0) {
    while (atomicCAS(&lock, 0, 1) != 0) {  // fault: deadlock
    }
    atomicAdd(&total, v);
  }
  __syncthreads();  // fault: deadlock
  if (lane == 0) atomicExch(&lock, 0);
  __syncthreads();
  if (t == 0) atomicAdd(out, total);
}
