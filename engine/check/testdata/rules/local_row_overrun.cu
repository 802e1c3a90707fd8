/*---
title   = "Column 4 of four"
problem = "copy"
idea    = "The loop over the columns of a local matrix goes one too far."
[launch]
block   = ["32"]
grid    = ["ceil_div(N, 512)"]
---*/

// size: 1000
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  float m[4][4];
  const int first = (blockIdx.x * 32 + threadIdx.x) * 16;
  for (int r = 0; r < 4; ++r)
    for (int c = 0; c < 4; ++c) m[r][c] = first + 4 * r + c < N ? in[first + 4 * r + c] : 0.0f;
  float sum = 0.0f;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c <= 4; ++c) sum += m[r][c];  // fault: out-of-array
  for (int e = 0; e < 16; ++e)
    if (first + e < N) out[first + e] = sum == 1e30f ? sum : m[e / 4][e % 4];
}
