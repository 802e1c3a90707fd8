#include <cuda_runtime.h>

__global__ void reverseBlocks(const float* in, float* out) {
  extern __shared__ float tile[];
  tile[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];  // fault: out-of-bounds
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

int main() {
  const int n = 4096, threads = 256;
  float *in, *out;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  reverseBlocks<<<n / threads, threads>>>(in, out);
}
