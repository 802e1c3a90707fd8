#include <cuda_runtime.h>
#include <stdio.h>

// One thread sums a row of a rows x cols matrix.
__global__ void rowSums(const float *matrix, float *sums, int rows, int cols)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float sum = 0.0f;
    for (int c = 0; c < cols; c++)
        sum += matrix[row * rows + c];  // fault: out-of-bounds
    sums[row] = sum;
}

int main()
{
    const int rows = 2000, cols = 500;
    float *d_matrix, *d_sums;
    float *h_matrix = (float *)malloc(rows * cols * sizeof(float));
    float *h_sums = (float *)malloc(rows * sizeof(float));
    for (int i = 0; i < rows * cols; i++) h_matrix[i] = 1.0f;
    cudaMalloc((void **)&d_matrix, rows * cols * sizeof(float));
    cudaMalloc((void **)&d_sums, rows * sizeof(float));
    cudaMemcpy(d_matrix, h_matrix, rows * cols * sizeof(float), cudaMemcpyHostToDevice);
    rowSums<<<(rows + 127) / 128, 128>>>(d_matrix, d_sums, rows, cols);
    cudaMemcpy(h_sums, d_sums, rows * sizeof(float), cudaMemcpyDeviceToHost);
    printf("%f\n", h_sums[0]);
    return 0;
}
