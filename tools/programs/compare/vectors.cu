// Loads of float4 and float2, structures, and bytes.
#include <cstdio>

struct Particle {
  float x, y, z;
  int kind;
  double mass;
};

__global__ void four(const float4* in, float4* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = make_float4(in[i].w, in[i].z, in[i].y, in[i].x);
}
__global__ void two(const float2* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i].x * in[i].y;
}
__global__ void move(Particle* p, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && p[i].kind == 1) p[i].x += 1, p[i].mass *= 2;
}
__global__ void bytes(const unsigned char* in, unsigned char* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 255 - in[i];
}

int main() {
  const int n = 5000;
  float *a, *b;
  Particle* p;
  unsigned char *c, *d;
  cudaMallocManaged(&a, n * 16);
  cudaMallocManaged(&b, n * 16);
  cudaMallocManaged(&p, n * sizeof(Particle));
  cudaMallocManaged(&c, n);
  cudaMallocManaged(&d, n);
  for (int i = 0; i < 4 * n; ++i) a[i] = i % 100;
  for (int i = 0; i < n; ++i) p[i] = {float(i), 0, 0, i % 3, 1.5}, c[i] = i % 200;
  const int blocks = (n + 255) / 256;
  four<<<blocks, 256>>>((float4*)a, (float4*)b, n);
  cudaDeviceSynchronize();
  printf("%g %g\n", b[0], b[4 * n - 1]);
  two<<<blocks, 256>>>((float2*)a, b, n);
  move<<<blocks, 256>>>(p, n);
  bytes<<<blocks, 256>>>(c, d, n);
  cudaDeviceSynchronize();
  printf("%g %g %g %d\n", b[n - 1], p[1].x, p[1].mass, d[n - 1]);
}
