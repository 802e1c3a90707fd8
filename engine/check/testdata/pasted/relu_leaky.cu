// right, not checked
#include <cuda_runtime.h>

__global__ void leakyRelu(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] > 0 ? in[i] : 0.01f * in[i];
}

int main() {
  const int n = 3000;
  float *in, *out;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  leakyRelu<<<(n + 255) / 256, 256>>>(in, out, n);
}
