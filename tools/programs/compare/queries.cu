// What a device is, and how many blocks fit.
#include <cstdio>

__global__ void __launch_bounds__(256) small(float* x) { x[threadIdx.x] = threadIdx.x; }
__global__ void large(float* x) {
  __shared__ float s[8192];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = s[threadIdx.x ^ 1];
}

int main() {
  cudaDeviceProp p;
  cudaGetDeviceProperties(&p, 0);
  printf("%d.%d, warps of %d, %zu shared bytes a block, %d registers, %d threads an SM\n", p.major, p.minor, p.warpSize,
         p.sharedMemPerBlock, p.regsPerBlock, p.maxThreadsPerMultiProcessor);
  for (const int block : {32, 128, 256, 512, 1024}) {
    int a = 0, b = 0;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&a, small, block, 0);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&b, large, block, 0);
    printf("%d threads: %d and %d blocks\n", block, a, b);
  }
  cudaGetLastError();
  cudaFuncAttributes f;
  cudaFuncGetAttributes(&f, large);
  printf("%zu static, %d threads at most\n", f.sharedSizeBytes, f.maxThreadsPerBlock);
  cudaFuncGetAttributes(&f, small);
  printf("%zu static, %d threads at most\n", f.sharedSizeBytes, f.maxThreadsPerBlock);
}
