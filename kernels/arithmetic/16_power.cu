/*---
title   = "Power"
idea    = "powf(a, b) is exact to a few units in the last place for all a and b: logarithm, multiplication and exponential with extra digits, and all special cases."
watch   = "The most instructions of all functions here. A square written as powf(a, 2.0f) would pay for it too; a * a is one instruction."
source  = "NVIDIA, CUDA lectures, 2007, arithmetic instruction throughput"
[problem]
sizes   = { N = 65536 }
buffers = [
  { name = "in", type = "float", count = "N", fill = "random(1, 2)" },
  { name = "out", type = "float", count = "N" },
]
scalars = [{ name = "exponent", type = "float", value = 1.75 }]
check   = "out[i] == sum(k, 0, REPEAT, (in[i] + k / 64)^1.75)"
tolerance = 1e-4
operations = "2 * N * REPEAT"
[params]
REPEAT = { default = 64, values = [4, 16, 64, 256], meaning = "rounds of the loop" }
UNROLL = { default = 8, values = [1, 2, 4, 8, 16], meaning = "rounds written out in a row" }
BLOCK = { default = 256, values = [64, 128, 256, 512], meaning = "threads in a block" }
[launch]
block   = ["BLOCK"]
grid    = ["ceil_div(N, BLOCK)"]
---*/

// out[i] = the sum of (x + k / 64)^exponent over k, for x = in[i].
extern "C" __global__ void kernel(const float* in, float* out, float exponent, int N) {
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i >= N) return;
  const float x = in[i];
  float sum = 0.0f;
#pragma unroll UNROLL
  for (int k = 0; k < REPEAT; ++k)
    sum += powf(x + k * 0.015625f, exponent);
  out[i] = sum;
}
