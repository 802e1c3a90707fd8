/*---
title   = "A helper with a barrier called by some threads"
problem = "reduce"
idea    = "The barrier hides in a helper function that only threads with an element to add call: in the tree these are ever fewer."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 128)"]
---*/

// size: 1024
__device__ void add_and_wait(float* s, int t, int d) {
  s[t] += s[t + d];
  __syncthreads();  // fault: divergent-barrier
}

// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[128];
  const int t = threadIdx.x, i = blockIdx.x * 128 + t;
  s[t] = i < N ? in[i] : 0.0f;
  __syncthreads();
  for (int d = 64; d > 0; d >>= 1)
    if (t < d) add_and_wait(s, t, d);  // fault: divergent-barrier
  if (t == 0) atomicAdd(out, s[0]);
}
