// severity: error
#include <cuda_runtime.h>

__global__ void rowReverse(float* data, int columns) {
  __shared__ float row[256];
  row[threadIdx.x] = data[blockIdx.x * columns + threadIdx.x];  // fault: race-shared
  data[blockIdx.x * columns + threadIdx.x] = row[columns - 1 - threadIdx.x];  // fault: race-shared
}

__global__ void add(const float* a, const float* b, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

int main() {
  const int n = 16 * 256;
  float *a, *b, *c;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMalloc(&c, n * sizeof(float));
  rowReverse<<<16, 256>>>(a, 256);
  add<<<n / 256, 256>>>(a, b, c, n);
}
