/*---
title   = "A float2 array behind 33 floats"
problem = "reduce"
idea    = "Dynamic shared memory is cut into 33 floats and an array of float2 behind them, which then begins on 132 bytes."
[launch]
block   = ["32"]
grid    = ["ceil_div(N, 128)"]
shared  = "33 * 4 + 32 * 8"
---*/

// size: 512
// *out, zero at the start, becomes the sum of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  extern __shared__ __align__(16) char memory[];
  float* singles = reinterpret_cast<float*>(memory);
  float2* pairs = reinterpret_cast<float2*>(singles + 33);
  const int t = threadIdx.x, first = blockIdx.x * 128;
  auto at = [&](int i) { return i < N ? in[i] : 0.0f; };
  singles[t] = at(first + t) + at(first + 32 + t);
  pairs[t] = make_float2(at(first + 64 + t), at(first + 96 + t));  // fault: misaligned
  __syncwarp();
  if (t == 0) {
    float sum = 0.0f;
    for (int l = 0; l < 32; ++l) sum += singles[l] + pairs[l].x + pairs[l].y;  // fault: misaligned
    atomicAdd(out, sum);
  }
}
