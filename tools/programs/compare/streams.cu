// Two streams with asynchronous copies, events between them, and a function of the host.
#include <cstdio>

__global__ void add_one(int* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += 1;
}
void CUDART_CB said(void* what) { *static_cast<int*>(what) = 1; }

int main() {
  const int n = 4096;
  int *host, *device, was_called = 0;
  cudaMallocHost(&host, 2 * n * sizeof(int));
  cudaMalloc(&device, 2 * n * sizeof(int));
  for (int i = 0; i < 2 * n; ++i) host[i] = i;
  cudaStream_t streams[2];
  cudaEvent_t done;
  cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
  for (auto& stream : streams) cudaStreamCreate(&stream);
  for (int s = 0; s < 2; ++s) {
    cudaMemcpyAsync(device + s * n, host + s * n, n * sizeof(int), cudaMemcpyHostToDevice, streams[s]);
    add_one<<<n / 256, 256, 0, streams[s]>>>(device + s * n, n);
  }
  cudaEventRecord(done, streams[0]);
  cudaStreamWaitEvent(streams[1], done, 0);
  add_one<<<n / 256, 256, 0, streams[1]>>>(device, n);
  cudaMemcpyAsync(host, device, 2 * n * sizeof(int), cudaMemcpyDeviceToHost, streams[1]);
  cudaLaunchHostFunc(streams[1], said, &was_called);
  cudaStreamSynchronize(streams[1]);
  printf("%d %d %d\n", host[0], host[2 * n - 1], was_called);
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  cudaEventRecord(begin);
  cudaEventRecord(end);
  cudaEventSynchronize(end);
  float milliseconds = -1;
  const cudaError_t error = cudaEventElapsedTime(&milliseconds, begin, end);
  printf("%s %d\n", cudaGetErrorName(error), milliseconds >= 0);
}
