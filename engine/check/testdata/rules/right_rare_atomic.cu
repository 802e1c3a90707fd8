/*---
title   = "Counts close pairs, with atomics that few lanes come to"
idea    = "A long loop with an atomic in it does not wait for anybody."
[problem]
sizes   = { N = 2000 }
buffers = [{ name = "in", count = "N" }, { name = "out", type = "int32", count = "N", output = true }]
check   = "out[i] == 0"
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 128)"]
---*/

// right
// size: 12000
extern "C" __global__ void kernel(const float* in, int* out, int N) {
  const int i = blockIdx.x * 128 + threadIdx.x;
  if (i >= N) return;
  out[i] = 0;
  for (int k = 0; k < N; ++k)
    if (k != i && in[k] == in[i] && in[k] > 1e30f) atomicAdd(&out[i], 1);
}
