// Rows with a pitch: copies of rectangles and of boxes.
#include <cstdio>

__global__ void scale(float* x, size_t pitch, int width, int height) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
  if (c < width && r < height) ((float*)((char*)x + r * pitch))[c] *= 10;
}

int main() {
  const int width = 100, height = 37;
  float host[height][width], back[height][width];
  for (int r = 0; r < height; ++r)
    for (int c = 0; c < width; ++c) host[r][c] = r + c;
  float* x;
  size_t pitch = 0;
  cudaMallocPitch(&x, &pitch, width * sizeof(float), height);
  cudaMemcpy2D(x, pitch, host, sizeof host[0], sizeof host[0], height, cudaMemcpyHostToDevice);
  scale<<<dim3(4, 5), dim3(32, 8)>>>(x, pitch, width, height);
  cudaMemcpy2D(back, sizeof back[0], x, pitch, sizeof back[0], height, cudaMemcpyDeviceToHost);
  printf("pitch %zu, %g %g\n", pitch, back[0][1], back[height - 1][width - 1]);
}
