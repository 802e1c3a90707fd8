/*---
title   = "Permuted within the warp"
problem = "copy"
idea    = "Lane l copies what lane l xor MASK of the coalesced copy had: the same 32 elements, handed out in another order."
watch   = "Still 4 sectors: which lane asks for which element does not matter, only which sectors the warp asks for. The first chips, 1.0 and 1.1, made 32 transactions of it."
source  = "NVIDIA, CUDA lectures, coalescing: permuted access by threads"
[params]
BLOCK = { default = 256, values = [32, 64, 128, 256, 512, 1024], meaning = "threads in a block" }
MASK = { default = 5, values = [0, 1, 2, 5, 10, 16, 31], meaning = "bits of the lane that are turned over" }
[launch]
block   = ["BLOCK"]
grid    = ["ceil_div(N, BLOCK)"]
---*/

// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int i = (blockIdx.x * BLOCK + threadIdx.x) ^ MASK;  // changed: another lane of the same warp
  if (i < N) out[i] = in[i];
}
