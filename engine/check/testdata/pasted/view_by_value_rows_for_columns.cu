#include <cuda_runtime.h>

struct View {
  float* data;
  int rows, cols;
  __device__ float& at(int r, int c) { return data[r * rows + c]; }
};

__global__ void scale(View m, float2 by) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  int r = blockIdx.y * blockDim.y + threadIdx.y;
  if (r < m.rows && c < m.cols) m.at(r, c) = by.x * m.at(r, c) + by.y;  // fault: out-of-bounds
}

int main() {
  const int rows = 100, cols = 70;
  float* d;
  cudaMalloc(&d, rows * cols * sizeof(float));
  cudaMemset(d, 0, rows * cols * sizeof(float));
  View m{d, rows, cols};
  dim3 block(32, 8);
  dim3 grid((cols + 31) / 32, (rows + 7) / 8);
  scale<<<grid, block>>>(m, make_float2(2.0f, 1.0f));
}
