/*---
title   = "A sum made in place in the input"
problem = "reduce"
idea    = "The tree runs in the input array itself, which the kernel must not change."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 256)"]
---*/

// size: 1024
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  float* data = const_cast<float*>(in) + blockIdx.x * 256;
  const int t = threadIdx.x, left = N - blockIdx.x * 256;
  for (int s = 128; s > 0; s >>= 1) {
    if (t < s && t + s < min(left, 2 * s)) data[t] += data[t + s];  // fault: write-to-input
    __syncthreads();
  }
  if (t == 0) atomicAdd(out, data[0]);
}
