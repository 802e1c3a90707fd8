/*---
title   = "The tail set to zero while its copy is under way"
problem = "reduce"
idea    = "Elements past the end are copied from the last one and then set to zero, but before the copy has been waited for: it may arrive after the zero."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 128)"]
---*/

// size: 777
__device__ unsigned shared_address(const void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }

// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[128];
  const int t = threadIdx.x, i = blockIdx.x * 128 + t;
  const float* from = in + min(i, N - 1);
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;"  // fault: race-async
               ::"r"(shared_address(&s[t])), "l"(from) : "memory");  // fault: race-async
  asm volatile("cp.async.commit_group;" ::: "memory");
  if (i >= N) s[t] = 0.0f;  // fault: race-async
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncthreads();
  float v = s[t];
  for (int d = 16; d > 0; d >>= 1) v += __shfl_xor_sync(~0u, v, d);
  if (t % 32 == 0) atomicAdd(out, v);
}
