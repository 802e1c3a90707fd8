// severity: error
__global__ void row_means(const float* in, float* out, int rows, int columns) {
  __shared__ float s[8];
  for (int r = blockIdx.x; r < rows; r += gridDim.x) {
    float v = 0;
    for (int c = threadIdx.x; c < columns; c += 256) v += in[r * columns + c];
    for (int o = 16; o > 0; o /= 2) v += __shfl_xor_sync(0xffffffffu, v, o);
    if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = v;  // fault: race-shared
    __syncthreads();
    if (threadIdx.x == 0) {
      float sum = 0;
      for (int w = 0; w < 8; ++w) sum += s[w];  // fault: race-shared
      out[r] = sum / columns;
    }
  }
}

// The zeros that it is tried with hide nothing.
int main() {
  int rows = 100, columns = 300;
  float *in, *out;
  cudaMalloc(&in, rows * columns * sizeof(float));
  cudaMalloc(&out, rows * sizeof(float));
  cudaMemset(in, 0, rows * columns * sizeof(float));
  row_means<<<20, 256>>>(in, out, rows, columns);
  cudaDeviceSynchronize();
}
