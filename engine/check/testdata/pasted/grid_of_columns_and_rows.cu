// right, not checked
__global__ void madd(const float* a, const float* b, float* c, int rows, int columns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  if (j < rows && i < columns) c[j * columns + i] = 2 * a[j * columns + i] - b[j * columns + i];
}

int main() {
  int rows = 100, columns = 300;
  float *a, *b, *c;
  cudaMalloc(&a, rows * columns * sizeof(float));
  cudaMalloc(&b, rows * columns * sizeof(float));
  cudaMalloc(&c, rows * columns * sizeof(float));
  cudaMemset(a, 0, rows * columns * sizeof(float));
  cudaMemset(b, 0, rows * columns * sizeof(float));
  dim3 block(16, 16), grid((columns + 15) / 16, (rows + 15) / 16);
  madd<<<grid, block>>>(a, b, c, rows, columns);
  cudaDeviceSynchronize();
}
