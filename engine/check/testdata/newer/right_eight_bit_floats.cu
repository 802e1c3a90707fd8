/*---
title   = "Numbers of eight bits"
idea    = "e4m3 has four significant bits and e5m2 three: to either and back, in pairs and alone."
[problem]
sizes   = { N = 8192 }
buffers = [{ name = "in", type = "float", count = "N" },
           { name = "out", type = "float", count = "N" }]
check   = "abs(out[i] - in[i]) <= abs(in[i]) / 16 + 0.002"
[launch]
block   = [128]
grid    = ["ceil_div(N, 256)"]
---*/

// right
#include <cuda_fp8.h>
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= N) return;
  const float a = in[i], b = i + 1 < N ? in[i + 1] : 0;
  const __nv_fp8x2_e4m3 pair(make_float2(a, b));
  const float2 back = float2(pair);
  const float rough = float(__nv_fp8_e5m2(a));
  out[i] = fabsf(rough - a) <= fabsf(a) / 8 + 1e-4f ? back.x : 1e9f;
  if (i + 1 < N) out[i + 1] = back.y;
}
