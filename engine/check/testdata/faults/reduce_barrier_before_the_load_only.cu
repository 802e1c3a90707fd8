/*---
title   = "Interleaved sum, first barrier forgotten"
problem = "reduce"
idea    = "The tree starts before the block has stored its elements: the barrier after the first store is missing, those in the loop are there."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 128)"]
---*/

// size: 2000
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float part[128];
  const int t = threadIdx.x;
  const int i = blockIdx.x * 128 + t;
  __syncthreads();
  part[t] = i < N ? in[i] : 0.0f;  // fault: race-shared
  for (int s = 64; s > 0; s /= 2) {
    if (t < s) {
      part[t] += part[t + s];  // fault: race-shared
    }
    __syncthreads();
  }
  if (t == 0) atomicAdd(out, part[0]);
}
