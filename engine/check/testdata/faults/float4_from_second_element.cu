/*---
title   = "float4 loads that begin at the second element"
problem = "reduce"
idea    = "The first element is added apart and the float4 loads begin at the second one, which is not a multiple of 16 bytes."
[launch]
block   = ["64"]
grid    = ["ceil_div(N, 256)"]
---*/

// size: 1024
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int t = blockIdx.x * 64 + threadIdx.x;
  const float4* fours = reinterpret_cast<const float4*>(in + 1);
  const int count = (N - 1) / 4;
  float v = t == 0 ? in[0] : 0.0f;
  if (t < count) {
    const float4 f = fours[t];  // fault: misaligned
    v += f.x + f.y + f.z + f.w;
  }
  const int rest = 1 + 4 * count + t;
  if (rest < N) v += in[rest];
  atomicAdd(out, v);
}
