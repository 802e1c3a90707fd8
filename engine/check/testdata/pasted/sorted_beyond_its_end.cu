__global__ void middle(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int w[5];
  for (int k = 0; k < 5; ++k) w[k] = in[min(max(i + k - 2, 0), n - 1)];
  for (int a = 0; a < 5; ++a)
    for (int b = 0; b < 5 - a; ++b)
      if (w[b] > w[b + 1]) {  // fault: out-of-array
        int kept = w[b];
        w[b] = w[b + 1];
        w[b + 1] = kept;
      }
  out[i] = w[2];
}
