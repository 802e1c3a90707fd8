// right, not checked
#include <cuda_runtime.h>
#include <cstdio>

template <typename T>
struct equal_to {
  __host__ __device__ bool operator()(const T& a, const T& b) const { return a == b; }
};

// Marks each element that is not equal to the one before it.
template <typename T, typename Pred>
__global__ void mark_heads(const T* in, int* heads, int n, Pred pred) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) heads[i] = i == 0 || !pred(in[i - 1], in[i]);
}

// Exclusive sums of the marks within each block, and the totals of the blocks.
__global__ void scan_blocks(const int* heads, int* positions, int* totals, int n) {
  __shared__ int s[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = i < n ? heads[i] : 0;
  __syncthreads();
  for (int d = 1; d < blockDim.x; d *= 2) {
    int v = threadIdx.x >= d ? s[threadIdx.x - d] : 0;
    __syncthreads();
    s[threadIdx.x] += v;
    __syncthreads();
  }
  if (i < n) positions[i] = s[threadIdx.x] - heads[i];
  if (threadIdx.x == blockDim.x - 1) totals[blockIdx.x] = s[threadIdx.x];
}

template <typename T>
__global__ void scatter_heads(const T* in, const int* heads, const int* positions, const int* offsets, T* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && heads[i]) out[positions[i] + offsets[blockIdx.x]] = in[i];
}

int main() {
  const int n = 10000, blocks = (n + 255) / 256;
  int *in, *heads, *positions, *totals, *offsets, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&heads, n * sizeof(int));
  cudaMalloc(&positions, n * sizeof(int));
  cudaMalloc(&totals, blocks * sizeof(int));
  cudaMalloc(&offsets, blocks * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  int* h = new int[n];
  for (int i = 0; i < n; ++i) h[i] = i / 3;
  cudaMemcpy(in, h, n * sizeof(int), cudaMemcpyHostToDevice);
  mark_heads<<<blocks, 256>>>(in, heads, n, equal_to<int>());
  scan_blocks<<<blocks, 256>>>(heads, positions, totals, n);
  int* t = new int[blocks];
  cudaMemcpy(t, totals, blocks * sizeof(int), cudaMemcpyDeviceToHost);
  for (int b = 0, sum = 0; b < blocks; ++b) {
    int own = t[b];
    t[b] = sum;
    sum += own;
  }
  cudaMemcpy(offsets, t, blocks * sizeof(int), cudaMemcpyHostToDevice);
  scatter_heads<<<blocks, 256>>>(in, heads, positions, offsets, out, n);
}
