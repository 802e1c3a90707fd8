/*---
title   = "Multiply and add"
idea    = "Every thread multiplies and adds in a loop, on registers alone: one multiply-add instruction a round."
watch   = "Count what a round costs beside its multiply-add: the loop adds to its counter, compares and jumps. Three of four instructions compute nothing."
source  = "J. Filipovič, GPU Hardware Performance II (Masaryk University, 2022), instructions speed"
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
#pragma unroll 1
  for (int k = 0; k < REPEAT; ++k)
    value = value * 0.984375f + x;
  out[i] = value;
}
