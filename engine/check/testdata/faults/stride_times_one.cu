/*---
title   = "A stride that does not grow"
problem = "reduce"
idea    = "The stride of the tree is multiplied by one in place of two."
[params]
FACTOR = { default = 1, values = [1, 2], meaning = "by what the stride grows" }
[launch]
block   = ["32"]
grid    = ["ceil_div(N, 32)"]
---*/

// size: 128
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[32];
  const int t = threadIdx.x, i = blockIdx.x * 32 + t;
  s[t] = i < N ? in[i] : 0.0f;
  __syncthreads();
  for (int stride = 1; stride < blockDim.x; stride *= FACTOR) {  // fault: endless-loop
    float v = 0.0f;
    if (t % (2 * stride) == 0) v = s[t + stride];
    __syncthreads();
    if (t % (2 * stride) == 0) s[t] += v;
    __syncthreads();
  }
  if (t == 0) atomicAdd(out, s[0]);
}
