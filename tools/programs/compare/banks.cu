// Shared memory with 1 to 32 threads at a bank, and a broadcast.
#include <cstdio>

__global__ void read(int* out, int stride) {
  __shared__ int s[1024];
  for (int i = threadIdx.x; i < 1024; i += 32) s[i] = i;
  __syncwarp();
  out[threadIdx.x] = s[(threadIdx.x * stride) % 1024];
}

int main() {
  int* out;
  cudaMallocManaged(&out, 32 * sizeof(int));
  for (int stride : {0, 1, 2, 3, 4, 8, 16, 32}) {
    read<<<1, 32>>>(out, stride);
    cudaDeviceSynchronize();
    printf("%d %d\n", stride, out[31]);
  }
}
