/*---
title   = "More numbers than registers"
idea    = "Each thread works on 32 chains. __launch_bounds__ asks for a multiprocessor that holds 2048 threads, and there are 65,536 registers: 32 for each thread, fewer than it has numbers."
watch   = "Bytes spilled: what has no register is stored to local memory and loaded again. Only the compiler's report knows them: the emulator executes PTX, which has registers without end, and counts no local access here. With ROOM = 1024 nothing is spilled."
source  = "V. Kindratenko, Introduction to GPU Programming (NCSA), register file and local memory"
[problem]
sizes      = { N = 270336 }
buffers    = [{ name = "in", type = "float", count = "N" }, { name = "out", type = "float", count = "N" }]
check      = "out[i] == 1 - (1 - in[i]) * pow(0.9990234375, STEPS)"
operations = "2 * N * STEPS"
[params]
BLOCK  = { default = 64, values = [64, 128, 256], meaning = "threads in a block" }
ROOM   = { default = 2048, values = [512, 1024, 2048], meaning = "threads of which a multiprocessor must have room for so many; more take fewer registers each" }
STEPS  = { default = 64, values = [4, 64, 256], meaning = "multiply-adds in a chain" }
[launch]
block   = ["BLOCK"]
grid    = ["ceil_div(N, BLOCK * 32)"]
---*/

constexpr int chains = 32;  // numbers that a thread works on

constexpr float factor = 0.9990234375f;  // 1023/1024
constexpr float term = 0.0009765625f;    // 1/1024

// out[i] is in[i] after STEPS steps, each of which goes 1/1024 of the way to 1, for all i below N.
extern "C" __global__ void __launch_bounds__(BLOCK, ROOM / BLOCK)  // changed: registers for ROOM threads
kernel(const float* in, float* out, int N) {
  const int first = blockIdx.x * BLOCK * chains + threadIdx.x;
  float x[chains];
#pragma unroll
  for (int chain = 0; chain < chains; ++chain) {
    const int i = first + chain * BLOCK;
    x[chain] = i < N ? in[i] : 0.0f;
  }

#pragma unroll 1
  for (int step = 0; step < STEPS; ++step) {
#pragma unroll
    for (int chain = 0; chain < chains; ++chain) x[chain] = x[chain] * factor + term;
  }

#pragma unroll
  for (int chain = 0; chain < chains; ++chain) {
    const int i = first + chain * BLOCK;
    if (i < N) out[i] = x[chain];
  }
}
