/*---
title   = "Several chains a thread"
idea    = "Each thread takes CHAINS numbers and works on all of them in turn. None needs another, so a warp has something to do while it waits for itself."
watch   = "The same multiply-adds in fewer threads, and as fast: one warp with 4 chains hides as much as 4 warps with one."
source  = "V. Kindratenko, Introduction to GPU Programming (NCSA), register dependencies; V. Volkov, Better Performance at Lower Occupancy"
[problem]
sizes      = { N = 270336 }
buffers    = [{ name = "in", type = "float", count = "N" }, { name = "out", type = "float", count = "N" }]
check      = "out[i] == 1 - (1 - in[i]) * pow(0.9990234375, STEPS)"
operations = "2 * N * STEPS"
[params]
BLOCK  = { default = 128, values = [32, 64, 128, 256, 512, 1024], meaning = "threads in a block" }
CHAINS = { default = 4, values = [1, 2, 4, 8], meaning = "numbers that a thread works on" }
PER_SM = { default = 0, values = [0, 1, 2, 4, 8], meaning = "blocks of which an H100 lets so many on one multiprocessor, as each reserves a share of its shared memory; 0: as many as fit" }
STEPS  = { default = 1024, values = [4, 64, 256, 1024], meaning = "multiply-adds in a chain" }
[launch]
block   = ["BLOCK"]
grid    = ["ceil_div(N, BLOCK * CHAINS)"]
shared  = "PER_SM == 0 ? 0 : floor_div(233472, PER_SM) - 1024"
---*/

constexpr float factor = 0.9990234375f;  // 1023/1024
constexpr float term = 0.0009765625f;    // 1/1024

// out[i] is in[i] after STEPS steps, each of which goes 1/1024 of the way to 1, for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int first = blockIdx.x * BLOCK * CHAINS + threadIdx.x;
  float x[CHAINS];  // changed: several numbers a thread, BLOCK elements from one to the next
  for (int chain = 0; chain < CHAINS; ++chain) {
    const int i = first + chain * BLOCK;
    x[chain] = i < N ? in[i] : 0.0f;
  }

#pragma unroll 32 / CHAINS
  for (int step = 0; step < STEPS; ++step)
    for (int chain = 0; chain < CHAINS; ++chain) x[chain] = x[chain] * factor + term;

  for (int chain = 0; chain < CHAINS; ++chain) {
    const int i = first + chain * BLOCK;
    if (i < N) out[i] = x[chain];
  }
}
