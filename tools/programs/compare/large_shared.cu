// 100 KB of shared memory a block.
#include <cstdio>

__global__ void reverse(const int* in, int* out, int n) {
  extern __shared__ int s[];
  for (int i = threadIdx.x; i < n; i += blockDim.x) s[i] = in[blockIdx.x * n + i];
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[blockIdx.x * n + i] = s[n - 1 - i];
}

int main() {
  const int n = 25000, blocks = 4;
  int *in, *out;
  cudaMallocManaged(&in, n * blocks * sizeof(int));
  cudaMallocManaged(&out, n * blocks * sizeof(int));
  for (int i = 0; i < n * blocks; ++i) in[i] = i;
  cudaFuncSetAttribute(reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, n * sizeof(int));
  reverse<<<blocks, 512, n * sizeof(int)>>>(in, out, n);
  cudaDeviceSynchronize();
  printf("%d %d\n", out[0], out[n * blocks - 1]);
}
