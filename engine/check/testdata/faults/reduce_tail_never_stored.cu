/*---
title   = "Threads past the end store no zero"
problem = "reduce"
idea    = "Threads past the end of the input store nothing, and the tree of the last block adds what happens to be in shared memory."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 128)"]
---*/

// size: 1000
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[128];
  const int t = threadIdx.x, i = blockIdx.x * 128 + t;
  if (i < N) s[t] = in[i];
  __syncthreads();
  for (int d = 64; d > 0; d >>= 1) {
    if (t < d) s[t] += s[t + d];  // fault: uninitialized-shared
    __syncthreads();
  }
  if (t == 0) atomicAdd(out, s[0]);
}
