/*---
title   = "With the rounding kept"
idea    = "Kahan: what an addition has lost is computed, and given back to the next number."
watch   = "Four additions for each number, and an error of about one rounding, however many numbers there are. A compiler that may change the order of additions would remove it all."
source  = "W. Kahan, Further remarks on reducing truncation errors, 1965"
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
  float sum = 0.0f, lost = 0.0f;
#pragma unroll 4
  for (int k = 0; k < TERMS; ++k) {
    const float next = in[k * N + i] - lost;
    const float larger = sum + next;
    lost = (larger - sum) - next;  // changed: what the addition rounded away
    sum = larger;
  }
  out[i] = sum;
}
