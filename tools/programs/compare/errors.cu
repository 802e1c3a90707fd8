// What a device refuses, and what it says then.
#include <cstdio>

__global__ void fill(int* x) { x[threadIdx.x] = threadIdx.x; }
__global__ void shared(int* x) {
  extern __shared__ int s[];
  s[threadIdx.x] = threadIdx.x;
  x[threadIdx.x] = s[threadIdx.x];
}
void say(const char* what, cudaError_t error) { printf("%s: %s, last %s\n", what, cudaGetErrorName(error), cudaGetErrorName(cudaGetLastError())); }

int main() {
  int* x;
  cudaMalloc(&x, 4096);
  fill<<<1, 2048>>>(x);
  say("too many threads", cudaDeviceSynchronize());
  fill<<<0, 32>>>(x);
  say("no block", cudaDeviceSynchronize());
  shared<<<1, 32, 100000>>>(x);
  say("much shared memory", cudaDeviceSynchronize());
  say("allowed", cudaFuncSetAttribute(shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000));
  shared<<<1, 32, 100000>>>(x);
  say("much shared memory again", cudaDeviceSynchronize());
  int host[4];
  say("copy beyond", cudaMemcpy(host, x, 5000, cudaMemcpyDeviceToHost));
  say("free of nothing", cudaFree(nullptr));
  say("free twice", (cudaFree(x), cudaFree(x)));
  void* p = nullptr;
  say("a petabyte", cudaMalloc(&p, size_t(1) << 50));
}
