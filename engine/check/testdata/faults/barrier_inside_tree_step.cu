/*---
title   = "The barrier inside the step's condition"
problem = "reduce"
idea    = "The barrier of the tree stands in the branch of the threads that add: from the second step on lanes of one warp differ."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 128)"]
---*/

// size: 1000
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[128];
  const int t = threadIdx.x, i = blockIdx.x * 128 + t;
  s[t] = i < N ? in[i] : 0.0f;
  __syncthreads();
  for (int d = 1; d < 128; d *= 2) {
    if (t % (2 * d) == 0) {
      s[t] += s[t + d];
      __syncthreads();  // fault: divergent-barrier
    }
  }
  if (t == 0) atomicAdd(out, s[0]);
}
