/*---
title   = "Integers of 32 bits"
idea    = "Multiply and add whole numbers: (x ^ k) * factor, without its last 6 bits, summed: a multiplication by factor / 64, in fixed point."
watch   = "A round is an exclusive or, a multiplication, a shift and an addition. On an H100 shift and addition are one machine instruction: three a round."
source  = "NVIDIA, CUDA lectures, 2007, arithmetic instruction throughput"
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
    sum += (x ^ k) * factor >> 6;
  out[i] = sum;
}
