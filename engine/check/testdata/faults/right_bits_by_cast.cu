/*---
title   = "Floats and their bits in one shared array"
problem = "reduce"
idea    = "Looks like a type mix-up: integers are stored and floats read at the same place, but the integers are the bits of those floats."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 128)"]
---*/

// right
// size: 512
union Word {
  float number;
  int bits;
};

// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ Word s[128];
  const int t = threadIdx.x, i = blockIdx.x * 128 + t;
  s[t].bits = i < N ? __float_as_int(in[i]) : 0;
  __syncthreads();
  for (int d = 64; d > 0; d >>= 1) {
    if (t < d) s[t].number += s[t + d].number;
    __syncthreads();
  }
  if (t == 0) atomicAdd(out, s[0].number);
}
