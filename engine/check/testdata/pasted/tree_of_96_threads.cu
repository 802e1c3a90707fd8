#include <cuda_runtime.h>
#include <stdio.h>

#define THREADS 96

__global__ void sumBlocks(const float *x, float *partial, int n)
{
    __shared__ float cache[THREADS];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    cache[threadIdx.x] = (i < n) ? x[i] : 0.0f;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half)
            cache[threadIdx.x] += cache[threadIdx.x + half];  // fault: wrong-result
        __syncthreads();
    }
    if (threadIdx.x == 0)
        partial[blockIdx.x] = cache[0];
}

int main()
{
    int n = 96 * 100, blocks = n / THREADS;
    float *x, *partial;
    cudaMallocManaged(&x, n * sizeof(float));
    cudaMallocManaged(&partial, blocks * sizeof(float));
    for (int i = 0; i < n; i++) x[i] = 1.0f;
    sumBlocks<<<blocks, THREADS>>>(x, partial, n);
    cudaDeviceSynchronize();
    printf("%f (should be %d)\n", partial[0], THREADS);
}
