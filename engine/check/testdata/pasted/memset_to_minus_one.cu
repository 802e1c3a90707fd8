// right, not checked
#include <cuda_runtime.h>

__global__ void largestPlace(const float* in, int* place, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] > 0) atomicMax(place, i);
}

int main() {
  const int n = 1000;
  float* in;
  int* place;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&place, sizeof(int));
  cudaMemset(place, 0xff, sizeof(int));
  largestPlace<<<(n + 255) / 256, 256>>>(in, place, n);
}
