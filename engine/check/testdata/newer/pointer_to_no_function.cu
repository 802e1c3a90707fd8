/*---
title   = "A function pointer that nobody set"
idea    = "The table has three places and two functions."
[problem]
sizes   = { N = 1024 }
buffers = [{ name = "in", type = "float", count = "N" },
           { name = "out", type = "float", count = "N" }]
check   = "out[i] == in[i] + 1"
[launch]
block   = [128]
grid    = ["ceil_div(N, 128)"]
---*/

typedef float (*Function)(float);
__device__ __noinline__ float one(float x) { return x + 1; }
__device__ __noinline__ float same(float x) { return x + 1.0f; }
__device__ Function table[3] = {one, same};
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) out[i] = table[i % 3](in[i]);  // fault: out-of-bounds
}
