/*---
title   = "A shared sum set to zero beside the additions"
problem = "reduce"
idea    = "Thread 0 sets the shared sum to zero, and no barrier keeps the other warps from adding before that."
[launch]
block   = ["96"]
grid    = ["ceil_div(N, 96)"]
---*/

// size: 900
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float block_sum;
  const int i = blockIdx.x * 96 + threadIdx.x;
  if (threadIdx.x == 0) {
    block_sum = 0.0f;  // fault: race-shared
  }
  __syncwarp();
  const float mine = i < N ? in[i] : 0.0f;
  atomicAdd(&block_sum, mine);  // fault: race-shared
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(out, block_sum);
}
