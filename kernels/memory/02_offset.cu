/*---
title   = "Misaligned copy"
problem = "copy"
idea    = "The same copy, but every warp starts OFFSET elements into its line of 128 bytes: its 32 neighbours straddle one sector more."
watch   = "5 sectors instead of 4 for any OFFSET that is no multiple of 8, and 4 again at 8, 16 and 24. On chips of compute capability 1.0 it would have been 32 transactions."
source  = "CUDA C++ Best Practices Guide, effects of misaligned accesses"
[params]
BLOCK = { default = 256, values = [32, 64, 128, 256, 512, 1024], meaning = "threads in a block" }
OFFSET = { default = 1, values = [0, 1, 2, 4, 8, 12, 16, 24, 31], meaning = "elements by which every warp starts late" }
[launch]
block   = ["BLOCK"]
grid    = ["ceil_div(N, BLOCK)"]
---*/

// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int thread = blockIdx.x * BLOCK + threadIdx.x;
  const int i = (thread + OFFSET) % N;  // changed: the last threads take the first elements
  if (thread < N) out[i] = in[i];
}
