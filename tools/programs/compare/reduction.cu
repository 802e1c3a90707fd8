// A sum of a million numbers: in shared memory, by shuffles, and with one atomic a block.
#include <cstdio>

__global__ void in_shared(const int* in, int* out, int n) {
  extern __shared__ int part[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  part[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}

__global__ void by_shuffles(const int* in, int* out, int n) {
  int sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  for (int by = 16; by > 0; by /= 2) sum += __shfl_down_sync(0xffffffff, sum, by);
  __shared__ int of_warp[32];
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  sum = threadIdx.x < blockDim.x / 32 ? of_warp[threadIdx.x] : 0;
  sum = __reduce_add_sync(0xffffffff, sum);
  if (threadIdx.x == 0) atomicAdd(out, sum);
}

int main() {
  const int n = 1 << 18, block = 256, blocks = n / block;
  int *in, *parts, *out;
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMallocManaged(&parts, blocks * sizeof(int));
  cudaMallocManaged(&out, sizeof(int));
  for (int i = 0; i < n; ++i) in[i] = i % 13;
  in_shared<<<blocks, block, block * sizeof(int)>>>(in, parts, n);
  in_shared<<<1, 1024, 1024 * sizeof(int)>>>(parts, out, blocks);
  cudaDeviceSynchronize();
  printf("%d\n", *out);
  *out = 0;
  by_shuffles<<<64, block>>>(in, out, n);
  cudaDeviceSynchronize();
  printf("%d\n", *out);
}
