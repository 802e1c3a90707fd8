#include <cuda_runtime.h>

__global__ void heat(float *u, int nx, int ny, float k)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x == 0 || y == 0 || x >= nx - 1 || y >= ny - 1) return;
    int c = y * nx + x;
    u[c] = u[c] + k * (u[c - 1] + u[c + 1] + u[c - nx] + u[c + nx] - 4 * u[c]);  // fault: race-global
}

int main()
{
    const int nx = 300, ny = 200;
    float *u;
    cudaMalloc(&u, nx * ny * sizeof(float));
    cudaMemset(u, 0, nx * ny * sizeof(float));
    dim3 threads(16, 16);
    dim3 blocks((nx + 15) / 16, (ny + 15) / 16);
    for (int step = 0; step < 100; ++step) heat<<<blocks, threads>>>(u, nx, ny, 0.1f);
    cudaDeviceSynchronize();
}
