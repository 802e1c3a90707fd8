/*---
title   = "An unrolled grid-stride loop without its tail"
problem = "reduce"
idea    = "Four elements are added in a round and only the first is tested, so the last round reads past the end."
[launch]
block   = ["64"]
grid    = ["2"]
---*/

// size: 1001
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int stride = gridDim.x * blockDim.x;
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += 4 * stride) {
    sum += in[i];
    sum += in[i + stride];      // fault: out-of-bounds
    sum += in[i + 2 * stride];  // fault: out-of-bounds
    sum += in[i + 3 * stride];  // fault: out-of-bounds
  }
  for (int d = 16; d > 0; d >>= 1) sum += __shfl_xor_sync(0xffffffffu, sum, d);
  if (threadIdx.x % 32 == 0) atomicAdd(out, sum);
}
