// right, not checked
#include <cuda_runtime.h>

struct Particle {
  float x, y, z;
  float vx, vy, vz;
  float mass;
};

__global__ void push(Particle* p, int n, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    p[i].x += p[i].vx * dt;  // x
    p[i].y += p[i].vy * dt;  // y
    p[i].z += p[i].vz * dt;  // z
  }
}

int main() {
  const int n = 1000;
  Particle* p;
  cudaMalloc(&p, n * sizeof(Particle));
  push<<<(n + 255) / 256, 256>>>(p, n, 0.5f);
}
