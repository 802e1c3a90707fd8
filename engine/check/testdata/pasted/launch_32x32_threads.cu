// right, not checked
#include <cuda_runtime.h>

__global__ void brighten(const float* in, float* out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) out[y * width + x] = in[y * width + x] * 2;
}

int main() {
  const int width = 640, height = 480;
  float *in, *out;
  cudaMalloc(&in, width * height * sizeof(float));
  cudaMalloc(&out, width * height * sizeof(float));
  dim3 block(32, 32);
  dim3 grid((width + 31) / 32, (height + 31) / 32);
  brighten<<<grid, block>>>(in, out, width, height);
  cudaDeviceSynchronize();
}
