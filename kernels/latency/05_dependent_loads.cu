/*---
title   = "Each load needs the last one"
idea    = "Each thread follows a list: what it loads is the place of its next load. So it has one load under way, never two."
watch   = "The lanes of a warp are neighbours all the time: 4 sectors a load, nothing wasted. It is slow all the same where there are few warps."
source  = "NVIDIA, CUDA lectures 2007, latency of global memory; V. Kindratenko, Introduction to GPU Programming (NCSA)"
show    = "next"
[problem]
sizes      = { N = 16896 }
buffers    = [{ name = "next", type = "int", count = "N", fill = "(i + JUMP) % N" }, { name = "out", type = "uint32", count = "N" }]
check      = "out[i] == sum(k, 1, STEPS + 1, (i + k * JUMP) % N) % 4294967296"
[params]
BLOCK  = { default = 128, values = [32, 64, 128, 256, 512, 1024], meaning = "threads in a block" }
PER_SM = { default = 0, values = [0, 1, 2, 4, 8], meaning = "blocks of which an H100 lets so many on one multiprocessor, as each reserves a share of its shared memory; 0: as many as fit" }
STEPS  = { default = 32, values = [1, 8, 32, 128], meaning = "loads of a thread" }
JUMP   = { default = 4160, values = [32, 4160], meaning = "elements from one load of a thread to the next" }
[launch]
block   = ["BLOCK"]
grid    = ["ceil_div(N, BLOCK)"]
shared  = "PER_SM == 0 ? 0 : floor_div(233472, PER_SM) - 1024"
---*/

// out[i] is the sum of the STEPS places to which next[] leads from i, for all i below N.
extern "C" __global__ void kernel(const int* next, unsigned* out, int N) {
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i >= N) return;
  int place = i;
  unsigned total = 0;
#pragma unroll 8
  for (int step = 0; step < STEPS; ++step) {
    place = next[place];
    total += place;
  }
  out[i] = total;
}
