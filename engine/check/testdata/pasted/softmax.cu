// right
// says: "data": ["random"
#include <cuda_runtime.h>

__global__ void softmax(const float* in, float* out, int rows, int cols) {
  __shared__ float part[128];
  const float* x = in + blockIdx.x * cols;
  int t = threadIdx.x;
  float most = -INFINITY;
  for (int j = t; j < cols; j += 128) most = fmaxf(most, x[j]);
  part[t] = most;
  __syncthreads();
  for (int stride = 64; stride > 0; stride /= 2) {
    if (t < stride) part[t] = fmaxf(part[t], part[t + stride]);
    __syncthreads();
  }
  most = part[0];
  __syncthreads();
  float sum = 0;
  for (int j = t; j < cols; j += 128) sum += expf(x[j] - most);
  part[t] = sum;
  __syncthreads();
  for (int stride = 64; stride > 0; stride /= 2) {
    if (t < stride) part[t] += part[t + stride];
    __syncthreads();
  }
  for (int j = t; j < cols; j += 128) out[blockIdx.x * cols + j] = expf(x[j] - most) / part[0];
}

int main() {
  const int rows = 64, cols = 300;
  float *in, *out;
  cudaMalloc(&in, rows * cols * sizeof(float));
  cudaMalloc(&out, rows * cols * sizeof(float));
  softmax<<<rows, 128>>>(in, out, rows, cols);
}
