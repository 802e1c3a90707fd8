__global__ void scaled(float* m, const float* by, int rows, int columns) {
  int r = blockIdx.y * blockDim.y + threadIdx.y;
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < rows && c < columns) m[r * columns + c] *= by[r];  // fault: out-of-bounds
}

int main() {
  int rows = 70000, columns = 35000;
  float *m, *by;
  cudaMalloc(&m, (size_t)rows * columns * sizeof(float));
  cudaMalloc(&by, rows * sizeof(float));
  cudaMemset(m, 0, (size_t)rows * columns * sizeof(float));
  cudaMemset(by, 0, rows * sizeof(float));
  dim3 block(32, 8), grid((columns + 31) / 32, (rows + 7) / 8);
  scaled<<<grid, block>>>(m, by, rows, columns);
  cudaDeviceSynchronize();
}
