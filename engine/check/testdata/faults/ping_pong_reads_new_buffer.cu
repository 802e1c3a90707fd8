/*---
title   = "Ping-pong sum that reads the buffer it fills"
problem = "reduce"
idea    = "The buffers of the tree are exchanged before the reads in place of after them: a step reads the buffer that other warps fill in the same step."
[launch]
block   = ["128"]
grid    = ["ceil_div(N, 128)"]
---*/

// size: 1024
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float buffer[2][256];
  const int t = threadIdx.x, i = blockIdx.x * 128 + t;
  buffer[0][t] = buffer[1][t] = i < N ? in[i] : 0.0f;
  buffer[0][t + 128] = buffer[1][t + 128] = 0.0f;
  __syncthreads();
  int from = 0;
  for (int s = 64; s >= 32; s /= 2) {
    from ^= 1;
    const float sum = buffer[from][t] + buffer[from][t + s];  // fault: race-shared
    __syncwarp();
    buffer[from][t] = sum;  // fault: race-shared
    __syncthreads();
  }
  if (t < 32) {
    float v = buffer[from][t];
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);
    if (t == 0) atomicAdd(out, v);
  }
}
