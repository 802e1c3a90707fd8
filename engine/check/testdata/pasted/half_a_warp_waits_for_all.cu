__global__ void turned(const float* in, float* out) {
  __shared__ float s[16];
  int lane = threadIdx.x;
  if (lane < 16) {
    s[lane] = in[lane];
    __syncwarp();  // fault: mask-without-caller
    out[lane] = s[15 - lane];
  }
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 16 * sizeof(float));
  cudaMalloc(&out, 16 * sizeof(float));
  cudaMemset(in, 0, 16 * sizeof(float));
  turned<<<1, 32>>>(in, out);
  cudaDeviceSynchronize();
}
