#include <cuda_runtime.h>

const int THREADS = 256;

// Normalizes each row of length n: subtract the mean, divide by the deviation.
__global__ void normalizeRows(const float *x, float *y, int n)
{
    __shared__ float buf[THREADS];
    int t = threadIdx.x;
    const float *row = x + blockIdx.x * n;

    float s = 0;
    for (int i = t; i < n; i += blockDim.x) s += row[i];
    buf[t] = s;
    __syncthreads();
    for (int k = THREADS / 2; k > 0; k >>= 1) {
        if (t < k) buf[t] += buf[t + k];
        __syncthreads();
    }
    float mean = buf[0] / n;  // fault: race-shared

    s = 0;
    for (int i = t; i < n; i += blockDim.x) {
        float d = row[i] - mean;
        s += d * d;
    }
    buf[t] = s;  // fault: race-shared
    __syncthreads();
    for (int k = THREADS / 2; k > 0; k >>= 1) {
        if (t < k) buf[t] += buf[t + k];
        __syncthreads();
    }
    float inv = rsqrtf(buf[0] / n + 1e-5f);
    for (int i = t; i < n; i += blockDim.x) y[blockIdx.x * n + i] = (row[i] - mean) * inv;
}

int main()
{
    int rows = 64, n = 1000;
    float *x, *y;
    cudaMalloc(&x, rows * n * sizeof(float));
    cudaMalloc(&y, rows * n * sizeof(float));
    cudaMemset(x, 0, rows * n * sizeof(float));
    normalizeRows<<<rows, THREADS>>>(x, y, n);
    cudaDeviceSynchronize();
}
