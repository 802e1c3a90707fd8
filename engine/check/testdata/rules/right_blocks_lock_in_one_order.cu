/*---
title   = "Two locks in one order"
problem = "reduce"
idea    = "All blocks take lock 0 first."
[launch]
block   = ["64"]
grid    = ["ceil_div(N, 64)"]
---*/

// right
// size: 1000
__device__ int lock[2];
__device__ float account[2];

// *out, zero at the start, becomes the sum of in[N]: blocks move money between two accounts, and the sum is in both.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[2];
  const int i = blockIdx.x * 64 + threadIdx.x;
  float v = i < N ? in[i] : 0.0f;
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x != 0) return;
  const int first = 0, second = 1;
  while (atomicCAS(&lock[first], 0, 1) != 0) {
  }
  while (atomicCAS(&lock[second], 0, 1) != 0) {
  }
  __threadfence();
  volatile float* const money = account;
  money[first] = money[first] + s[0];
  money[second] = money[second] + s[1];
  __threadfence();
  atomicExch(&lock[second], 0);
  atomicExch(&lock[first], 0);
  atomicAdd(out, s[0] + s[1]);
}
