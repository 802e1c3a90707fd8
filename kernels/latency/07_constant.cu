/*---
title   = "Constant memory"
idea    = "Each thread adds the 32 words of a table in constant memory. Lanes begin at different words of it, so that one load of a warp asks for WORDS of them."
watch   = "A constant load takes one turn for each different word. On an H200 a turn is two cycles of an SM; the other warps' loads wait meanwhile."
source  = "V. Kindratenko, Introduction to GPU Programming (NCSA), constant memory; CUDA C++ Programming Guide"
show    = "in"
[problem]
sizes      = { N = 65536 }
buffers    = [{ name = "in", type = "float", count = "N" }, { name = "out", type = "float", count = "N" }]
check      = "out[i] == in[i] + 496"
operations = "32 * N"
[params]
BLOCK = { default = 128, values = [32, 64, 128, 256, 512, 1024], meaning = "threads in a block" }
WORDS = { default = 1, values = [1, 2, 4, 8, 16, 32], meaning = "different words that a warp reads with one load: 1 is a broadcast" }
[launch]
block   = ["BLOCK"]
grid    = ["ceil_div(N, BLOCK)"]
---*/

__constant__ float table[32] = {
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
    16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31};

// out[i] = in[i] and the sum of the table, for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i >= N) return;
  const int first = threadIdx.x % WORDS;
  float x = in[i];
#pragma unroll 4
  for (int k = 0; k < 32; ++k) x += table[(first + k) % 32];
  out[i] = x;
}
