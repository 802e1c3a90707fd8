// right
#include <cuda_runtime.h>

__global__ void vectorAdd4(const float4* a, const float4* b, float4* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  c[i] = make_float4(a[i].x + b[i].x, a[i].y + b[i].y, a[i].z + b[i].z, a[i].w + b[i].w);
}

int main() {
  const int n = 2500;
  float4 *a, *b, *c;
  cudaMalloc(&a, n * sizeof(float4));
  cudaMalloc(&b, n * sizeof(float4));
  cudaMalloc(&c, n * sizeof(float4));
  vectorAdd4<<<(n + 127) / 128, 128>>>(a, b, c, n);
}
