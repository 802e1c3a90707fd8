// Newton's steps for square roots in double precision, and a dot product.
#include <cstdio>

__global__ void roots(const double* in, double* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double x = in[i];
  for (int k = 0; k < 6; ++k) x = 0.5 * (x + in[i] / x);
  out[i] = x;
}
__global__ void dot(const double* a, const double* b, double* out, int n) {
  __shared__ double part[128];
  double sum = 0;
  for (int i = threadIdx.x; i < n; i += 128) sum += a[i] * b[i];
  part[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int k = 1; k < 128; ++k) sum += part[k];
    *out = sum;
  }
}

int main() {
  const int n = 3000;
  double *a, *b, *c;
  for (double** p : {&a, &b, &c}) cudaMallocManaged(p, n * sizeof(double));
  for (int i = 0; i < n; ++i) a[i] = 1 + i % 50;
  roots<<<(n + 127) / 128, 128>>>(a, b, n);
  dot<<<1, 128>>>(a, b, c, n);
  cudaDeviceSynchronize();
  printf("%.12g %.12g %.10g\n", b[3], b[48], *c);
}
