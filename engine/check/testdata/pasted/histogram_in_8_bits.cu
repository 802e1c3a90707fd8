#include <cuda_runtime.h>

__global__ void histogram(const unsigned char* in, unsigned* bins, int n) {
  __shared__ unsigned char counts[64 * 256];
  int t = threadIdx.x;
  for (int b = 0; b < 256; ++b) counts[b * 64 + t] = 0;
  for (int i = blockIdx.x * 64 + t; i < n; i += gridDim.x * 64) ++counts[in[i] * 64 + t];
  __syncthreads();
  for (int b = t; b < 256; b += 64) {
    unsigned char sum = 0;
    for (int k = 0; k < 64; ++k) sum += counts[b * 64 + k];
    atomicAdd(&bins[b], sum);  // fault: wrong-with-other-data
  }
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
