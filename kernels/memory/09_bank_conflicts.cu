/*---
title   = "Strided shared memory"
problem = "copy"
idea    = "The copy goes by way of shared memory, where neighbouring lanes write and read words STRIDE apart; PAD unused words follow every 32."
watch   = "Wavefronts are the largest number of different words in one bank: the common factor of STRIDE and 32. 32 is the worst, 33 is free. At PAD 1 every power of two is free again."
source  = "CUDA C++ Best Practices Guide, shared memory and memory banks; NVIDIA, CUDA lectures, bank addressing examples"
[params]
BLOCK = { default = 256, values = [32, 64, 128, 256, 512], meaning = "threads in a block" }
STRIDE = { default = 32, values = [1, 2, 3, 4, 8, 16, 32, 33], meaning = "words from one lane to the next" }
PAD = { default = 0, values = [0, 1, 2, 4], meaning = "unused words after every 32" }
[launch]
block   = ["BLOCK"]
grid    = ["ceil_div(N, BLOCK)"]
require = [{ test = "4 * BLOCK * STRIDE * (1 + PAD / 32) <= 48 * 1024", reason = "A block has at most 48 KiB of shared memory" }]
---*/

// The word that stands for word w when PAD words are left free after every 32.
__device__ constexpr int place(int w) { return w + w / 32 * PAD; }

// out[i] = in[i] for all i below N.
extern "C" __global__ void kernel(const float* in, float* out, int N) {
  __shared__ float staged[place(BLOCK * STRIDE - 1) + 1];
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  const int word = place(threadIdx.x * STRIDE);  // changed: STRIDE apart
  staged[word] = i < N ? in[i] : 0.0f;
  __syncthreads();
  if (i < N) out[i] = staged[word];
}
