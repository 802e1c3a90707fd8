// severity: error
#include <cuda_runtime.h>

__device__ unsigned finished = 0;

__global__ void sumAll(const float* in, volatile float* partial, float* out, int n) {
  __shared__ float s[128];
  __shared__ bool last;
  float v = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) v += in[i];
  s[threadIdx.x] = v;
  __syncthreads();
  for (int d = 64; d > 0; d /= 2) {
    if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = s[0];  // fault: race-global
    last = atomicInc(&finished, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last || threadIdx.x != 0) return;
  float sum = 0;
  for (int b = 0; b < gridDim.x; ++b) sum += partial[b];  // fault: race-global
  *out = sum;
  finished = 0;
}

int main() {
  const int n = 1 << 14, blocks = 16;
  float *in, *partial, *out;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&partial, blocks * sizeof(float));
  cudaMalloc(&out, sizeof(float));
  sumAll<<<blocks, 128>>>(in, partial, out, n);
  cudaDeviceSynchronize();
}
