/*---
title   = "Asynchronous copies of 16 bytes from anywhere"
problem = "copy"
idea    = "The source is shifted by the block's number, so that the 16-byte copies of most blocks begin on no multiple of 16 bytes."
[launch]
block   = ["32"]
grid    = ["ceil_div(N, 128)"]
---*/

// size: 999
#include <cuda_pipeline.h>
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ __align__(16) float s[32][4];
  const int t = threadIdx.x, b = blockIdx.x;
  const int shift = b % 4, last = b + 1 == gridDim.x;
  const int i = b * 128 + shift + t * 4;
  const int end = last ? N : (b + 1) * 128 + (b + 1) % 4;
  const bool four = i + 3 < end;
  if (four) __pipeline_memcpy_async(s[t], in + i, 16);  // fault: misaligned
  __pipeline_commit();
  __pipeline_wait_prior(0);
  if (four)
    for (int e = 0; e < 4; ++e) out[i + e] = s[t][e];
  else
    for (int e = i; e < end; ++e) out[e] = in[e];
  if (t == 31)
    for (int e = i + 4; e < end; ++e) out[e] = in[e];
}
