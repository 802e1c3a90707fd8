// right, not checked
#include <cuda_runtime.h>

__global__ void compound(double *balance, int accounts, double rate, int years)
{
    for (int a = blockIdx.x * blockDim.x + threadIdx.x; a < accounts; a += gridDim.x * blockDim.x)
        for (int y = 0; y < years; ++y)
            balance[a] *= 1.0 + rate;
}

int main()
{
    int accounts = 20000;
    double *balance;
    cudaMallocManaged(&balance, accounts * sizeof(double));
    for (int i = 0; i < accounts; ++i) balance[i] = 100.0;
    compound<<<8, 256>>>(balance, accounts, 0.05, 3);
    cudaDeviceSynchronize();
}
