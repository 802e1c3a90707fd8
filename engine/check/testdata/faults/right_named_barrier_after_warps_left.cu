/*---
title   = "A named barrier for the warps that are left"
problem = "reduce"
idea    = "Looks like a wrong count, but two of the four warps have left and the named barrier is for the 64 threads of the others."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 128)"]
---*/

// right
// size: 1024
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[128];
  const int t = threadIdx.x, i = blockIdx.x * 128 + t;
  s[t] = i < N ? in[i] : 0.0f;
  __syncthreads();
  if (t >= 64) return;
  s[t] += s[t + 64];
  asm volatile("bar.sync 1, 64;" ::: "memory");
  if (t >= 32) return;
  float v = s[t] + s[t + 32];
  for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffffu, v, d);
  if (t == 0) atomicAdd(out, v);
}
