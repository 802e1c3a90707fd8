/*---
title   = "Sums of the next chunk come too early"
problem = "reduce"
idea    = "A second barrier in the loop is missing: warps write the sums of the next chunk while thread 0 adds those of this one."
[launch]
block   = ["128"]
grid    = [2]
---*/

// size: 1000
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float sums[4];
  const int t = threadIdx.x, warp = t / 32;
  float total = 0.0f;
  for (int first = blockIdx.x * 128; first < N; first += gridDim.x * 128) {
    float v = first + t < N ? in[first + t] : 0.0f;
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
    if (t % 32 == 0) sums[warp] = v;  // fault: race-shared
    __syncthreads();
    if (t == 0) total += sums[0] + sums[1] + sums[2] + sums[3];  // fault: race-shared
  }
  if (t == 0) atomicAdd(out, total);
}
