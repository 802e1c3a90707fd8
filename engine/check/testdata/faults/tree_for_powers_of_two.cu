/*---
title   = "A tree for powers of two in a block of 96"
problem = "reduce"
idea    = "Halving 96 gives 48, 24, 12, 6, 3, 1: from three sums one is left out in the last step."
[launch]
block   = ["96"]
grid    = ["ceil_div(N, 96)"]
---*/

// size: 768
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[96];
  const int t = threadIdx.x, i = blockIdx.x * 96 + t;
  s[t] = i < N ? in[i] : 0.0f;
  __syncthreads();
  for (int d = 48; d > 0; d /= 2) {  // fault: wrong-result
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) atomicAdd(out, s[0]);
}
