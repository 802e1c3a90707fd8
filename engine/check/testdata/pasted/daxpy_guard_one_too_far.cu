#include <cstdio>
#include <cuda_runtime.h>

__global__ void daxpy(int n, double a, const double *x, double *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n)
        y[i] = a * x[i] + y[i];  // fault: out-of-bounds
}

int main()
{
    int n = 100000;
    size_t bytes = n * sizeof(double);
    double *hx = new double[n], *hy = new double[n];
    for (int i = 0; i < n; i++) { hx[i] = i; hy[i] = 2.0 * i; }
    double *dx, *dy;
    cudaMalloc(&dx, bytes);
    cudaMalloc(&dy, bytes);
    cudaMemcpy(dx, hx, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(dy, hy, bytes, cudaMemcpyHostToDevice);
    int threads = 256;
    int blocks = (n + threads - 1) / threads;
    daxpy<<<blocks, threads>>>(n, 3.0, dx, dy);
    cudaMemcpy(hy, dy, bytes, cudaMemcpyDeviceToHost);
    printf("%f\n", hy[10]);
    cudaFree(dx);
    cudaFree(dy);
}
