/*---
title   = "All columns of a local matrix"
problem = "copy"
idea    = "Rows and columns are counted up to their number."
[launch]
block   = ["32"]
grid    = ["ceil_div(N, 640)"]
---*/

// right
// size: 1000
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int kRows = 4, kColumns = 5;
  float m[kRows][kColumns], w[kColumns + 1];
  const int first = (blockIdx.x * 32 + threadIdx.x) * 20;
  for (int r = 0; r < kRows; ++r)
    for (int c = 0; c < kColumns; ++c) m[r][c] = first + 5 * r + c < N ? in[first + 5 * r + c] : 0.0f;
  for (int c = 0; c <= kColumns; ++c) w[c] = c < kColumns ? m[0][c] : 1.0f;
  for (int e = 0; e < 20; ++e)
    if (first + e < N) out[first + e] = w[5] == 1.0f ? m[e / 5][e % 5] : w[0];
}
