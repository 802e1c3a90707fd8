__global__ void csr_rows(const int* rows, const int* columns, const float* values, const float* x, float* y, int M) {
  int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
  if (r >= M) return;
  float s = 0;
  for (int e = rows[r] + lane; e < rows[r + 1]; e += 32) s += values[e] * x[columns[e]];
  y[r] = s;  // fault: race-global
}
