/*---
title   = "A ring of local elements read before it is full"
problem = "reduce"
idea    = "A thread keeps its last eight elements in a local ring and adds the whole ring at the end, though it may have seen fewer than eight."
[launch]
block   = ["64"]
grid    = ["4"]
---*/

// size: 2000
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  float ring[8];  // fault: uninitialized-local
  int count = 0;
  for (int i = blockIdx.x * 64 + threadIdx.x; i < N; i += 256) {
    ring[count % 8] = in[i];
    ++count;
  }
  float sum = 0.0f;
#pragma unroll 1
  for (int e = 0; e < 8; ++e) sum += ring[e];  // fault: uninitialized-local
  atomicAdd(out, sum);
}
