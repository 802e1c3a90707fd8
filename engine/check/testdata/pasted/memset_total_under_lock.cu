// right, not checked
#include <cuda_runtime.h>

__global__ void addUnderLock(int* lock, float* total, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {
      __threadfence();
      *total += in[i];
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}

int main() {
  const int n = 500;
  int* lock;
  float *total, *in;
  cudaMalloc(&lock, sizeof(int));
  cudaMalloc(&total, sizeof(float));
  cudaMalloc(&in, n * sizeof(float));
  cudaMemset(lock, 0, sizeof(int));
  cudaMemset(total, 0, sizeof(float));
  addUnderLock<<<(n + 63) / 64, 64>>>(lock, total, in, n);
}
