// A transpose by rows, through shared memory with and without padding.
#include <cstdio>

constexpr int N = 256, TILE = 32;

__global__ void by_rows(const float* in, float* out) {
  const int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  for (int k = 0; k < TILE; k += 8) out[x * N + y + k] = in[(y + k) * N + x];
}

template <int PAD>
__global__ void tiled(const float* in, float* out) {
  __shared__ float tile[TILE][TILE + PAD];
  const int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  for (int k = 0; k < TILE; k += 8) tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * N + x];
  __syncthreads();
  const int to_x = blockIdx.y * TILE + threadIdx.x, to_y = blockIdx.x * TILE + threadIdx.y;
  for (int k = 0; k < TILE; k += 8) out[(to_y + k) * N + to_x] = tile[threadIdx.x][threadIdx.y + k];
}

int main() {
  float *in, *out;
  cudaMallocManaged(&in, N * N * sizeof(float));
  cudaMallocManaged(&out, N * N * sizeof(float));
  for (int i = 0; i < N * N; ++i) in[i] = i;
  const dim3 grid(N / TILE, N / TILE), block(TILE, 8);
  by_rows<<<grid, block>>>(in, out);
  cudaDeviceSynchronize();
  printf("%g\n", out[5 * N + 7]);
  tiled<0><<<grid, block>>>(in, out);
  cudaDeviceSynchronize();
  printf("%g\n", out[6 * N + 7]);
  tiled<1><<<grid, block>>>(in, out);
  cudaDeviceSynchronize();
  printf("%g\n", out[7 * N + 8]);
}
