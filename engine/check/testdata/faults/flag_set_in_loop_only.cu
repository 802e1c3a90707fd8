/*---
title   = "A flag that only the loop sets"
problem = "reduce"
idea    = "The flag is set in the loop over the thread's elements; a thread that has none branches on a flag without a value."
[launch]
block   = ["64"]
grid    = ["12"]
---*/

// size: 640
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  int negative;  // fault: uninitialized-register
  float sum = 0.0f;
  for (int i = blockIdx.x * 64 + threadIdx.x; i < N; i += 768) {
    sum += in[i];
    negative = sum < 0.0f;
  }
  if (negative)  // fault: uninitialized-register
    atomicAdd(out, sum);
  else if (sum != 0.0f)
    atomicAdd(&out[0], sum * 1.0f);
}
