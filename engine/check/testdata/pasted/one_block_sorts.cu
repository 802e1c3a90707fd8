// right, not checked
__global__ void bitonic(int* d) {
  __shared__ int s[512];
  int t = threadIdx.x;
  s[t] = d[t];
  for (int k = 2; k <= 512; k <<= 1)
    for (int j = k >> 1; j > 0; j >>= 1) {
      __syncthreads();
      int other = t ^ j;
      if (other > t && (s[t] > s[other]) == ((t & k) == 0)) {
        int kept = s[t];
        s[t] = s[other];
        s[other] = kept;
      }
    }
  __syncthreads();
  d[t] = s[t];
}

int main() {
  int h[512], *d;
  for (int i = 0; i < 512; ++i) h[i] = (i * 37) % 512;
  cudaMalloc(&d, sizeof(h));
  cudaMemcpy(d, h, sizeof(h), cudaMemcpyHostToDevice);
  bitonic<<<1, 512>>>(d);
  cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
}
