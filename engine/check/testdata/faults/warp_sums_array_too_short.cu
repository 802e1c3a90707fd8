/*---
title   = "Four places for the sums of eight warps"
problem = "reduce"
idea    = "The array for the warps' sums has four elements and the block eight warps: the others store into the array that follows."
[launch]
block   = ["256"]
grid    = ["4"]
---*/

// size: 2048
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float sums[4];
  __shared__ float more[8];
  const int t = threadIdx.x, warp = t / 32;
  float v = 0.0f;
  for (int i = blockIdx.x * 256 + t; i < N; i += 1024) v += in[i];
  for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(~0u, v, d);
  if (t < 8) more[t] = 0.0f;
  __syncthreads();
  if (t % 32 == 0) sums[warp] = v;  // fault: out-of-array // fault: out-of-bounds
  __syncthreads();
  if (t == 0) {
    float total = 0.0f;
    for (int w = 0; w < blockDim.x / 32; ++w) total += sums[w];  // fault: out-of-array // fault: out-of-bounds
    atomicAdd(out, total + 0.0f * more[7]);
  }
}
