/*---
title   = "Asynchronous copies that are never committed"
problem = "reduce"
idea    = "wait_group waits for committed groups only, and the copies were not committed to one."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 256)"]
---*/

// size: 1024
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[256];
  const int t = threadIdx.x, first = blockIdx.x * 256;
  for (int e = t; e < 256; e += 128) {
    s[e] = 0.0f;
    const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(&s[e]));
    if (first + e < N)
      asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at), "l"(in + first + e) : "memory");  // fault: race-async
  }
  asm volatile("cp.async.wait_group 0;" ::: "memory");
  __syncthreads();
  float v = s[t] + s[t + 128];  // fault: race-async
  for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(~0u, v, d);
  if (t % 32 == 0) atomicAdd(out, v);
}
