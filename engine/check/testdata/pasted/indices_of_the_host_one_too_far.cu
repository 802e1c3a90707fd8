__global__ void gather(const float* from, const int* at, float* to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[at[i] + 1];  // fault: out-of-bounds
}

int main() {
  const int n = 512;
  int h[n], *at;
  float *from, *to;
  for (int i = 0; i < n; ++i) h[i] = (i * 7 + n / 3) % n;
  cudaMalloc(&from, n * sizeof(float));
  cudaMalloc(&to, n * sizeof(float));
  cudaMalloc(&at, sizeof(h));
  cudaMemset(from, 0, n * sizeof(float));
  cudaMemcpy(at, h, sizeof(h), cudaMemcpyHostToDevice);
  gather<<<2, 256>>>(from, at, to, n);
  cudaDeviceSynchronize();
}
