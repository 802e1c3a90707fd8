/*---
title   = "A pipeline that stops committing at its end"
problem = "reduce"
idea    = "The wait counts groups, but the last rounds commit none: it lets the last tile be used while its copy is under way."
[launch]
block   = ["64"]
grid    = ["2"]
---*/

// size: 1000
#include <cuda_pipeline.h>
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[3][64];
  const int t = threadIdx.x, step = gridDim.x * 64;
  const int first = blockIdx.x * 64 + t;
  for (int stage = 0; stage < 2; ++stage) {
    if (first + stage * step < N) __pipeline_memcpy_async(&s[stage][t], &in[first + stage * step], 4);
    __pipeline_commit();
  }
  float sum = 0.0f;
  int stage = 0;
  for (int i = first; i - t < N; i += step) {
    if (i - t + 2 * step < N) {
      if (i + 2 * step < N) __pipeline_memcpy_async(&s[(stage + 2) % 3][t], &in[i + 2 * step], 4);  // fault: race-async
      __pipeline_commit();
    }
    __pipeline_wait_prior(2);  // fault: race-async
    if (i < N) sum += s[stage][t];  // fault: race-async
    stage = (stage + 1) % 3;
  }
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffffu, sum, d);
  if (t % 32 == 0) atomicAdd(out, sum);
}
