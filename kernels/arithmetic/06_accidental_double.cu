/*---
title   = "The accidental double"
idea    = "The unrolled step, with one letter lost: 0.984375 instead of 0.984375f. A literal without f is a double, and so is what it touches."
watch   = "Each round converts value to double, multiplies and adds in double, and converts back: three instructions in place of one, and none of them on the float units."
source  = "NVIDIA, CUDA lectures, 2007, make your program float-safe"
[problem]
sizes   = { N = 65536 }
buffers = [
  { name = "in", type = "float", count = "N" },
  { name = "out", type = "float", count = "N" },
]
scalars = [{ name = "divisor", type = "float", value = "64 / 63" }]
check   = "out[i] == sum(k, 0, REPEAT, in[i] * (63 / 64)^k)"
operations = "2 * N * REPEAT"
[params]
REPEAT = { default = 64, values = [4, 16, 64, 256], meaning = "rounds of the loop" }
UNROLL = { default = 8, values = [1, 2, 4, 8, 16], meaning = "rounds written out in a row" }
BLOCK = { default = 256, values = [64, 128, 256, 512], meaning = "threads in a block" }
[launch]
block   = ["BLOCK"]
grid    = ["ceil_div(N, BLOCK)"]
---*/

// out[i] = x + x s + x s^2 + ... for x = in[i] and s = 63/64, REPEAT terms, by Horner's rule.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i >= N) return;
  const float x = in[i];
  float value = 0.0f;
#pragma unroll UNROLL
  for (int k = 0; k < REPEAT; ++k)
    value = value * 0.984375 + x;  // changed: no f
  out[i] = value;
}
