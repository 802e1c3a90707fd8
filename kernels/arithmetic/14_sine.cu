/*---
title   = "Sine"
idea    = "sinf is right to 2 units in the last place for every float: it brings the angle near zero first, then adds up a polynomial."
watch   = "More than thirty instructions a call, and a second way, through local memory, for angles above 105,615, which none of these needs."
source  = "J. Filipovič, GPU Hardware Performance II (Masaryk University, 2022), instructions speed, transcendental functions"
[problem]
sizes   = { N = 65536 }
buffers = [
  { name = "in", type = "float", count = "N", fill = "i % 64" },
  { name = "out", type = "float", count = "N" },
]
check   = "out[i] == sum(k, 0, REPEAT, sin((in[i] + k) / 64))"
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

// out[i] = the sum of sin((x + k) / 64) over k, for x = in[i].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i >= N) return;
  const float x = in[i];
  float sum = 0.0f;
#pragma unroll UNROLL
  for (int k = 0; k < REPEAT; ++k)
    sum += sinf((x + k) * 0.015625f);
  out[i] = sum;
}
