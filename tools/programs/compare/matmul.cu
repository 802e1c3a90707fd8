// Two products of matrices: each thread alone, and by tiles.
#include <cstdio>

constexpr int N = 128, T = 16;

__global__ void naive(const float* a, const float* b, float* c) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < N; ++k) sum += a[row * N + k] * b[k * N + column];
  c[row * N + column] = sum;
}

__global__ void tiled(const float* a, const float* b, float* c) {
  __shared__ float as[T][T], bs[T][T];
  const int column = blockIdx.x * T + threadIdx.x, row = blockIdx.y * T + threadIdx.y;
  float sum = 0;
  for (int t = 0; t < N; t += T) {
    as[threadIdx.y][threadIdx.x] = a[row * N + t + threadIdx.x];
    bs[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * N + column];
    __syncthreads();
    for (int k = 0; k < T; ++k) sum += as[threadIdx.y][k] * bs[k][threadIdx.x];
    __syncthreads();
  }
  c[row * N + column] = sum;
}

int main() {
  float *a, *b, *c;
  for (float** p : {&a, &b, &c}) cudaMallocManaged(p, N * N * sizeof(float));
  for (int i = 0; i < N * N; ++i) a[i] = i % 7, b[i] = i % 5;
  naive<<<dim3(N / T, N / T), dim3(T, T)>>>(a, b, c);
  cudaDeviceSynchronize();
  printf("%g %g\n", c[0], c[N * N - 1]);
  tiled<<<dim3(N / T, N / T), dim3(T, T)>>>(a, b, c);
  cudaDeviceSynchronize();
  printf("%g %g\n", c[0], c[N * N - 1]);
}
