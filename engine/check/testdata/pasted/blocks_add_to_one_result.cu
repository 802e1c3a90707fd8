#include <cuda_runtime.h>

__global__ void dotProduct(const float *a, const float *b, float *result, int n)
{
    __shared__ float products[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    products[threadIdx.x] = i < n ? a[i] * b[i] : 0.0f;
    __syncthreads();
    if (threadIdx.x == 0) {
        float sum = 0;
        for (int j = 0; j < 256; ++j) sum += products[j];
        *result += sum;  // fault: race-global
    }
}

int main()
{
    int n = 50000;
    float *a, *b, *result;
    cudaMalloc(&a, n * sizeof(float));
    cudaMalloc(&b, n * sizeof(float));
    cudaMalloc(&result, sizeof(float));
    cudaMemset(a, 0, n * sizeof(float));
    cudaMemset(b, 0, n * sizeof(float));
    cudaMemset(result, 0, sizeof(float));
    dotProduct<<<(n + 255) / 256, 256>>>(a, b, result, n);
    cudaDeviceSynchronize();
}
