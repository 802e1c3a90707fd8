// Branches within a warp, loops of unlike length, and votes.
#include <cstdio>

__global__ void collatz(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int steps = 0;
  for (long long x = in[i]; x > 1; ++steps) x = x % 2 ? 3 * x + 1 : x / 2;
  out[i] = steps;
}
__global__ void votes(const int* in, unsigned* out) {
  const unsigned ballot = __ballot_sync(0xffffffff, in[threadIdx.x] % 3 == 0);
  const int all = __all_sync(0xffffffff, in[threadIdx.x] > 0);
  const unsigned same = __match_any_sync(0xffffffff, in[threadIdx.x] % 4);
  if (threadIdx.x == 0) out[0] = ballot, out[1] = all, out[2] = same;
}

int main() {
  const int n = 2000;
  int *in, *out;
  unsigned* flags;
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMallocManaged(&out, n * sizeof(int));
  cudaMallocManaged(&flags, 3 * sizeof(unsigned));
  for (int i = 0; i < n; ++i) in[i] = i + 1;
  collatz<<<(n + 255) / 256, 256>>>(in, out, n);
  votes<<<1, 32>>>(in, flags);
  cudaDeviceSynchronize();
  printf("%d %d, %x %u %x\n", out[26], out[n - 1], flags[0], flags[1], flags[2]);
}
