// The runtime's functions that the driver's are made of.
#pragma once

#include "runtime/driver/driver_types.hpp"

extern "C" {
cudaError_t cudaGetDeviceCount(int*);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp*, int);
cudaError_t cudaDeviceGetAttribute(int*, int, int);
cudaError_t cudaDeviceCanAccessPeer(int*, int, int);
cudaError_t cudaDriverGetVersion(int*);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaDeviceReset();
cudaError_t cudaDeviceSetLimit(int, std::size_t);
cudaError_t cudaDeviceGetLimit(std::size_t*, int);
cudaError_t cudaDeviceGetStreamPriorityRange(int*, int*);
const char* cudaGetErrorString(int);
const char* cudaGetErrorName(int);

cudaError_t cudaMalloc(void**, std::size_t);
cudaError_t cudaMallocManaged(void**, std::size_t, unsigned);
cudaError_t cudaMallocPitch(void**, std::size_t*, std::size_t, std::size_t);
cudaError_t cudaHostAlloc(void**, std::size_t, unsigned);
cudaError_t cudaMallocAsync(void**, std::size_t, void*);
cudaError_t cudaFree(void*);
cudaError_t cudaFreeAsync(void*, void*);
cudaError_t cudaFreeHost(void*);
cudaError_t cudaHostGetDevicePointer(void**, void*, unsigned);
cudaError_t cudaHostRegister(void*, std::size_t, unsigned);
cudaError_t cudaHostUnregister(void*);
cudaError_t cudaMemGetInfo(std::size_t*, std::size_t*);
cudaError_t cudaMemcpy(void*, const void*, std::size_t, int);
cudaError_t cudaMemcpyAsync(void*, const void*, std::size_t, int, void*);
cudaError_t cudaMemset2DAsync(void*, std::size_t, int, std::size_t, std::size_t, void*);
cudaError_t cudaMemsetAsync(void*, int, std::size_t, void*);

cudaError_t cudaLibraryLoadData(void**, const void*, void*, void**, unsigned, void*, void**, unsigned);
cudaError_t cudaLibraryLoadFromFile(void**, const char*, void*, void**, unsigned, void*, void**, unsigned);
cudaError_t cudaLibraryUnload(void*);
cudaError_t cudaLibraryGetKernel(const void**, void*, const char*);
cudaError_t cudaLibraryGetGlobal(void**, std::size_t*, void*, const char*);
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t*, const void*, void**);
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes*, const void*);
cudaError_t cudaFuncSetAttribute(const void*, int, int);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int*, const void*, int, std::size_t);

cudaError_t cudaStreamCreateWithPriority(void**, unsigned, int);
cudaError_t cudaStreamDestroy(void*);
cudaError_t cudaStreamSynchronize(void*);
cudaError_t cudaStreamQuery(void*);
cudaError_t cudaStreamWaitEvent(void*, void*, unsigned);
cudaError_t cudaEventCreateWithFlags(void**, unsigned);
cudaError_t cudaEventDestroy(void*);
cudaError_t cudaEventRecord(void*, void*);
cudaError_t cudaEventSynchronize(void*);
cudaError_t cudaEventQuery(void*);
cudaError_t cudaEventElapsedTime(float*, void*, void*);
}
