/*---
title   = "An asynchronous copy without a wait"
problem = "copy"
idea    = "The copies are committed but nobody waits for them: the barrier does not, so the shared elements may not have come yet."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 128)"]
---*/

// size: 1000
__device__ void copy4_async(float* to, const float* from) {
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(to));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at), "l"(from) : "memory");  // fault: race-async
}

// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[128];
  const int t = threadIdx.x, i = blockIdx.x * 128 + t;
  if (i < N) copy4_async(&s[t], &in[i]);  // fault: race-async
  asm volatile("cp.async.commit_group;" ::: "memory");
  __syncthreads();
  const int u = t ^ 33, j = blockIdx.x * 128 + u;
  if (j < N) out[j] = s[u];  // fault: race-async
}
