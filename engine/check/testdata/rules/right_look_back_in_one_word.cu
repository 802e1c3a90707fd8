/*---
title   = "Status and value in one word"
problem = "reduce"
idea    = "Blocks look at words of others that are volatile: 64 bits are there as a whole, no fence is needed."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 128)"]
---*/

// right
// size: 1000
__device__ volatile unsigned long long word[64];

// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[4];
  const int i = blockIdx.x * 128 + threadIdx.x;
  float v = i < N ? in[i] : 0.0f;
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x != 0) return;
  v = s[0] + s[1] + s[2] + s[3];
  if (blockIdx.x > 0) {
    unsigned long long seen;
    do seen = word[blockIdx.x - 1];
    while (seen >> 32 == 0);
    v += __uint_as_float((unsigned)seen);
  }
  word[blockIdx.x] = 1ull << 32 | __float_as_uint(v);
  if (blockIdx.x == gridDim.x - 1) *out = v;
}
