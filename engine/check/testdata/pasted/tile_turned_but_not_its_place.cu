#include <cuda_runtime.h>

#define TILE 32

__global__ void transposeTiled(const float *in, float *out, int width, int height)
{
    __shared__ float tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    if (x < width && y < height) tile[threadIdx.y][threadIdx.x] = in[y * width + x];
    __syncthreads();
    if (x < width && y < height)
        out[x * height + y] = tile[threadIdx.x][threadIdx.y];  // fault: wrong-result
}

int main()
{
    int width = 512, height = 512;
    float *in, *out;
    cudaMalloc(&in, width * height * sizeof(float));
    cudaMalloc(&out, width * height * sizeof(float));
    dim3 block(TILE, TILE), grid(width / TILE, height / TILE);
    transposeTiled<<<grid, block>>>(in, out, width, height);
    cudaDeviceSynchronize();
}
