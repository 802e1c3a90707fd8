/*---
title   = "In double"
idea    = "The plain loop with one word changed: the sum is a double, and is rounded once at the end."
watch   = "The same as the host's double, to the last bit of a float. Two instructions for each number: convert, add."
source  = "NVIDIA, CUDA lectures, 2007, FP math is not associative; GPU results may not match CPU"
[problem]
sizes   = { N = 4096 }
buffers = [
  { name = "in", type = "float", shape = ["TERMS", "N"], fill = "random(1, 2) / (row + 1)" },
  { name = "out", type = "float", count = "N" },
]
check   = "out[i] == sum(k, 0, TERMS, in[k, i])"
operations = "TERMS * N"
[params]
TERMS = { default = 1024, values = [16, 256, 1024, 2048], meaning = "numbers that a thread adds up; a power of two" }
BLOCK = { default = 256, values = [64, 128, 256, 512], meaning = "threads in a block" }
[launch]
block   = ["BLOCK"]
grid    = ["ceil_div(N, BLOCK)"]
---*/

// out[i] = the sum of column i of in, which has TERMS rows and N columns; lower rows have the larger numbers.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i >= N) return;
  double sum = 0.0;  // changed
#pragma unroll 4
  for (int k = 0; k < TERMS; ++k) sum += in[k * N + i];
  out[i] = (float)sum;
}
