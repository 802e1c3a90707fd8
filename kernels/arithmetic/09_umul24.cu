/*---
title   = "Multiplication of 24 bits"
idea    = "__umul24 multiplies the lower 24 bits. In 2007 that was the quick one: 4 cycles a warp, where 32 bits took several instructions."
watch   = "Chips since 2.0 multiply 32 bits at once. They have to cut off the upper bits first, so there is nothing left to gain; here the compiler cuts once, before the loop."
source  = "NVIDIA, CUDA lectures, 2007, arithmetic instruction throughput; CUDA C++ Programming Guide"
[problem]
sizes   = { N = 65536 }
buffers = [
  { name = "in", type = "uint32", count = "N", fill = "random(0, 256)" },
  { name = "out", type = "uint32", count = "N" },
]
scalars = [{ name = "factor", type = "uint32", value = 60 }]
check   = "out[i] == sum(k, 0, REPEAT, floor_div(xor(in[i], k) * 60, 64))"
operations = "2 * N * REPEAT"
[params]
REPEAT = { default = 64, values = [4, 16, 64, 256], meaning = "rounds of the loop" }
UNROLL = { default = 8, values = [1, 2, 4, 8, 16], meaning = "rounds written out in a row" }
BLOCK = { default = 256, values = [64, 128, 256, 512], meaning = "threads in a block" }
[launch]
block   = ["BLOCK"]
grid    = ["ceil_div(N, BLOCK)"]
---*/

// out[i] = the sum over k of (x ^ k) * factor / 64, for x = in[i]; ^ is the exclusive or, and the fraction is dropped.
extern "C" __global__ void kernel(const unsigned* in, unsigned* out, unsigned factor, int N) {
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i >= N) return;
  const unsigned x = in[i];
  unsigned sum = 0;
#pragma unroll UNROLL
  for (unsigned k = 0; k < REPEAT; ++k)
    sum += __umul24(x ^ k, factor) >> 6;  // changed
  out[i] = sum;
}
