#include <cuda_runtime.h>

__global__ void reverseBlocks(int *data, int n)
{
    extern __shared__ int s[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) s[threadIdx.x] = data[i];  // fault: out-of-bounds
    __syncthreads();
    if (i < n) data[i] = s[blockDim.x - 1 - threadIdx.x];
}

int main()
{
    int n = 1024;
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    cudaMemset(d, 0, n * sizeof(int));
    reverseBlocks<<<n / 128, 128>>>(d, n);
    cudaDeviceSynchronize();
}
