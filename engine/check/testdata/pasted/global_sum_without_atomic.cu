// severity: error
#include <cuda_runtime.h>

__global__ void total(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[0] += in[i];  // fault: race-global
}

int main() {
  const int n = 1000;
  float *in, *out;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, sizeof(float));
  cudaMemset(out, 0, sizeof(float));
  total<<<(n + 255) / 256, 256>>>(in, out, n);
}
