/*---
title   = "Memory used after it was freed"
idea    = "The thread frees its memory and reads it once more."
[problem]
sizes   = { N = 1024 }
buffers = [{ name = "in", type = "float", count = "N" },
           { name = "out", type = "float", count = "N" }]
check   = "out[i] == in[i]"
[launch]
block   = [128]
grid    = ["ceil_div(N, 128)"]
---*/

extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= N) return;
  volatile float* own = static_cast<float*>(malloc(sizeof(float)));
  if (own == nullptr) return;
  *own = in[i];
  free(const_cast<float*>(own));
  out[i] = *own;  // fault: out-of-bounds
}
