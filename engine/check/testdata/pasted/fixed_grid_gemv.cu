// right
// says: "sizes": [{
#include <cuda_runtime.h>

__global__ void gemv(const float* A, const float* x, float* y, int rows, int cols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int k = 0; k < cols; ++k) sum += A[row * cols + k] * x[k];
  y[row] = sum;
}

int main() {
  const int rows = 300, cols = 256;
  float *A, *x, *y;
  cudaMalloc(&A, rows * cols * sizeof(float));
  cudaMalloc(&x, cols * sizeof(float));
  cudaMalloc(&y, rows * sizeof(float));
  gemv<<<3, 128>>>(A, x, y, rows, cols);
}
