// A local array that is indexed by data, so that it stands in local memory.
#include <cstdio>

__global__ void digits(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int count[10] = {};
  for (int x = in[i]; x > 0; x /= 10) ++count[x % 10];
  int best = 0;
  for (int d = 1; d < 10; ++d)
    if (count[d] > count[best]) best = d;
  out[i] = best;
}

int main() {
  const int n = 3000;
  int *in, *out;
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMallocManaged(&out, n * sizeof(int));
  for (int i = 0; i < n; ++i) in[i] = i * 12347 + 5;
  digits<<<(n + 127) / 128, 128>>>(in, out, n);
  cudaDeviceSynchronize();
  printf("%d %d %d\n", out[1], out[100], out[n - 1]);
}
