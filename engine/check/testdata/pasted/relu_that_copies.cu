#include <cuda_runtime.h>

__global__ void relu(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];  // fault: wrong-result
}

int main() {
  const int n = 3000;
  float *in, *out;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  relu<<<(n + 255) / 256, 256>>>(in, out, n);
}
