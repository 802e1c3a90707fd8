// right, not checked
__global__ void count(const int* keys, int* bins, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[keys[i]], 1);
}

__global__ void shares(const int* bins, float* share, int n, int kinds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kinds) share[i] = (float)bins[i] / n;
}

int main() {
  const int n = 4096, kinds = 64;
  int h[n], *keys, *bins;
  float* share;
  for (int i = 0; i < n; ++i) h[i] = rand() % kinds;
  cudaMalloc(&keys, sizeof(h));
  cudaMalloc(&bins, kinds * sizeof(int));
  cudaMalloc(&share, kinds * sizeof(float));
  cudaMemcpy(keys, h, sizeof(h), cudaMemcpyHostToDevice);
  cudaMemset(bins, 0, kinds * sizeof(int));
  count<<<n / 256, 256>>>(keys, bins, n);
  shares<<<1, 64>>>(bins, share, n, kinds);
  cudaDeviceSynchronize();
}
