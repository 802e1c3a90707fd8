/*---
title   = "In pairs"
idea    = "A tree, as in a parallel reduction: pairs are added, then pairs of their sums. Each number goes through log2(TERMS) additions instead of up to TERMS."
watch   = "Sums of 2, 4, 8 ... numbers wait in an array until their partner is there: a counter that adds up. The order of a parallel sum is not a loss, it is a gain."
source  = "NVIDIA, CUDA lectures, 2007, FP math is not associative; N. J. Higham, The accuracy of floating point summation, 1993"
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
  float waiting[12];  // of 2^level numbers
#pragma unroll
  for (int level = 0; level < 12; ++level) waiting[level] = 0.0f;
#pragma unroll 1
  for (int k = 0; k < TERMS; ++k) {
    float sum = in[k * N + i];
    bool carries = true;
#pragma unroll
    for (int level = 0; level < 12; ++level) {  // changed: as a binary counter carries
      const bool meets = k >> level & 1;
      const float partner = waiting[level];
      if (carries && !meets) waiting[level] = sum;
      if (carries && meets) sum += partner;
      carries = carries && meets;
    }
    if (k == TERMS - 1) out[i] = sum;
  }
}
