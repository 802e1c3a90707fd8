/*---
title   = "A pointer to an array whose block has ended"
problem = "copy"
idea    = "The pointer keeps the address of an array declared inside the braces and is used after them, when another array may have its place."
[launch]
block   = ["32"]
grid    = ["ceil_div(N, 128)"]
---*/

// size: 256
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int first = (blockIdx.x * 32 + threadIdx.x) * 4;
  const float* kept = nullptr;
  {
    float four[4];
#pragma unroll 1
    for (int e = 0; e < 4; ++e) four[e] = first + e < N ? in[first + e] : 0.0f;
    kept = four;
  }
  float other[4];
#pragma unroll 1
  for (int e = 0; e < 4; ++e) other[(e * 3) % 4] = 0.5f * e;
#pragma unroll 1
  for (int e = 0; e < 4; ++e)
    if (first + e < N) out[first + e] = kept[e] + 0.0f * other[e];  // fault: use-after-scope // fault: uninitialized-local
}
