/*---
title   = "Fast sine"
idea    = "__sinf goes straight to the special function unit."
watch   = "A multiplication and the sine itself, four instructions a round in all. The error grows with the angle."
source  = "J. Filipovič, GPU Hardware Performance II (Masaryk University, 2022), instructions speed; NVIDIA, CUDA lectures, 2007, arithmetic instruction throughput"
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
    sum += __sinf((x + k) * 0.015625f);  // changed
  out[i] = sum;
}
