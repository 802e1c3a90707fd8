// right
#include <cuda_runtime.h>

__global__ void reduceSum(const float* in, float* out, int n) {
  __shared__ float s[256];
  int t = threadIdx.x;
  float sum = 0;
  // Each thread has 128 elements of its own.
  for (int k = 0; k < (n + 255) / 256; ++k)
    if (k * 256 + t < n) sum += in[k * 256 + t];
  s[t] = sum;
  __syncthreads();
  for (int stride = 128; stride > 0; stride /= 2) {
    if (t < stride) s[t] += s[t + stride];
    __syncthreads();
  }
  if (t == 0 && blockIdx.x == 0) out[0] = s[0];
}

int main() {
  const int n = 20000;
  float *in, *out;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, sizeof(float));
  reduceSum<<<(n + 255) / 256, 256>>>(in, out, n);
}
