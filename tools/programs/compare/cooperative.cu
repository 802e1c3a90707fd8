// A cooperative launch whose blocks meet twice.
#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

__global__ void rounds(int* x, int n) {
  const cg::grid_group grid = cg::this_grid();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = i;
  grid.sync();
  const int other = x[n - 1 - i];
  grid.sync();
  x[i] = other * 2;
}

int main() {
  const int blocks = 16, block = 128;
  int n = blocks * block, *x;
  cudaMallocManaged(&x, n * sizeof(int));
  void* arguments[] = {&x, &n};
  const cudaError_t error = cudaLaunchCooperativeKernel((void*)rounds, dim3(blocks), dim3(block), arguments);
  cudaDeviceSynchronize();
  printf("%s %d %d\n", cudaGetErrorName(error), x[0], x[n - 1]);
}
