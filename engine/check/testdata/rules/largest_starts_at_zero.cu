/*---
title   = "The largest of a row starts at 0"
problem = "softmax"
idea    = "Where all values are far below 0, the exponentials are 0."
[launch]
block   = ["32"]
grid    = ["M"]
---*/

// says: values from -301 to -201
extern "C" __global__ void kernel(const float* in, float* out, int M, int N) {
  const int row = blockIdx.x;
  float largest = 0, sum = 0;
  for (int c = threadIdx.x; c < N; c += 32) largest = fmaxf(largest, in[row * N + c]);
  for (int d = 16; d; d /= 2) largest = fmaxf(largest, __shfl_xor_sync(~0u, largest, d));
  for (int c = threadIdx.x; c < N; c += 32) sum += expf(in[row * N + c] - largest);
  for (int d = 16; d; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
  for (int c = threadIdx.x; c < N; c += 32) out[row * N + c] = expf(in[row * N + c] - largest) / sum;  // fault: wrong-with-other-data
}
