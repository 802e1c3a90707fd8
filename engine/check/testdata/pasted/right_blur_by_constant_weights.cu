// right, not checked
#include <cuda_runtime.h>

#define R 2

__constant__ float weights[2 * R + 1];

__global__ void blurRows(const float *src, float *dst, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float sum = 0;
    for (int d = -R; d <= R; ++d) {
        int xx = min(max(x + d, 0), width - 1);
        sum += weights[d + R] * src[y * width + xx];
    }
    dst[y * width + x] = sum;
}

int main()
{
    int width = 640, height = 480;
    float h[2 * R + 1] = {0.1f, 0.2f, 0.4f, 0.2f, 0.1f};
    cudaMemcpyToSymbol(weights, h, sizeof(h));
    float *src, *dst;
    cudaMalloc(&src, width * height * sizeof(float));
    cudaMalloc(&dst, width * height * sizeof(float));
    dim3 block(32, 8), grid((width + 31) / 32, (height + 7) / 8);
    blurRows<<<grid, block>>>(src, dst, width, height);
    cudaDeviceSynchronize();
}
