#include <cuda_runtime.h>

__global__ void invert(unsigned char *image, int size)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < size) image[i] = 255 - image[i];
}

int main()
{
    int width = 1024, height = 768, size = width * height;
    unsigned char *d_image;
    cudaMalloc(&d_image, size);
    cudaMemset(d_image, 7, size);
    int threadsPerBlock = 256;
    int blocksPerGrid = (size + threadsPerBlock - 1) / threadsPerBlock;
    invert<<<threadsPerBlock, blocksPerGrid>>>(d_image, size);  // fault: refused
    cudaDeviceSynchronize();
    cudaFree(d_image);
}
