/*---
title   = "float4 loads past the end"
problem = "reduce"
idea    = "A thread loads four elements if the first of them is inside: the last float4 ends two elements behind the array."
[launch]
block   = ["64"]
grid    = ["ceil_div(N, 256)"]
---*/

// size: 1022
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int i = 4 * (blockIdx.x * 64 + threadIdx.x);
  float v = 0.0f;
  if (i < N) {
    const float4 four = *reinterpret_cast<const float4*>(in + i);  // fault: out-of-bounds
    v = four.x + (i + 1 < N ? four.y : 0.0f) + (i + 2 < N ? four.z : 0.0f) + (i + 3 < N ? four.w : 0.0f);
  }
  for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffffu, v, d);
  if (threadIdx.x % 32 == 0) atomicAdd(out, v);
}
