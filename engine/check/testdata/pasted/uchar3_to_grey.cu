// right, not checked
#include <cuda_runtime.h>

__global__ void rgbToGrey(const uchar3* rgb, unsigned char* grey, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  uchar3 p = rgb[y * width + x];
  grey[y * width + x] = 0.3f * p.x + 0.59f * p.y + 0.11f * p.z;
}

int main() {
  const int width = 333, height = 200;
  uchar3* rgb;
  unsigned char* grey;
  cudaMalloc(&rgb, width * height * sizeof(uchar3));
  cudaMalloc(&grey, width * height);
  dim3 block(16, 16), grid((width + 15) / 16, (height + 15) / 16);
  rgbToGrey<<<grid, block>>>(rgb, grey, width, height);
}
