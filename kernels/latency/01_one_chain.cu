/*---
title   = "One chain of multiply-adds"
idea    = "Each thread takes one number and does STEPS multiply-adds to it, each with the result of the one before. A warp can do nothing while it waits for a result; other warps can."
watch   = "By the model of time, twice the warps on a multiprocessor take half the time, up to 16. A result takes 4 cycles, and a multiprocessor has 4 parts: 16 warps are enough to fill it."
source  = "V. Kindratenko, Introduction to GPU Programming (NCSA), register dependencies; NVIDIA, CUDA lectures 2007, register dependency"
[problem]
sizes      = { N = 270336 }
buffers    = [{ name = "in", type = "float", count = "N" }, { name = "out", type = "float", count = "N" }]
check      = "out[i] == 1 - (1 - in[i]) * pow(0.9990234375, STEPS)"
operations = "2 * N * STEPS"
[params]
BLOCK  = { default = 128, values = [32, 64, 128, 256, 512, 1024], meaning = "threads in a block" }
PER_SM = { default = 0, values = [0, 1, 2, 4, 8], meaning = "blocks of which an H100 lets so many on one multiprocessor, as each reserves a share of its shared memory; 0: as many as fit" }
STEPS  = { default = 1024, values = [4, 64, 256, 1024], meaning = "multiply-adds in a chain" }
[launch]
block   = ["BLOCK"]
grid    = ["ceil_div(N, BLOCK)"]
shared  = "PER_SM == 0 ? 0 : floor_div(233472, PER_SM) - 1024"
---*/

constexpr float factor = 0.9990234375f;  // 1023/1024
constexpr float term = 0.0009765625f;    // 1/1024

// out[i] is in[i] after STEPS steps, each of which goes 1/1024 of the way to 1, for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i >= N) return;
  float x = in[i];
#pragma unroll 32
  for (int step = 0; step < STEPS; ++step) x = x * factor + term;
  out[i] = x;
}
