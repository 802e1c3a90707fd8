// right, not checked
#include <cuda_runtime.h>

__global__ void reverseLong(const float* in, float* out, int n) {
  extern __shared__ float tile[];
  for (int i = threadIdx.x; i < n; i += blockDim.x) tile[i] = in[i];
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = tile[n - 1 - i];
}

int main() {
  const int n = 15000;
  float *in, *out;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaFuncSetAttribute(reverseLong, cudaFuncAttributeMaxDynamicSharedMemorySize, 60000);
  reverseLong<<<1, 512, n * sizeof(float)>>>(in, out, n);
}
