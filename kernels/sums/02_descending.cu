/*---
title   = "From the largest down"
idea    = "Each thread adds up one column, from its first number, which is the largest, to its last."
watch   = "The sum is soon large, and each small number that comes later loses its last bits in it. The result is compared with a sum in double."
source  = "NVIDIA, CUDA lectures, 2007, FP math is not associative"
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
  float sum = 0.0f;
#pragma unroll 4
  for (int k = 0; k < TERMS; ++k) sum += in[k * N + i];
  out[i] = sum;
}
