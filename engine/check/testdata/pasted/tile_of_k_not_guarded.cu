#include <cuda_runtime.h>

#define T 16

// C (m x n) = A (m x k) * B (k x n)
__global__ void matMul(const float *A, const float *B, float *C, int m, int n, int k)
{
    __shared__ float a[T][T], b[T][T];
    int row = blockIdx.y * T + threadIdx.y, col = blockIdx.x * T + threadIdx.x;
    float acc = 0;
    for (int p = 0; p < (k + T - 1) / T; ++p) {
        a[threadIdx.y][threadIdx.x] = row < m ? A[row * k + p * T + threadIdx.x] : 0;  // fault: out-of-bounds
        b[threadIdx.y][threadIdx.x] = col < n ? B[(p * T + threadIdx.y) * n + col] : 0;  // fault: out-of-bounds
        __syncthreads();
        for (int e = 0; e < T; ++e) acc += a[threadIdx.y][e] * b[e][threadIdx.x];
        __syncthreads();
    }
    if (row < m && col < n) C[row * n + col] = acc;
}

int main()
{
    int m = 200, n = 150, k = 100;
    float *A, *B, *C;
    cudaMalloc(&A, m * k * sizeof(float));
    cudaMalloc(&B, k * n * sizeof(float));
    cudaMalloc(&C, m * n * sizeof(float));
    dim3 grid((n + T - 1) / T, (m + T - 1) / T), block(T, T);
    matMul<<<grid, block>>>(A, B, C, m, n, k);
    cudaDeviceSynchronize();
}
