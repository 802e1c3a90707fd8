/*---
title   = "Broadcast from shared memory"
problem = "copy"
idea    = "The lanes of a group of GROUP read the same word, GROUP words one after the other, and each keeps the one that is its own."
watch   = "One wavefront a load whatever GROUP is: a word that several lanes ask for is read once and handed to all of them, and the groups' words are in different banks."
source  = "CUDA C++ Best Practices Guide, shared memory and memory banks"
[params]
BLOCK = { default = 128, values = [32, 64, 128, 256], meaning = "threads in a block" }
GROUP = { default = 32, values = [1, 2, 4, 8, 16, 32], meaning = "lanes that read one word together" }
[launch]
block   = ["BLOCK"]
grid    = ["ceil_div(N, BLOCK)"]
---*/

// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float staged[BLOCK];
  const int thread = threadIdx.x, i = blockIdx.x * BLOCK + thread;
  staged[thread] = i < N ? in[i] : 0.0f;
  __syncthreads();

  const int group = thread / GROUP * GROUP, own = thread % GROUP;
  float value = 0.0f;
#pragma unroll 1
  for (int k = 0; k < GROUP; ++k) {
    const float word = staged[group + k];  // changed: one address for the whole group
    if (k == own) value = word;
  }
  if (i < N) out[i] = value;
}
