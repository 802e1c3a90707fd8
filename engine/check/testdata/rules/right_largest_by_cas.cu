/*---
title   = "The largest by compare and swap"
idea    = "The first look at the word is volatile, beside atomics of other threads: the swap finds out whether it was old."
[problem]
sizes   = { N = 1000 }
buffers = [{ name = "in", type = "float", count = "N" },
           { name = "out", type = "float", count = "1", fill = "-10", output = true }]
check   = "out[0] == max(k, 0, N, in[k])"
[launch]
block   = ["64"]
grid    = ["ceil_div(N, 64)"]
---*/

// right
__device__ float* place(float* out) { return out; }

// *out becomes the largest of in[N].
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= N) return;
  const float v = in[i];
  float old = *(volatile float*)place(out);
  while (v > old) {
    const float assumed = old;
    old = __int_as_float(atomicCAS((int*)out, __float_as_int(assumed), __float_as_int(v)));
    if (old == assumed) break;
  }
}
