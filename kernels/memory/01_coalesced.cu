/*---
title   = "Coalesced copy"
problem = "copy"
idea    = "Thread i copies element i: the 32 lanes of a warp ask for 32 neighbours, 128 bytes that start on a sector."
watch   = "4 sectors a load and a store, every byte of them used: no copy can ask for fewer. What follows is measured against this one."
source  = "CUDA C++ Best Practices Guide, a simple access pattern"
[params]
BLOCK = { default = 256, values = [32, 64, 128, 256, 512, 1024], meaning = "threads in a block" }
[launch]
block   = ["BLOCK"]
grid    = ["ceil_div(N, BLOCK)"]
---*/

// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i < N) out[i] = in[i];
}
