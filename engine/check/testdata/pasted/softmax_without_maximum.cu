#include <cuda_runtime.h>

__global__ void softmax(const float* in, float* out, int rows, int cols) {
  __shared__ float part[128];
  const float* x = in + blockIdx.x * cols;
  int t = threadIdx.x;

  float sum = 0;
  for (int j = t; j < cols; j += 128) sum += expf(x[j]);  // fault: wrong-with-other-data
  part[t] = sum;
  __syncthreads();
  for (int stride = 64; stride > 0; stride /= 2) {
    if (t < stride) part[t] += part[t + stride];  // fault: wrong-with-other-data
    __syncthreads();
  }
  for (int j = t; j < cols; j += 128) out[blockIdx.x * cols + j] = expf(x[j]) / part[0];  // fault: wrong-with-other-data
}

int main() {
  const int rows = 64, cols = 300;
  float *in, *out;
  cudaMalloc(&in, rows * cols * sizeof(float));
  cudaMalloc(&out, rows * cols * sizeof(float));
  softmax<<<rows, 128>>>(in, out, rows, cols);
}
