#include <cuda_runtime.h>

#define COUNT 256

__global__ void oddEvenSort(int *data)
{
    __shared__ int v[COUNT];
    int t = threadIdx.x;
    v[2 * t] = data[2 * t];
    v[2 * t + 1] = data[2 * t + 1];
    __syncthreads();
    for (int round = 0; round < COUNT / 2; ++round) {
        if (v[2 * t] > v[2 * t + 1]) {  // fault: race-shared
            int x = v[2 * t]; v[2 * t] = v[2 * t + 1]; v[2 * t + 1] = x;
        }
        if (t < COUNT / 2 - 1 && v[2 * t + 1] > v[2 * t + 2]) {  // fault: race-shared
            int x = v[2 * t + 1]; v[2 * t + 1] = v[2 * t + 2]; v[2 * t + 2] = x;  // fault: race-shared
        }
        __syncthreads();
    }
    data[2 * t] = v[2 * t];
    data[2 * t + 1] = v[2 * t + 1];
}

int main()
{
    int h[COUNT];
    for (int i = 0; i < COUNT; ++i) h[i] = (i * 37) % COUNT;
    int *d;
    cudaMalloc(&d, sizeof(h));
    cudaMemcpy(d, h, sizeof(h), cudaMemcpyHostToDevice);
    oddEvenSort<<<1, COUNT / 2>>>(d);
    cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    return h[0];
}
