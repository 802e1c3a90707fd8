// In place of CUDA's own, which it has inside: with what older programs call otherwise than CUDA 13 has it.
#pragma once
#include "../older_cuda.h"

#include_next <cuda_runtime.h>

#ifdef __cplusplus
// A place was the number of a device, and the host was -1.
static inline cudaMemLocation warplens_location(int device) {
  cudaMemLocation location;
  location.type = device < 0 ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
  location.id = device < 0 ? 0 : device;
  return location;
}
static inline cudaError_t cudaMemPrefetchAsync(const void* p, size_t size, int device, cudaStream_t stream = 0) {
  return cudaMemPrefetchAsync(p, size, warplens_location(device), 0, stream);
}
static inline cudaError_t cudaMemAdvise(const void* p, size_t size, cudaMemoryAdvise advice, int device) {
  return cudaMemAdvise(p, size, advice, warplens_location(device));
}
static inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                                   size_t count) {
  return cudaGraphAddDependencies(graph, from, to, 0, count);
}

#ifdef __CUDACC__
// Without a mask: of the lanes that are there.
template <class T>
__device__ inline T __shfl(T value, int lane, int width = 32) {
  return __shfl_sync(__activemask(), value, lane, width);
}
template <class T>
__device__ inline T __shfl_up(T value, unsigned by, int width = 32) {
  return __shfl_up_sync(__activemask(), value, by, width);
}
template <class T>
__device__ inline T __shfl_down(T value, unsigned by, int width = 32) {
  return __shfl_down_sync(__activemask(), value, by, width);
}
template <class T>
__device__ inline T __shfl_xor(T value, int with, int width = 32) {
  return __shfl_xor_sync(__activemask(), value, with, width);
}
#endif
#endif
