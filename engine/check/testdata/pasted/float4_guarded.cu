// right, not checked
#include <cuda_runtime.h>

__global__ void moveAll(float4* pos, const float4* vel, float dt, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) pos[i].x += vel[i].x * dt;  // the rest has none
}

int main() {
  const int n = 1000;
  float4 *pos, *vel;
  cudaMalloc(&pos, n * sizeof(float4));
  cudaMalloc(&vel, n * sizeof(float4));
  moveAll<<<(n + 255) / 256, 256>>>(pos, vel, 0.1f, n);
}
