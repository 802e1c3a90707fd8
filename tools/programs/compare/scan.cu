// An inclusive scan of a block's numbers, step by step in shared memory, of four blocks.
#include <cstdio>

__global__ void scan(const int* in, int* out) {
  __shared__ int a[2][512];
  int from = 0;
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  a[0][t] = in[i];
  __syncthreads();
  for (int by = 1; by < blockDim.x; by *= 2) {
    a[1 - from][t] = t >= by ? a[from][t] + a[from][t - by] : a[from][t];
    from = 1 - from;
    __syncthreads();
  }
  out[i] = a[from][t];
}

int main() {
  int *in, *out;
  cudaMallocManaged(&in, 2048 * sizeof(int));
  cudaMallocManaged(&out, 2048 * sizeof(int));
  for (int i = 0; i < 2048; ++i) in[i] = i % 10;
  scan<<<4, 512>>>(in, out);
  cudaDeviceSynchronize();
  printf("%d %d %d %d\n", out[511], out[1023], out[1535], out[2047]);
}
