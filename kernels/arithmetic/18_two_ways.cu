/*---
title   = "Two ways"
idea    = "GROUP neighbouring threads take the sine, the next GROUP the cosine. A warp whose lanes disagree has to go both ways."
watch   = "With GROUP at 32 or more each warp agrees with itself and pays for one function. With less it pays for both. The work of the threads is the same."
source  = "NVIDIA, CUDA lectures, 2007, control flow; V. Kindratenko, NCSA, Introduction to GPU programming, part III"
[problem]
sizes   = { N = 65536 }
buffers = [
  { name = "in", type = "float", count = "N", fill = "i % 64" },
  { name = "out", type = "float", count = "N" },
]
check   = "out[i] == sum(k, 0, REPEAT, floor_div(i, GROUP) % 2 == 0 ? sin((in[i] + k) / 64) : cos((in[i] + k) / 64))"
tolerance = 1e-4
operations = "2 * N * REPEAT"
[params]
REPEAT = { default = 64, values = [4, 16, 64, 256], meaning = "rounds of the loop" }
GROUP = { default = 16, values = [1, 2, 8, 16, 32, 64], meaning = "neighbouring threads that go the same way" }
BLOCK = { default = 256, values = [64, 128, 256, 512], meaning = "threads in a block" }
[launch]
block   = ["BLOCK"]
grid    = ["ceil_div(N, BLOCK)"]
---*/

// out[i] = the sum over k of the sine, or of the cosine, of (x + k) / 64, for x = in[i].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i >= N) return;
  const float x = in[i];
  float sum = 0.0f;
  if (i / GROUP % 2 == 0) {
#pragma unroll 1
    for (int k = 0; k < REPEAT; ++k)
      sum += __sinf((x + k) * 0.015625f);
  } else {
#pragma unroll 1
    for (int k = 0; k < REPEAT; ++k)
      sum += __cosf((x + k) * 0.015625f);
  }
  out[i] = sum;
}
