// right
#include <cuda_runtime.h>

__global__ void spmv(int rows, const int* row_ptr, const int* col_idx, const float* values, const float* x, float* y) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  int k = row_ptr[row], end = row_ptr[row + 1];
  float sum = 0;
  for (; k < end; ++k) sum += values[k] * x[col_idx[k]];
  y[row] = sum;
}

int main() {
  const int rows = 1000;
  int *row_ptr, *col_idx;
  float *values, *x, *y;
  cudaMalloc(&row_ptr, (rows + 1) * sizeof(int));
  cudaMalloc(&y, rows * sizeof(float));
  spmv<<<(rows + 127) / 128, 128>>>(rows, row_ptr, col_idx, values, x, y);
}
