/*---
title   = "An array that has no registers"
idea    = "Each thread works on CHAINS numbers in an array, one after the other, in a loop that is not unrolled. Registers have no index, so the array is put into local memory."
watch   = "Local loads and stores, counted as executed: two for each multiply-add. Lane by lane the words stand side by side, so each takes 4 sectors."
source  = "V. Kindratenko, Introduction to GPU Programming (NCSA), local memory"
show    = "in"
[problem]
sizes      = { N = 270336 }
buffers    = [{ name = "in", type = "float", count = "N" }, { name = "out", type = "float", count = "N" }]
check      = "out[i] == 1 - (1 - in[i]) * pow(0.9990234375, STEPS)"
operations = "2 * N * STEPS"
[params]
BLOCK  = { default = 128, values = [32, 64, 128, 256], meaning = "threads in a block" }
CHAINS = { default = 8, values = [2, 4, 8, 16, 32], meaning = "numbers that a thread works on" }
STEPS  = { default = 64, values = [4, 64, 256], meaning = "multiply-adds in a chain" }
[launch]
block   = ["BLOCK"]
grid    = ["ceil_div(N, BLOCK * CHAINS)"]
---*/

constexpr float factor = 0.9990234375f;  // 1023/1024
constexpr float term = 0.0009765625f;    // 1/1024

// out[i] is in[i] after STEPS steps, each of which goes 1/1024 of the way to 1, for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int first = blockIdx.x * BLOCK * CHAINS + threadIdx.x;
  float x[CHAINS];
#pragma unroll 1
  for (int chain = 0; chain < CHAINS; ++chain) {
    const int i = first + chain * BLOCK;
    x[chain] = i < N ? in[i] : 0.0f;
  }

#pragma unroll 1
  for (int step = 0; step < STEPS; ++step) {
#pragma unroll 1  // changed: the index is known only while the kernel runs
    for (int chain = 0; chain < CHAINS; ++chain) x[chain] = x[chain] * factor + term;
  }

#pragma unroll 1
  for (int chain = 0; chain < CHAINS; ++chain) {
    const int i = first + chain * BLOCK;
    if (i < N) out[i] = x[chain];
  }
}
