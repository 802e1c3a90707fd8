// y = 2x + y in managed memory, with strides over the grid.
#include <cstdio>

__global__ void saxpy(int n, float a, const float* x, float* y) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = a * x[i] + y[i];
}

int main() {
  const int n = 100003;
  float *x, *y;
  cudaMallocManaged(&x, n * sizeof(float));
  cudaMallocManaged(&y, n * sizeof(float));
  for (int i = 0; i < n; ++i) x[i] = i % 10, y[i] = 1;
  for (int k = 0; k < 3; ++k) saxpy<<<64, 128>>>(n, 2, x, y);
  cudaDeviceSynchronize();
  printf("%g %g %g\n", y[0], y[9], y[n - 1]);
}
