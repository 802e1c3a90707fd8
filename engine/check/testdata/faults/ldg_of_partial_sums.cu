/*---
title   = "The last block reads the partial sums by __ldg()"
problem = "reduce"
idea    = "Fence and counter are right, but the last block reads the partial sums through the read-only cache."
[launch]
block   = ["128"]
grid    = ["6"]
---*/

// size: 4000
__device__ float partial[6];
__device__ unsigned finished;

// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[4];
  const int t = threadIdx.x;
  float v = 0.0f;
  for (int i = blockIdx.x * 128 + t; i < N; i += 768) v += in[i];
  for (int d = 16; d > 0; d >>= 1) v += __shfl_xor_sync(~0u, v, d);
  if (t % 32 == 0) s[t / 32] = v;
  __syncthreads();
  if (t > 0) return;
  partial[blockIdx.x] = s[0] + s[1] + s[2] + s[3];  // fault: stale-read-only
  __threadfence();
  if (atomicInc(&finished, 5u) == 5u) {
    __threadfence();
    float total = 0.0f;
    for (int b = 0; b < 6; ++b) total += __ldg(&partial[b]);  // fault: stale-read-only
    *out = total;
  }
}
