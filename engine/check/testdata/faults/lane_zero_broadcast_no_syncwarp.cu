/*---
title   = "Lane 0 passes a value on without __syncwarp()"
problem = "reduce"
idea    = "Lane 0 stores where the warp's part begins and the other lanes read it at once: without __syncwarp() they may read before the store."
[launch]
block   = ["32"]
grid    = ["ceil_div(N, 128)"]
---*/

// size: 999
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ int begin;
  if (threadIdx.x == 0) begin = blockIdx.x * 128;  // fault: race-warp
  const int first = begin;  // fault: race-warp
  float sum = 0.0f;
  for (int i = first + threadIdx.x; i < min(first + 128, N); i += 32) sum += in[i];
  for (int d = 16; d > 0; d >>= 1) sum += __shfl_xor_sync(0xffffffffu, sum, d);
  if (threadIdx.x == 0) atomicAdd(out, sum);
}
