__global__ void sums(const float* in, float* out, int n) {
  __shared__ float partial[8];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = i < n ? in[i] : 0;
  for (int o = 16; o > 0; o >>= 1) v += __shfl_down_sync(0xffffffffu, v, o);
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x < 8) {
    v = partial[threadIdx.x];
    for (int o = 4; o > 0; o >>= 1) v += __shfl_down_sync(0xffffffffu, v, o);  // fault: mask-without-caller
    if (threadIdx.x == 0) atomicAdd(out, v);
  }
}

int main() {
  int n = 100000;
  float *in, *out;
  cudaMallocManaged(&in, n * sizeof(float));
  cudaMallocManaged(&out, sizeof(float));
  for (int i = 0; i < n; ++i) in[i] = 1;
  *out = 0;
  sums<<<(n + 255) / 256, 256>>>(in, out, n);
  cudaDeviceSynchronize();
}
