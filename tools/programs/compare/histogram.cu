// Counts of 256 values: atomics on global memory, and on shared memory first.
#include <cstdio>

__global__ void in_global(const unsigned char* in, unsigned* bins, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[in[i]], 1u);
}

__global__ void in_shared(const unsigned char* in, unsigned* bins, int n) {
  __shared__ unsigned own[256];
  own[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&own[in[i]], 1u);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

int main() {
  const int n = 1 << 17;
  unsigned char* in;
  unsigned* bins;
  cudaMallocManaged(&in, n);
  cudaMallocManaged(&bins, 256 * sizeof(unsigned));
  for (int i = 0; i < n; ++i) in[i] = (i * 7 + i / 512) % 256;
  for (int k = 0; k < 2; ++k) {
    cudaMemset(bins, 0, 256 * sizeof(unsigned));
    if (k == 0) in_global<<<32, 256>>>(in, bins, n);
    if (k == 1) in_shared<<<32, 256>>>(in, bins, n);
    cudaDeviceSynchronize();
    printf("%u %u %u\n", bins[0], bins[100], bins[255]);
  }
}
