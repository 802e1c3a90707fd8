#include <cuda_runtime.h>

__global__ void sumAll(const float *x, float *total, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = x[i];
        for (int offset = 16; offset > 0; offset /= 2)
            v += __shfl_down_sync(0xffffffff, v, offset);  // fault: inactive-source-lane
        if (threadIdx.x % 32 == 0) atomicAdd(total, v);  // fault: wrong-result
    }
}

int main()
{
    int n = 1000;
    float *x, *total;
    cudaMallocManaged(&x, n * sizeof(float));
    cudaMallocManaged(&total, sizeof(float));
    for (int i = 0; i < n; ++i) x[i] = 1;
    *total = 0;
    sumAll<<<(n + 127) / 128, 128>>>(x, total, n);
    cudaDeviceSynchronize();
    return *total == n;
}
