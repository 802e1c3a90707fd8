// right, not checked
#include <cuda_runtime.h>

__global__ void bodyForces(const float4* pos, float4* force, int n) {
  __shared__ float4 tile[128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 own = i < n ? pos[i] : make_float4(0, 0, 0, 0), sum = make_float4(0, 0, 0, 0);
  for (int base = 0; base < n; base += 128) {
    if (base + threadIdx.x < n) tile[threadIdx.x] = pos[base + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 128 && base + k < n; ++k) {
      float dx = tile[k].x - own.x, dy = tile[k].y - own.y, dz = tile[k].z - own.z;
      float f = tile[k].w * rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
      sum.x += f * dx, sum.y += f * dy, sum.z += f * dz;
    }
    __syncthreads();
  }
  if (i < n) force[i] = sum;
}

int main() {
  const int n = 1000;
  float4 *pos, *force;
  cudaMalloc(&pos, n * sizeof(float4));
  cudaMalloc(&force, n * sizeof(float4));
  bodyForces<<<(n + 127) / 128, 128>>>(pos, force, n);
}
