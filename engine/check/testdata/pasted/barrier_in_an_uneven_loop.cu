__global__ void average(const float* x, float* y, int n) {
  __shared__ float s[256];
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    int at = i + 0;
    s[threadIdx.x] = at < n ? x[at] : 0;
    __syncthreads();  // fault: wrong-at-odd-size
    if (at < n) y[at] = 0.5f * (s[threadIdx.x] + s[(threadIdx.x + blockDim.x - 1) % blockDim.x]);
    __syncthreads();
  }
}
