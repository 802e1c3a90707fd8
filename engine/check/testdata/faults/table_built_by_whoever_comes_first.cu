/*---
title   = "A table built by whoever comes first"
problem = "copy"
idea    = "Every block builds the table if the flag is not set and uses it if it is; neither the flag nor the table is protected."
[launch]
block   = ["64"]
grid    = ["ceil_div(N, 64)"]
---*/

// size: 512
__device__ int table_ready = 0;
__device__ int table[64];

// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int t = threadIdx.x;
  const int skip = table_ready;  // fault: race-global
  if (!skip) {
    table[t] = (t * 5) % 64;  // fault: race-global
  }
  __syncthreads();
  if (t == 0) table_ready = 1;  // fault: race-global
  const int i = blockIdx.x * 64 + table[t];  // fault: race-global
  if (i < N) out[i] = in[i];
}
