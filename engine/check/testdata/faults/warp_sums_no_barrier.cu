/*---
title   = "Sums of warps read too early"
problem = "reduce"
idea    = "The first warp adds the sums of all warps without a barrier after the other warps have stored them."
[launch]
block   = ["256"]
grid    = ["4"]
---*/

// size: 5000
__inline__ __device__ float warpReduceSum(float val) {
  for (int offset = 16; offset > 0; offset /= 2) val += __shfl_down_sync(0xffffffff, val, offset);
  return val;
}

// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  static __shared__ float shared[8];
  int lane = threadIdx.x % 32, wid = threadIdx.x / 32;
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += blockDim.x * gridDim.x) sum += in[i];
  sum = warpReduceSum(sum);
  if (lane == 0) shared[wid] = sum;  // fault: race-shared
  if (wid == 0) {
    sum = lane < 8 ? shared[lane] : 0.0f;  // fault: race-shared
    sum = warpReduceSum(sum);
    if (lane == 0) atomicAdd(out, sum);
  }
}
