__global__ void product(float* a, const float* b, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = a[i] * b[i];
}

int main() {
  const int n = 1000;
  float *a, *b, *c, h[n];
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMalloc(&c, n * sizeof(float));
  cudaMemset(a, 0, n * sizeof(float));
  cudaMemset(b, 0, n * sizeof(float));
  product<<<4, 256>>>(a, b, c, n);  // fault: unwritten-output
  cudaMemcpy(h, c, n * sizeof(float), cudaMemcpyDeviceToHost);
}
