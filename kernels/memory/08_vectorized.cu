/*---
title   = "Vectorized copy"
problem = "copy"
idea    = "Each thread moves WIDTH neighbouring floats with one instruction; a warp moves up to 512 bytes with each."
watch   = "WIDTH times fewer requests for the same sectors: 16 in one request at 4. The last elements of a size that is no multiple of WIDTH go one by one."
source  = "CUDA Pro Tip: Increase Performance with Vectorized Memory Access"
[params]
BLOCK = { default = 256, values = [32, 64, 128, 256, 512, 1024], meaning = "threads in a block" }
WIDTH = { default = 4, values = [1, 2, 4], meaning = "floats in an access: float, float2 or float4" }
[launch]
block   = ["BLOCK"]
grid    = ["ceil_div(N, BLOCK * WIDTH)"]
---*/

struct __align__(4 * WIDTH) Vector {  // one access where it stands on a multiple of its size
  float values[WIDTH];
};

// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int i = WIDTH * (blockIdx.x * BLOCK + threadIdx.x);
  if (i + WIDTH <= N) {
    *reinterpret_cast<Vector*>(out + i) = *reinterpret_cast<const Vector*>(in + i);
  } else {
    for (int tail = i; tail < N; ++tail) out[tail] = in[tail];
  }
}
