// right, not checked
#include <cuda_runtime.h>

__global__ void sumAll(const float* in, float* partial, unsigned* done, float* out, int n) {
  __shared__ float s[128];
  __shared__ bool last;
  int t = threadIdx.x, i = blockIdx.x * 128 + t;
  s[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int stride = 64; stride > 0; stride /= 2) {
    if (t < stride) s[t] += s[t + stride];
    __syncthreads();
  }
  if (t == 0) {
    partial[blockIdx.x] = s[0];
    __threadfence();
    last = atomicAdd(done, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  __threadfence();
  float sum = 0;
  for (int k = t; k < gridDim.x; k += 128) sum += ((volatile float*)partial)[k];
  s[t] = sum;
  __syncthreads();
  for (int stride = 64; stride > 0; stride /= 2) {
    if (t < stride) s[t] += s[t + stride];
    __syncthreads();
  }
  if (t == 0) out[0] = s[0];
}

int main() {
  const int n = 20000, blocks = (n + 127) / 128;
  float *in, *partial, *out;
  unsigned* done;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&partial, blocks * sizeof(float));
  cudaMalloc(&done, sizeof(unsigned));
  cudaMalloc(&out, sizeof(float));
  cudaMemset(done, 0, sizeof(unsigned));
  sumAll<<<blocks, 128>>>(in, partial, done, out, n);
}
