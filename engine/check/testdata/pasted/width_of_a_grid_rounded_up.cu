#include <cuda_runtime.h>

__global__ void negate(const float* in, float* out, int width) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  out[row * width + column] = -in[row * width + column];  // fault: out-of-bounds
}

int main() {
  const int width = 1000;
  float *in, *out;
  cudaMalloc(&in, width * width * sizeof(float));
  cudaMalloc(&out, width * width * sizeof(float));
  cudaMemset(in, 0, width * width * sizeof(float));
  dim3 block(16, 16), grid((width + 15) / 16, (width + 15) / 16);
  negate<<<grid, block>>>(in, out, width);
}
