// Half precision, and bit operations.
#include <cuda_fp16.h>

#include <cstdio>

__global__ void scale(const __half2* x, __half2* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = __hfma2(x[i], __float2half2_rn(0.5f), __float2half2_rn(1.f));
}
__global__ void bits(const unsigned* in, unsigned* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = __popc(in[i]) + __clz(in[i]) * 100 + (__brev(in[i]) & 0xff) * 10000;
}

int main() {
  const int n = 1000;
  __half2 *x, *y;
  unsigned *a, *b;
  cudaMallocManaged(&x, n * sizeof(__half2));
  cudaMallocManaged(&y, n * sizeof(__half2));
  cudaMallocManaged(&a, n * sizeof(unsigned));
  cudaMallocManaged(&b, n * sizeof(unsigned));
  for (int i = 0; i < n; ++i) x[i] = __floats2half2_rn(i, -i), a[i] = i * 2654435761u;
  scale<<<(n + 127) / 128, 128>>>(x, y, n);
  bits<<<(n + 127) / 128, 128>>>(a, b, n);
  cudaDeviceSynchronize();
  printf("%g %g %u %u\n", __low2float(y[10]), __high2float(y[999]), b[1], b[999]);
}
