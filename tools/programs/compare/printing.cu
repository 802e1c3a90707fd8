// Kernels that print, and assertions that hold.
#include <cassert>
#include <cstdio>

__global__ void say(int n) {
  assert(n == 3);
  if (threadIdx.x < 2) printf("block %d, thread %d of %d: %s %5.2f %#x\n", blockIdx.x, threadIdx.x, blockDim.x, "word", n * 1.5, 255);
}

int main() {
  say<<<1, 32>>>(3);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
