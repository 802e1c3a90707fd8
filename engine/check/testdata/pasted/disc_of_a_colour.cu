// right, not checked
#include <cuda_runtime.h>

__global__ void tint(uchar4* image, int width, int height, uchar4 colour, float2 centre, float radius) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float dx = x - centre.x, dy = y - centre.y;
  if (dx * dx + dy * dy < radius * radius) image[y * width + x] = colour;
}

int main() {
  const int width = 640, height = 350;
  uchar4* image;
  cudaMalloc(&image, width * height * sizeof(uchar4));
  cudaMemset(image, 0, width * height * sizeof(uchar4));
  dim3 block(16, 16);
  dim3 grid((width + 15) / 16, (height + 15) / 16);
  tint<<<grid, block>>>(image, width, height, make_uchar4(255, 128, 0, 255), make_float2(width / 2.0f, height / 2.0f), 90.0f);
}
