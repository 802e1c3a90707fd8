// A graph that is captured once and launched three times.
#include <cstdio>

__global__ void twice(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2;
}
__global__ void plus(float* x, int n, float by) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += by;
}

int main() {
  const int n = 1000;
  float *x, first = 0;
  cudaMalloc(&x, n * sizeof(float));
  cudaMemset(x, 0, n * sizeof(float));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  plus<<<(n + 127) / 128, 128, 0, stream>>>(x, n, 3);
  twice<<<(n + 127) / 128, 128, 0, stream>>>(x, n);
  cudaStreamEndCapture(stream, &graph);
  size_t nodes = 0;
  cudaGraphGetNodes(graph, nullptr, &nodes);
  cudaGraphInstantiate(&exec, graph, 0);
  for (int k = 0; k < 3; ++k) cudaGraphLaunch(exec, stream);
  cudaStreamSynchronize(stream);
  cudaMemcpy(&first, x, sizeof first, cudaMemcpyDeviceToHost);
  printf("%zu nodes, %g\n", nodes, first);
}
