// right
#include <cuda_runtime.h>

__global__ void histogram(const unsigned char* in, unsigned* bins, int n) {
  __shared__ unsigned int counts[256];
  int t = threadIdx.x;
  for (int b = t; b < 256; b += 64) counts[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * 64 + t; i < n; i += gridDim.x * 64) atomicAdd(&counts[in[i]], 1);
  __syncthreads();
  for (int b = t; b < 256; b += 64) atomicAdd(&bins[b], counts[b]);
}

int main() {
  const int n = 20000;
  unsigned char* in;
  unsigned* bins;
  cudaMalloc(&in, n);
  cudaMalloc(&bins, 256 * sizeof(unsigned));
  cudaMemset(bins, 0, 256 * sizeof(unsigned));
  histogram<<<16, 64>>>(in, bins, n);
}
