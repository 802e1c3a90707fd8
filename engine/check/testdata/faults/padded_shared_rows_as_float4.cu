/*---
title   = "float4 stores into rows of 129 floats"
problem = "copy"
idea    = "The rows of the shared array are padded to 129 floats, so the second one does not begin on a multiple of 16 bytes."
[launch]
block   = ["32", "4"]
grid    = ["ceil_div(N, 512)"]
---*/

// size: 1024
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ __align__(16) float rows[4][129];
  const int x = threadIdx.x, y = threadIdx.y;
  const int i = blockIdx.x * 512 + y * 128 + x * 4;
  float4 v = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  if (i + 3 < N) v = *reinterpret_cast<const float4*>(in + i);
  *reinterpret_cast<float4*>(&rows[y][x * 4]) = v;  // fault: misaligned
  __syncthreads();
  for (int c = 0; c < 4; ++c) {
    const int o = blockIdx.x * 512 + y * 128 + c * 32 + x;
    if (o < N) out[o] = rows[y][c * 32 + x];
  }
}
