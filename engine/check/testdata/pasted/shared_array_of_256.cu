// severity: error
#include <cuda_runtime.h>

__global__ void neighbours(const float* in, float* out, int n) {
  __shared__ float s[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = i < n ? in[i] : 0;
  if (threadIdx.x == 0) s[256] = i + 256 < n ? in[i + 256] : 0;  // fault: out-of-bounds
  __syncthreads();
  if (i < n) out[i] = s[threadIdx.x] * 2 + s[threadIdx.x + 1];
}

int main(int argc, char** argv) {
  int n = atoi(argv[1]);
  float *in, *out;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  neighbours<<<(n + 255) / 256, 256>>>(in, out, n);
}
