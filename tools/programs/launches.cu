// 300 launches, each of which runs: for run_programs.py, which measures what they take beside their kernels.
#include <cstdio>

__global__ void step(float* a, int n, float factor) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = a[i] * factor + 1.0f;
}

int main() {
  const int n = 1 << 20, block = 256;
  float *a, first;
  cudaMalloc(&a, n * sizeof(float));
  cudaMemset(a, 0, n * sizeof(float));
  for (int i = 0; i < 300; ++i) step<<<n / block, block>>>(a, n, 0.5f + 0.001f * i);
  cudaMemcpy(&first, a, sizeof first, cudaMemcpyDeviceToHost);
  std::printf("%g\n", first);
}
