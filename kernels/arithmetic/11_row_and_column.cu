/*---
title   = "Row and column by division"
idea    = "An index becomes a row and a column: index / width and index % width. The width is an argument, and the compiler does not know that it is a power of two."
watch   = "The GPU has no integer division. A sequence with a reciprocal and corrections stands in for it, and the remainder is computed from the quotient."
source  = "NVIDIA, CUDA lectures, 2007, arithmetic instruction throughput"
[problem]
sizes   = { N = 65536 }
buffers = [
  { name = "in", type = "uint32", count = "N", fill = "random(0, 4096)" },
  { name = "out", type = "uint32", count = "N" },
]
scalars = [
  { name = "width", type = "uint32", value = "2^SHIFT" },
  { name = "shift", type = "uint32", value = "SHIFT" },
]
check   = "out[i] == sum(k, 0, REPEAT, floor_div(in[i] + k, 2^SHIFT) + (in[i] + k) % 2^SHIFT)"
operations = "2 * N * REPEAT"
[params]
REPEAT = { default = 64, values = [4, 16, 64, 256], meaning = "rounds of the loop" }
UNROLL = { default = 8, values = [1, 2, 4, 8, 16], meaning = "rounds written out in a row" }
SHIFT = { default = 6, values = [3, 6, 10], meaning = "the matrix has 2^SHIFT columns: 8, 64, 1024" }
BLOCK = { default = 256, values = [64, 128, 256, 512], meaning = "threads in a block" }
[launch]
block   = ["BLOCK"]
grid    = ["ceil_div(N, BLOCK)"]
---*/

// out[i] = the sum over k of row and column of element in[i] + k, in a matrix of 2^SHIFT columns.
extern "C" __global__ void kernel(const unsigned* in, unsigned* out, unsigned width, int N) {
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i >= N) return;
  const unsigned x = in[i];
  unsigned sum = 0;
#pragma unroll UNROLL
  for (unsigned k = 0; k < REPEAT; ++k) {
    const unsigned row = (x + k) / width, column = (x + k) % width;
    sum += row + column;
  }
  out[i] = sum;
}
