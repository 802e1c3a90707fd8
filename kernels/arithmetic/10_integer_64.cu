/*---
title   = "Integers of 64 bits"
idea    = "The same sum in long numbers: unsigned long long in place of unsigned."
watch   = "Registers have 32 bits, so each long number is a pair. The count of the PTX does not move; in the machine code three instructions a round become seven."
source  = "CUDA C++ Programming Guide, arithmetic instructions"
[problem]
sizes   = { N = 65536 }
buffers = [
  { name = "in", type = "uint64", count = "N", fill = "random(0, 256)" },
  { name = "out", type = "uint64", count = "N" },
]
scalars = [{ name = "factor", type = "uint64", value = 60 }]
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
extern "C" __global__ void kernel(const unsigned long long* in, unsigned long long* out, unsigned long long factor, int N) {
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i >= N) return;
  const unsigned long long x = in[i];
  unsigned long long sum = 0;
#pragma unroll UNROLL
  for (unsigned long long k = 0; k < REPEAT; ++k)
    sum += (x ^ k) * factor >> 6;  // changed: 64 bits
  out[i] = sum;
}
