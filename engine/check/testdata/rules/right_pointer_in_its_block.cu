/*---
title   = "A pointer to what is still there"
problem = "copy"
idea    = "The array is declared where the pointer is."
[launch]
block   = ["32"]
grid    = ["ceil_div(N, 32)"]
---*/

// right
// size: 1000
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int i = blockIdx.x * 32 + threadIdx.x;
  float held[2];
  const float* from = nullptr;
  if (i < N) {
    held[0] = in[i], held[1] = 0.0f;
    from = held;
  }
  for (int e = 0; e < 1; ++e) {
    float own[2] = {1.0f, 2.0f};
    const float* other = own;
    if (other[0] == 3.0f) out[0] = 0.0f;
  }
  if (i < N) out[i] = from[0];
}
