// right, not checked
#include <cstdio>
#include <cuda_runtime.h>

#define BLOCK 128

__global__ void maxOfBlocks(const float *in, float *out, int n)
{
    __shared__ float s[BLOCK];
    int tid = threadIdx.x;
    int i = blockIdx.x * BLOCK + tid;
    s[tid] = i < n ? in[i] : -1e30f;
    __syncthreads();
    if (tid < 64) s[tid] = fmaxf(s[tid], s[tid + 64]);
    __syncthreads();
    if (tid < 32) {
        float v = fmaxf(s[tid], s[tid + 32]);
        for (int offset = 16; offset > 0; offset >>= 1)
            v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, offset));
        if (tid == 0) out[blockIdx.x] = v;
    }
}

int main()
{
    int n = 10000, blocks = (n + BLOCK - 1) / BLOCK;
    float *in, *out;
    cudaMallocManaged(&in, n * sizeof(float));
    cudaMallocManaged(&out, blocks * sizeof(float));
    for (int i = 0; i < n; ++i) in[i] = i * 0.5f;
    maxOfBlocks<<<blocks, BLOCK>>>(in, out, n);
    cudaDeviceSynchronize();
    printf("%g\n", out[0]);
}
