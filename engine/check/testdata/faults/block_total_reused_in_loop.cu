/*---
title   = "A shared total used again too early"
problem = "reduce"
idea    = "The barrier at the end of the loop is missing: warp 0 sets the total back while other warps still add to it from the round before."
[launch]
block   = ["128"]
grid    = ["3"]
---*/

// size: 6000
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float total;
  for (int first = blockIdx.x * 128; first < N; first += gridDim.x * 128) {
    if (threadIdx.x == 0) total = 0.0f;  // fault: race-shared
    __syncthreads();
    const int i = first + threadIdx.x;
    if (i < N) atomicAdd(&total, in[i]);
    __syncthreads();
    const float sum = total;  // fault: race-shared
    if (threadIdx.x == 127) atomicAdd(out, sum);
  }
}
