// right, not checked
#include <cuda_runtime.h>

__global__ void multiplyComplex(const float2* a, const float2* b, float2* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  c[i] = make_float2(a[i].x * b[i].x - a[i].y * b[i].y, a[i].x * b[i].y + a[i].y * b[i].x);
}

int main() {
  const int n = 5000;
  float2 *a, *b, *c;
  cudaMalloc((void**)&a, sizeof(float2) * n);
  cudaMalloc((void**)&b, sizeof(float2) * n);
  cudaMalloc((void**)&c, sizeof(float2) * n);
  multiplyComplex<<<(n + 127) / 128, 128>>>(a, b, c, n);
}
