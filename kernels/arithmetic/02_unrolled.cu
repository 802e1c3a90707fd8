/*---
title   = "Unrolled"
idea    = "UNROLL rounds are written out in a row, and the loop is counted, tested and jumped back once for all of them."
watch   = "Warp instructions fall towards one a round. The multiply-adds are the same ones in the same order, so the result is the same to the last bit."
source  = "J. Filipovič, GPU Hardware Performance II (Masaryk University, 2022), instructions speed, loops"
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
    value = value * 0.984375f + x;  // changed: unrolled
  out[i] = value;
}
