/*---
title   = "Two groups, a wait for the first only"
problem = "copy"
idea    = "Two halves are copied as two groups; after the first half has been used, the wait for the second one is missing."
[launch]
block   = ["64"]
grid    = ["ceil_div(N, 512)"]
---*/

// size: 2048
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ __align__(16) float4 s[2][64];
  const int t = threadIdx.x, first = blockIdx.x * 512;
  for (int h = 0; h < 2; ++h) {
    const int i = first + (h * 64 + t) * 4;
    const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(&s[h][t]));
    if (i + 3 < N)
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at), "l"(in + i) : "memory");  // fault: race-async
    asm volatile("cp.async.commit_group;" ::: "memory");
  }
  asm volatile("cp.async.wait_group 1;" ::: "memory");
  for (int h = 0; h < 2; ++h) {
    const int i = first + (h * 64 + t) * 4;
    if (i + 3 < N) reinterpret_cast<float4*>(out)[i / 4] = s[h][t];  // fault: race-async
    else for (int e = i; e < N; ++e) out[e] = in[e];
  }
}
