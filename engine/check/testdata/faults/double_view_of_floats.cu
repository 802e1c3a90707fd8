/*---
title   = "Two floats moved as one double"
problem = "copy"
idea    = "The odd blocks begin at an odd element, where eight bytes cannot be read at once."
[launch]
block   = ["64"]
grid    = ["ceil_div(N, 128)"]
---*/

// size: 501
// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int odd = blockIdx.x % 2;
  const int first = blockIdx.x * 128 - odd;
  const int i = first + 2 * threadIdx.x;
  if (i + 1 < N && (odd || threadIdx.x < 63 || i + 2 >= N)) {
    const double both = *reinterpret_cast<const double*>(in + i);  // fault: misaligned
    *reinterpret_cast<double*>(out + i) = both;  // fault: misaligned
  } else {
    for (int e = i; e < min(i + 2, N); ++e) out[e] = in[e];
  }
  if (odd && threadIdx.x == 63 && i + 2 < N) out[i + 2] = in[i + 2];
}
