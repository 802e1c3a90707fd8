#include <cuda_runtime.h>
#include <float.h>

__global__ void softmaxRows(const float *logits, float *probs, int classes)
{
    __shared__ float rowMax, rowSum;
    const float *row = logits + blockIdx.x * classes;
    if (threadIdx.x == 0) {
        rowMax = -FLT_MAX;
        for (int c = 0; c < classes; ++c) rowMax = fmaxf(rowMax, row[c]);
        rowSum = 0.0f;
        for (int c = 0; c < classes; ++c) rowSum += expf(row[c] - rowMax);
    }
    for (int c = threadIdx.x; c < classes; c += blockDim.x)  // fault: race-shared
        probs[blockIdx.x * classes + c] = expf(row[c] - rowMax) / rowSum;  // fault: race-shared
}

int main()
{
    int batch = 32, classes = 100;
    float *logits, *probs;
    cudaMalloc(&logits, batch * classes * sizeof(float));
    cudaMalloc(&probs, batch * classes * sizeof(float));
    softmaxRows<<<batch, 64>>>(logits, probs, classes);
    cudaDeviceSynchronize();
}
