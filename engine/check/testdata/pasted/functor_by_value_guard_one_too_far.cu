// severity: error
#include <cuda_runtime.h>

struct Saxpy {
  float a;
  __host__ __device__ explicit Saxpy(float a) : a(a) {}
  __device__ float operator()(float x, float y) const { return a * x + y; }
};

template <class F>
__global__ void zip(F f, const float* x, const float* y, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) out[i] = f(x[i], y[i]);  // fault: out-of-bounds
}

int main() {
  const int n = 10007;
  float *x, *y, *out;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMemset(x, 0, n * sizeof(float));
  cudaMemset(y, 0, n * sizeof(float));
  zip<<<(n + 255) / 256, 256>>>(Saxpy(2.5f), x, y, out, n);
}
