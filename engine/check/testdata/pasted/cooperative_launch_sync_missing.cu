// severity: error
#include <cooperative_groups.h>
#include <cuda_runtime.h>
namespace cg = cooperative_groups;

__global__ void smooth(float* a, float* b, int n, int steps) {
  cg::grid_group grid = cg::this_grid();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int s = 0; s < steps; ++s) {
    if (i > 0 && i < n - 1) b[i] = (a[i - 1] + a[i] + a[i + 1]) / 3;  // fault: race-global
    grid.sync();
    if (i > 0 && i < n - 1) a[i] = b[i];  // fault: race-global
  }
}

int main() {
  int n = 512, steps = 4;
  float *a, *b;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  void* args[] = {&a, &b, &n, &steps};
  cudaLaunchCooperativeKernel((void*)smooth, dim3(4), dim3(128), args, 0, 0);
  cudaDeviceSynchronize();
}
