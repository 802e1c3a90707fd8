// right, not checked
__global__ void moveAll(float4* pos, const float4* vel, float dt, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) pos[i].x += vel[i].x * dt;
}
