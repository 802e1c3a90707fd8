__global__ void next_level(const int* rows, const int* columns, int* level, int* next, int* count, int now, int n) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n || level[v] != now) return;
  for (int e = rows[v]; e < rows[v + 1]; ++e) {
    int u = columns[e];
    if (level[u] == -1) {  // fault: race-global
      level[u] = now + 1;  // fault: race-global
      next[*count] = u;    // fault: race-global
      *count += 1;         // fault: race-global
    }
  }
}

int main() {
  const int n = 256;
  int hr[n + 1], hc[n * 4], hl[n];
  for (int i = 0; i <= n; ++i) hr[i] = i * 4;
  for (int i = 0; i < n * 4; ++i) hc[i] = (i * 7 + 3) % n;
  for (int i = 0; i < n; ++i) hl[i] = i % 16 == 0 ? 0 : -1;
  int *rows, *columns, *level, *next, *count;
  cudaMalloc(&rows, sizeof(hr));
  cudaMalloc(&columns, sizeof(hc));
  cudaMalloc(&level, sizeof(hl));
  cudaMalloc(&next, n * sizeof(int));
  cudaMalloc(&count, sizeof(int));
  cudaMemcpy(rows, hr, sizeof(hr), cudaMemcpyHostToDevice);
  cudaMemcpy(columns, hc, sizeof(hc), cudaMemcpyHostToDevice);
  cudaMemcpy(level, hl, sizeof(hl), cudaMemcpyHostToDevice);
  cudaMemset(count, 0, sizeof(int));
  next_level<<<2, 128>>>(rows, columns, level, next, count, 0, n);
  cudaDeviceSynchronize();
}
