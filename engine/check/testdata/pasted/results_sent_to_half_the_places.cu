__global__ void send(const float* in, const int* place, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[place[i] & 255] = in[i];  // fault: race-global
}
