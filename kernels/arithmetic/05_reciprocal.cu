/*---
title   = "Multiplication by the reciprocal"
idea    = "The divisor is the same in all rounds: divide once, before the loop, and multiply by the reciprocal."
watch   = "One division in the whole kernel is left, and a round is a multiply-add again. The last bits differ from those of the division, so the compiler may not do this by itself."
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
UNROLL = { default = 8, values = [1, 2, 4, 8, 16], meaning = "rounds written out in a row" }
BLOCK = { default = 256, values = [64, 128, 256, 512], meaning = "threads in a block" }
[launch]
block   = ["BLOCK"]
grid    = ["ceil_div(N, BLOCK)"]
---*/

// out[i] = x + x s + x s^2 + ... for x = in[i] and s = 63/64, REPEAT terms, by Horner's rule.
extern "C" __global__ void kernel(const float* in, float* out, float divisor, int N) {
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i >= N) return;
  const float x = in[i];
  const float reciprocal = 1.0f / divisor;
  float value = 0.0f;
#pragma unroll UNROLL
  for (int k = 0; k < REPEAT; ++k)
    value = value * reciprocal + x;  // changed
  out[i] = value;
}
