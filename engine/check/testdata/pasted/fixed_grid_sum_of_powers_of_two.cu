#include <cuda_runtime.h>

__global__ void reduceSum(const float* in, float* out, int n) {
  __shared__ float part[256];
  int t = threadIdx.x;
  part[t] = t < n ? in[t] : 0;
  __syncthreads();
  for (int stride = n / 2; stride > 0; stride /= 2) {
    if (t < stride) part[t] += part[t + stride];  // fault: wrong-at-odd-size
    __syncthreads();
  }
  if (t == 0) out[0] = part[0];
}

int main() {
  const int n = 256;
  float *in, *out;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, sizeof(float));
  reduceSum<<<1, 256>>>(in, out, n);
}
