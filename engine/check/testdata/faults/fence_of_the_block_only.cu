/*---
title   = "A fence of the block where the device is meant"
problem = "reduce"
idea    = "__threadfence_block() orders the partial sum and the count for the own block only; the last block needs __threadfence()."
[launch]
block   = ["64"]
grid    = ["6"]
---*/

// size: 3000
__device__ float partial[6];
__device__ unsigned count;

// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int t = threadIdx.x;
  __shared__ float s[2];
  float v = 0.0f;
  for (int i = blockIdx.x * 64 + t; i < N; i += 384) v += in[i];
  for (int d = 16; d > 0; d >>= 1) v += __shfl_xor_sync(~0u, v, d);
  if (t % 32 == 0) s[t / 32] = v;
  __syncthreads();
  if (t > 0) return;
  partial[blockIdx.x] = s[0] + s[1];  // fault: race-global
  __threadfence_block();
  if (atomicInc(&count, 5u) == 5u) {
    v = 0.0f;
    for (int b = 0; b < 6; ++b) v += partial[b];  // fault: race-global
    out[0] = v;
  }
}
