/*---
title   = "A shuffle in a loop that lanes leave"
problem = "reduce"
idea    = "The grid-stride loop with a shuffle in it ends earlier for some lanes of the warp, and the full mask still names them."
[launch]
block   = ["64"]
grid    = ["5"]
---*/

// size: 1003
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int lane = threadIdx.x % 32;
  float sum = 0.0f;
  for (int i = blockIdx.x * 64 + threadIdx.x; i < N; i += gridDim.x * 64) {
    float v = in[i];
    v += __shfl_xor_sync(0xffffffffu, v, 1);  // fault: mask-without-caller // fault: inactive-source-lane
    if (lane % 2 == 0) sum += v;
  }
  if (lane % 2 == 0) atomicAdd(out, sum);
}
