// right, not checked
#include <cuda_runtime.h>

struct Grid {
  int nx, ny;
  float dx;
};

__global__ void diffuse(const float* in, float* out, Grid g) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= g.nx - 1 || y >= g.ny - 1) return;
  int i = y * g.nx + x;
  out[i] = in[i] + g.dx * (in[i - 1] + in[i + 1] + in[i - g.nx] + in[i + g.nx] - 4 * in[i]);
}

int main() {
  Grid g;
  g.nx = 300;
  g.ny = 200;
  g.dx = 0.1f;
  float *in, *out;
  cudaMalloc(&in, g.nx * g.ny * sizeof(float));
  cudaMalloc(&out, g.nx * g.ny * sizeof(float));
  cudaMemset(in, 0, g.nx * g.ny * sizeof(float));
  cudaMemset(out, 0, g.nx * g.ny * sizeof(float));
  dim3 block(16, 16), grid((g.nx + 15) / 16, (g.ny + 15) / 16);
  diffuse<<<grid, block>>>(in, out, g);
  cudaDeviceSynchronize();
}
