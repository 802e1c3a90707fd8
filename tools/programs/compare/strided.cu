// Loads with strides of 1 to 32, and stores that begin beside a sector.
#include <cstdio>

__global__ void read(const float* in, float* out, int stride) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i * stride];
}
__global__ void beside(const float* in, float* out, int by) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i + by] = in[i];
}

int main() {
  const int n = 8192;
  float *in, *out;
  cudaMallocManaged(&in, n * 32 * sizeof(float));
  cudaMallocManaged(&out, (n + 32) * sizeof(float));
  for (int i = 0; i < n * 32; ++i) in[i] = i % 1000;
  for (int stride = 1; stride <= 32; stride *= 2) {
    read<<<n / 128, 128>>>(in, out, stride);
    cudaDeviceSynchronize();
    printf("%g\n", out[n - 1]);
  }
  for (int by = 1; by < 9; by += 3) {
    beside<<<n / 128, 128>>>(in, out, by);
    cudaDeviceSynchronize();
    printf("%g\n", out[n]);
  }
}
