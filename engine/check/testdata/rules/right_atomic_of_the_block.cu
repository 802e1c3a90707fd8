/*---
title   = "Each block has its own word"
problem = { sizes = { N = 2000 }, buffers = [{ name = "in", count = "N", fill = "random" },
  { name = "out", count = "ceil_div(N, 256)", fill = "zero", output = true }], check = "out[i] == sum(k, 256 * i, min(N, 256 * i + 256), in[k])" }
idea    = "Only its threads add to it."
[launch]
block   = ["256"]
grid    = ["ceil_div(N, 256)"]
---*/

// right
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  float v = i < N ? in[i] : 0.0f;
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);
  if (threadIdx.x % 32 == 0) atomicAdd_block(&out[blockIdx.x], v);
}
