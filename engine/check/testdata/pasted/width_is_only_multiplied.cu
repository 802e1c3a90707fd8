// right, not checked
// Whoever launches it takes a grid that fits: the kernel compares nothing with the width.
__global__ void negate(const float* in, float* out, int width) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  out[row * width + column] = -in[row * width + column];
}
