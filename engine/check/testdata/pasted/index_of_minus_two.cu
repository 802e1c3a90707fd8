// severity: error
#include <cuda_runtime.h>

__global__ void secondDifference(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] - 2 * in[i - 1] + in[i - 2];  // fault: out-of-bounds
}

int main() {
  int n = 1 << 12;
  float *in, *out;
  cudaMalloc(&in, (n + 2) * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  secondDifference<<<(n + 255) / 256, 256>>>(in, out, n);
}
