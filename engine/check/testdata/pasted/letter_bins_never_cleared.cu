#include <cuda_runtime.h>

__global__ void letters(const unsigned char *text, unsigned int *counts, int n)
{
    __shared__ unsigned int bins[26];
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        int c = text[i] - 'a';
        if (c >= 0 && c < 26) atomicAdd(&bins[c], 1);  // fault: uninitialized-shared
    }
    __syncthreads();
    if (threadIdx.x < 26) atomicAdd(&counts[threadIdx.x], bins[threadIdx.x]);  // fault: uninitialized-shared
}

int main()
{
    int n = 1 << 16;
    unsigned char *text;
    unsigned int *counts;
    cudaMallocManaged(&text, n);
    cudaMallocManaged(&counts, 26 * sizeof(unsigned int));
    for (int i = 0; i < n; ++i) text[i] = 'a' + i % 26;
    for (int i = 0; i < 26; ++i) counts[i] = 0;
    letters<<<32, 256>>>(text, counts, n);
    cudaDeviceSynchronize();
    return counts[0] == n / 26;
}
