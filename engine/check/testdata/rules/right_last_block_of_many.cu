/*---
title   = "The last of 300 blocks adds"
problem = { sizes = { N = 76800 }, buffers = [{ name = "in", count = "N", fill = "random" },
  { name = "partial", count = "ceil_div(N, 256)", output = true }, { name = "counter", type = "unsigned int", count = "1", fill = "zero", output = true },
  { name = "out", count = "1" }], check = "out[0] == sum(k, 0, N, in[k])" }
idea    = "What blocks wrote that no checker watched is written."
[launch]
block   = ["256"]
grid    = ["ceil_div(N, 256)"]
---*/

// right
extern "C" __global__ void kernel(const float* in, float* partial, unsigned int* counter, float* out, int N) {
  __shared__ float s[256];
  __shared__ bool last;
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  s[t] = i < N ? in[i] : 0.0f;
  __syncthreads();
  for (int d = 128; d > 0; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) {
    partial[blockIdx.x] = s[0];
    __threadfence();
    last = atomicAdd(counter, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last || t > 0) return;
  float sum = 0;
  for (int b = 0; b < gridDim.x; ++b) sum += ((volatile float*)partial)[b];
  out[0] = sum;
}
