/*---
title   = "__syncthreads_count() in a branch of some lanes"
problem = "reduce"
idea    = "Only lanes with a positive element call __syncthreads_count(), which is a barrier of the whole block."
[launch]
block   = ["64"]
grid    = ["ceil_div(N, 64)"]
---*/

// size: 320
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  const float v = i < N ? in[i] : 0.0f;
  int positive = 0;
  if (v > 0.0f) {
    positive = __syncthreads_count(1);  // fault: divergent-barrier
  }
  float sum = v;
  if (positive > 64) sum = 0.0f;
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffffu, sum, d);
  if (threadIdx.x % 32 == 0) atomicAdd(out, sum);
}
