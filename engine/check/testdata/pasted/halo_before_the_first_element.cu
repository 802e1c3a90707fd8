#include <cuda_runtime.h>

#define RADIUS 3
#define BLOCK_SIZE 128

__global__ void stencil_1d(const int *in, int *out, int n)
{
    __shared__ int temp[BLOCK_SIZE + 2 * RADIUS];
    int g = threadIdx.x + blockIdx.x * blockDim.x;
    int l = threadIdx.x + RADIUS;
    if (g < n) temp[l] = in[g];
    if (threadIdx.x < RADIUS) {
        temp[l - RADIUS] = in[g - RADIUS];  // fault: out-of-bounds
        temp[l + BLOCK_SIZE] = in[g + BLOCK_SIZE];  // fault: out-of-bounds
    }
    __syncthreads();
    int result = 0;
    for (int o = -RADIUS; o <= RADIUS; o++) result += temp[l + o];
    if (g < n) out[g] = result;
}

int main()
{
    int n = 4096;
    int *in, *out;
    cudaMalloc(&in, n * sizeof(int));
    cudaMalloc(&out, n * sizeof(int));
    cudaMemset(in, 0, n * sizeof(int));
    stencil_1d<<<(n + BLOCK_SIZE - 1) / BLOCK_SIZE, BLOCK_SIZE>>>(in, out, n);
    cudaDeviceSynchronize();
}
