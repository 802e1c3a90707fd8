/*---
title   = "A barrier in a loop of each thread's own length"
problem = "reduce"
idea    = "The trip count of the grid-stride loop depends on the thread, so in the last round some threads meet a barrier that the others have left behind."
[launch]
block   = ["64"]
grid    = ["4"]
---*/

// size: 1003
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  float sum = 0.0f;
  for (int i = blockIdx.x * 64 + t; i < N; i += gridDim.x * 64) {
    s[63 - t] = in[i];
    __syncthreads();  // fault: divergent-barrier
    sum += s[63 - t];
    __syncthreads();  // fault: divergent-barrier
  }
  atomicAdd(out, sum);
}
