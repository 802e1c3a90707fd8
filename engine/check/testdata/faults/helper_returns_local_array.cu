/*---
title   = "A helper returns the address of its local array"
problem = "reduce"
idea    = "The helper returns a pointer to its own local array, which is gone when it returns."
[launch]
block   = ["64"]
grid    = ["ceil_div(N, 256)"]
---*/

// size: 800
__device__ __noinline__ const float* load_four(const float* in, int first, int N) {
  float four[4];
#pragma unroll 1
  for (int e = 0; e < 4; ++e) four[e] = first + e < N ? in[first + e] : 0.0f;
  const float* volatile result = four;
  return result;  // fault: use-after-scope
}

// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int first = (blockIdx.x * 64 + threadIdx.x) * 4;
  const float* four = load_four(in, first, N);
  float sum = 0.0f;
#pragma unroll 1
  for (int e = 0; e < 4; ++e) sum += four[e];  // fault: use-after-scope // fault: uninitialized-local
  for (int d = 16; d > 0; d >>= 1) sum += __shfl_down_sync(0xffffffffu, sum, d);
  if (threadIdx.x % 32 == 0) atomicAdd(out, sum);
}
