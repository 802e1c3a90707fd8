// right, not checked
#include <cuda_runtime.h>

#define BLOCK 256

__global__ void scanBlocks(const float *in, float *out, float *sums, int n)
{
    __shared__ float buffer[2][BLOCK];
    int t = threadIdx.x, i = blockIdx.x * BLOCK + t, from = 0;
    buffer[0][t] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (int d = 1; d < BLOCK; d <<= 1) {
        int to = 1 - from;
        buffer[to][t] = buffer[from][t] + (t >= d ? buffer[from][t - d] : 0.0f);
        __syncthreads();
        from = to;
    }
    if (i < n) out[i] = buffer[from][t];
    if (t == BLOCK - 1) sums[blockIdx.x] = buffer[from][t];
}

int main()
{
    int n = 10000, blocks = (n + BLOCK - 1) / BLOCK;
    float *in, *out, *sums;
    cudaMalloc(&in, n * sizeof(float));
    cudaMalloc(&out, n * sizeof(float));
    cudaMalloc(&sums, blocks * sizeof(float));
    cudaMemset(in, 0, n * sizeof(float));
    scanBlocks<<<blocks, BLOCK>>>(in, out, sums, n);
    cudaDeviceSynchronize();
}
