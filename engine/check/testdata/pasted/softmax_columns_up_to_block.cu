#include <cuda_runtime.h>

__global__ void softmax(const float* in, float* out, int rows, int cols) {
  __shared__ float part[128];
  int t = threadIdx.x;
  float x = t < cols ? in[blockIdx.x * cols + t] : -INFINITY;
  part[t] = x;
  __syncthreads();
  for (int stride = 64; stride > 0; stride /= 2) {
    if (t < stride) part[t] = fmaxf(part[t], part[t + stride]);
    __syncthreads();
  }
  float e = expf(x - part[0]);
  __syncthreads();
  part[t] = e;
  __syncthreads();
  for (int stride = 64; stride > 0; stride /= 2) {
    if (t < stride) part[t] += part[t + stride];
    __syncthreads();
  }
  if (t < cols) out[blockIdx.x * cols + t] = e / part[0];  // fault: wrong-at-odd-size
}

int main() {
  const int rows = 64, cols = 100;
  float *in, *out;
  cudaMalloc(&in, rows * cols * sizeof(float));
  cudaMalloc(&out, rows * cols * sizeof(float));
  softmax<<<rows, 128>>>(in, out, rows, cols);
}
