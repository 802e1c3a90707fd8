/*---
title   = "The last warp in shared memory with __syncwarp()"
problem = "reduce"
idea    = "Looks like the old warp-synchronous tree, but reads and stores of every step are parted by __syncwarp()."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 128)"]
---*/

// right
// size: 1000
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float s[128];
  const int t = threadIdx.x, i = blockIdx.x * 128 + t;
  s[t] = i < N ? in[i] : 0.0f;
  __syncthreads();
  if (t < 64) s[t] += s[t + 64];
  __syncthreads();
  if (t < 32) {
    float v = s[t];
    v += s[t + 32]; __syncwarp(); s[t] = v; __syncwarp();
    v += s[t + 16]; __syncwarp(); s[t] = v; __syncwarp();
    v += s[t + 8];  __syncwarp(); s[t] = v; __syncwarp();
    v += s[t + 4];  __syncwarp(); s[t] = v; __syncwarp();
    v += s[t + 2];  __syncwarp(); s[t] = v; __syncwarp();
    v += s[t + 1];
    if (t == 0) atomicAdd(out, v);
  }
}
