#include <cuda_runtime.h>

#define N 512

__global__ void inclusive_scan(const int *in, int *out)
{
    __shared__ int a[N];
    int t = threadIdx.x;
    a[t] = in[t];
    __syncthreads();
    for (int d = 1; d < N; d *= 2) {
        if (t < d) break;
        int v = a[t - d];
        __syncthreads();  // fault: divergent-barrier
        a[t] += v;
        __syncthreads();  // fault: divergent-barrier
    }
    out[t] = a[t];
}

int main()
{
    int h[N], r[N];
    for (int i = 0; i < N; i++) h[i] = i % 3;
    int *d_in, *d_out;
    cudaMalloc(&d_in, N * sizeof(int));
    cudaMalloc(&d_out, N * sizeof(int));
    cudaMemcpy(d_in, h, N * sizeof(int), cudaMemcpyHostToDevice);
    inclusive_scan<<<1, N>>>(d_in, d_out);
    cudaMemcpy(r, d_out, N * sizeof(int), cudaMemcpyDeviceToHost);
    return r[N - 1];
}
