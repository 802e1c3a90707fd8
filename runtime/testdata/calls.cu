// What the runtime answers to calls that are right and wrong: calls CASE, a case a process.
#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
#include <cassert>

__constant__ float table[4];
__device__ int counter;
__managed__ int managed;
__global__ void fill(int* p) { p[blockIdx.x * blockDim.x + threadIdx.x] = 7; }
__global__ void nothing() {}
__global__ void with_static(int* p) { __shared__ int s[256]; s[threadIdx.x % 256] = 1; __syncthreads(); if (p) *p = s[0]; }
__global__ void dynamic(int* p) { extern __shared__ int room[]; room[threadIdx.x] = 1; __syncthreads(); if (p) *p = room[0]; }
__global__ void traps() { __trap(); }
__global__ void asserts(int n) { assert(n == 0); }
__global__ void misaligned(char* p) { *reinterpret_cast<int*>(p + 1) = 1; }
__global__ void __launch_bounds__(128) bounded(int* p) { if (p) *p = 1; }
__global__ void together(int* p) { cooperative_groups::this_grid().sync(); if (p) *p = 1; }
__global__ void __cluster_dims__(2, 1, 1) clustered(int* p) { if (p) *p = 1; }
__global__ void prints(int n) { printf("kernel %d\n", n); }
__global__ void reads(const int* p, int i, int* out) { out[0] = p[i]; }
__global__ void writes(int* p, long long i) { p[i] = 1; }
__global__ void heap(int n) { int* p = static_cast<int*>(malloc(n)); if (p) { *p = 1; free(p); } else printf("no heap\n"); }

const char* n(cudaError_t e) { return cudaGetErrorName(e); }
#define SAY(call) std::printf("%s: %s\n", #call, n(call))
void after() {
  SAY(cudaPeekAtLastError());
  SAY(cudaGetLastError());
  SAY(cudaGetLastError());
  SAY(cudaDeviceSynchronize());
  SAY(cudaGetLastError());
  SAY(cudaGetLastError());
}
int* d;
void launches(int which) {
  cudaMalloc(&d, 4096);
  switch (which) {
    case 0: fill<<<1, 2048>>>(d); break;
    case 1: fill<<<0, 32>>>(d); break;
    case 2: fill<<<1, 0>>>(d); break;
    case 3: fill<<<1, dim3(1, 1, 65)>>>(d); break;
    case 4: fill<<<1, dim3(1, 1025)>>>(d); break;
    case 5: nothing<<<dim3(1, 65536), 1>>>(); break;
    case 6: nothing<<<dim3(1, 1, 65536), 1>>>(); break;
    case 7: dynamic<<<1, 32, 49153>>>(d); break;
    case 8: dynamic<<<1, 32, 49152>>>(d); break;
    case 9: with_static<<<1, 32, 49152>>>(d); break;
    case 10: SAY(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000)); dynamic<<<1, 32, 100000>>>(d); break;
    case 11: SAY(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 232449)); dynamic<<<1, 32, 232449>>>(d); break;
    case 12: SAY(cudaFuncSetAttribute(with_static, cudaFuncAttributeMaxDynamicSharedMemorySize, 232448)); with_static<<<1, 32, 232448>>>(d); break;
    case 13: SAY(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000)); dynamic<<<1, 32, 100001>>>(d); break;
    case 14: bounded<<<1, 256>>>(d); break;
    case 15: { void* args[] = {&d}; SAY(cudaLaunchCooperativeKernel(together, dim3(100000), dim3(256), args, 0, 0)); break; }
    case 16: { void* args[] = {&d}; SAY(cudaLaunchCooperativeKernel(together, dim3(100), dim3(256), args, 0, 0)); break; }
    case 17: clustered<<<3, 32>>>(d); break;
    case 18: clustered<<<4, 32>>>(d); break;
    case 19: traps<<<1, 32>>>(); break;
    case 20: asserts<<<1, 1>>>(1); break;
    case 21: misaligned<<<1, 1>>>(reinterpret_cast<char*>(d)); break;
    case 22: fill<<<1, 32>>>(nullptr); break;
    case 23: writes<<<1, 1>>>(d, 1ll << 36); break;
    case 24: reads<<<1, 1>>>(d, 1024, d); break;
    case 25: reads<<<1, 1>>>(d, -1, d); break;
    case 26: { int h = 0; writes<<<1, 1>>>(&h, 0); break; }
    case 27: together<<<4, 32>>>(d); break;
    case 28: heap<<<1, 1>>>(100); break;
    case 29: heap<<<1, 1>>>(100 << 20); break;
    case 30: writes<<<1, 1>>>(d, 1024); break;
    case 31: writes<<<1, 1>>>(d, 4096ll << 20); break;
  }
  after();
  int h = 0;
  SAY(cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost));
  int* e = nullptr;
  SAY(cudaMalloc(&e, 16));
  SAY(cudaFree(d));
  cudaEvent_t event; SAY(cudaEventCreate(&event));
  cudaStream_t stream; SAY(cudaStreamCreate(&stream));
  nothing<<<1, 1>>>(); after();
  SAY(cudaDeviceReset());
  SAY(cudaMalloc(&e, 16));
  nothing<<<1, 1>>>(); after();
}
void memory() {
  int h[8] = {}, *e = nullptr; void* p = nullptr; size_t size = 0;
  SAY(cudaMalloc(&d, 4096)); std::printf("aligned %d\n", int(reinterpret_cast<size_t>(d) % 512));
  SAY(cudaMalloc(&e, 0)); std::printf("%d\n", e != nullptr);
  SAY(cudaMalloc((void**)nullptr, 4));
  SAY(cudaMalloc(&e, size_t(1) << 42)); std::printf("%d\n", e != nullptr); SAY(cudaGetLastError());
  SAY(cudaFree(nullptr));
  SAY(cudaFree(d + 1)); SAY(cudaGetLastError());
  SAY(cudaFree(h)); SAY(cudaGetLastError());
  SAY(cudaMemcpy(d, h, 32, cudaMemcpyHostToDevice));
  SAY(cudaMemcpy(d, h, 32, cudaMemcpyDeviceToHost)); SAY(cudaGetLastError());
  SAY(cudaMemcpy(h, d, 32, cudaMemcpyHostToDevice)); SAY(cudaGetLastError());
  SAY(cudaMemcpy(h, d, 32, cudaMemcpyDeviceToDevice)); SAY(cudaGetLastError());
  SAY(cudaMemcpy(h, d, 32, cudaMemcpyHostToHost)); SAY(cudaGetLastError());
  SAY(cudaMemcpy(h, d, 32, cudaMemcpyDefault));
  SAY(cudaMemcpy(h, d, 32, cudaMemcpyKind(9))); SAY(cudaGetLastError());
  SAY(cudaMemcpy(nullptr, h, 32, cudaMemcpyHostToDevice)); SAY(cudaGetLastError());
  SAY(cudaMemcpy(d, nullptr, 32, cudaMemcpyHostToDevice)); SAY(cudaGetLastError());
  SAY(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyHostToDevice));
  std::vector<char> big(16 << 20);
  SAY(cudaMemcpy(d, big.data(), 8 << 20, cudaMemcpyHostToDevice)); SAY(cudaGetLastError());
  SAY(cudaMemcpy(d, big.data(), 4097, cudaMemcpyHostToDevice)); SAY(cudaGetLastError());
  SAY(cudaMemset(d, 0, 4096)); SAY(cudaMemset(d, 0, 4097)); SAY(cudaGetLastError());
  SAY(cudaMemset(h, 0, 4)); SAY(cudaGetLastError());
  SAY(cudaMemset(nullptr, 0, 4)); SAY(cudaGetLastError());
  SAY(cudaFree(d)); SAY(cudaFree(d)); SAY(cudaGetLastError());
  SAY(cudaMemcpy(d, h, 32, cudaMemcpyHostToDevice)); SAY(cudaGetLastError());
  for (size_t w : {1, 100, 512, 513, 1000}) { SAY(cudaMallocPitch(&p, &size, w, 4)); std::printf("%zu -> %zu\n", w, size); }
  SAY(cudaMemcpy2D(p, 100, h, 32, 200, 1, cudaMemcpyHostToDevice)); SAY(cudaGetLastError());
  cudaPitchedPtr pp{}; SAY(cudaMalloc3D(&pp, cudaExtent{100, 5, 3})); std::printf("%zu %zu %zu\n", pp.pitch, pp.xsize, pp.ysize);
  float f[5] = {};
  SAY(cudaMemcpyToSymbol(table, f, 16)); SAY(cudaMemcpyToSymbol(table, f, 20)); SAY(cudaGetLastError());
  SAY(cudaMemcpyToSymbol(table, f, 4, 12)); SAY(cudaMemcpyToSymbol(table, f, 4, 16)); SAY(cudaGetLastError());
  SAY(cudaMemcpyFromSymbol(f, table, 16)); SAY(cudaMemcpyToSymbol(f, f, 4)); SAY(cudaGetLastError());
  SAY(cudaGetSymbolAddress(&p, counter)); SAY(cudaGetSymbolSize(&size, table)); std::printf("%zu\n", size);
  SAY(cudaGetSymbolAddress(&p, h)); SAY(cudaGetLastError());
  SAY(cudaMallocHost(&p, 100)); SAY(cudaFree(p)); SAY(cudaGetLastError()); SAY(cudaFreeHost(p)); SAY(cudaGetLastError());
  SAY(cudaHostAlloc(&p, 100, cudaHostAllocMapped)); void* q = nullptr; SAY(cudaHostGetDevicePointer(&q, p, 0)); std::printf("%d\n", p == q);
  SAY(cudaHostGetDevicePointer(&q, h, 0)); SAY(cudaGetLastError());
  SAY(cudaFreeHost(h)); SAY(cudaGetLastError()); SAY(cudaFreeHost(nullptr));
  SAY(cudaHostRegister(big.data(), big.size(), 0)); SAY(cudaHostRegister(big.data(), big.size(), 0)); SAY(cudaGetLastError());
  SAY(cudaHostGetDevicePointer(&q, big.data(), 0));
  SAY(cudaHostUnregister(big.data())); SAY(cudaHostUnregister(big.data())); SAY(cudaGetLastError());
  unsigned flags = 0; SAY(cudaHostGetFlags(&flags, p)); std::printf("%u\n", flags);
  int* m = nullptr; SAY(cudaMallocManaged(&m, 64)); SAY(cudaMallocManaged(&e, 0)); SAY(cudaGetLastError());
  const auto where = [](const char* what, const void* at) { cudaPointerAttributes a{}; const auto r = cudaPointerGetAttributes(&a, at); std::printf("%s: %s type %d device %d dev==p %d host==p %d dev0 %d host0 %d\n", what, n(r), int(a.type), a.device, a.devicePointer == at, a.hostPointer == at, a.devicePointer == nullptr, a.hostPointer == nullptr); };
  SAY(cudaMalloc(&d, 4096)); where("device", d); where("inside", d + 5); where("pinned", p); where("managed", m); where("stack", h); where("null", nullptr); where("managed variable", &managed);
  SAY(cudaGetLastError());
  SAY(cudaMallocAsync(&p, 100, 0)); SAY(cudaFreeAsync(p, 0)); SAY(cudaFreeAsync(p, 0)); SAY(cudaGetLastError());
  SAY(cudaMemGetInfo(&size, &size)); std::printf("total %zu\n", size);
  SAY(cudaMemcpy(m, h, 32, cudaMemcpyHostToDevice)); SAY(cudaMemcpy(h, m, 32, cudaMemcpyDeviceToHost)); SAY(cudaMemset(m, 1, 64)); SAY(cudaFree(m));
  SAY(cudaMemcpyPeer(d, 0, d, 0, 16)); SAY(cudaMemcpyPeer(d, 1, d, 0, 16)); SAY(cudaGetLastError());
}
void others() {
  cudaEvent_t a, b, c; float ms = -1; int v = -1, w = -1; 
  SAY(cudaEventCreate(&a)); SAY(cudaEventCreate(&b)); SAY(cudaEventElapsedTime(&ms, a, b)); SAY(cudaGetLastError());
  SAY(cudaEventQuery(a)); SAY(cudaEventSynchronize(a)); SAY(cudaEventRecord(a)); SAY(cudaEventElapsedTime(&ms, a, b)); SAY(cudaGetLastError());
  SAY(cudaEventCreateWithFlags(&c, cudaEventDisableTiming)); SAY(cudaEventRecord(c)); SAY(cudaEventSynchronize(c)); SAY(cudaEventElapsedTime(&ms, a, c)); SAY(cudaGetLastError());
  SAY(cudaEventDestroy(nullptr)); SAY(cudaGetLastError()); SAY(cudaEventDestroy(c)); SAY(cudaEventRecord(nullptr)); SAY(cudaGetLastError());
  cudaStream_t s; SAY(cudaStreamCreate(&s)); SAY(cudaStreamQuery(s)); SAY(cudaStreamSynchronize(s)); SAY(cudaStreamDestroy(s)); SAY(cudaStreamDestroy(nullptr)); SAY(cudaGetLastError());
  SAY(cudaStreamQuery(nullptr)); SAY(cudaStreamCreate(nullptr)); SAY(cudaGetLastError());
  unsigned flags = 9; SAY(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking)); SAY(cudaStreamGetFlags(s, &flags)); std::printf("%u\n", flags);
  SAY(cudaStreamCreateWithPriority(&s, 0, -3)); SAY(cudaStreamGetPriority(s, &v)); std::printf("%d\n", v); SAY(cudaDeviceGetStreamPriorityRange(&v, &w)); std::printf("%d %d\n", v, w);
  SAY(cudaSetDevice(5)); SAY(cudaGetLastError()); SAY(cudaSetDevice(-1)); SAY(cudaGetLastError()); cudaDeviceProp prop; SAY(cudaGetDeviceProperties(&prop, 5)); SAY(cudaGetLastError());
  SAY(cudaDeviceGetAttribute(&v, cudaDevAttrWarpSize, 5)); SAY(cudaGetLastError()); SAY(cudaDeviceGetAttribute(&v, cudaDeviceAttr(999), 0)); SAY(cudaGetLastError());
  SAY(cudaDeviceCanAccessPeer(&v, 0, 0)); std::printf("%d\n", v); SAY(cudaDeviceCanAccessPeer(&v, 0, 1)); SAY(cudaGetLastError()); SAY(cudaDeviceEnablePeerAccess(0, 0)); SAY(cudaGetLastError());
  for (int l = 0; l < 8; ++l) { size_t value = 0; const auto r = cudaDeviceGetLimit(&value, cudaLimit(l)); std::printf("limit %d: %s %zu\n", l, n(r), value); }
  SAY(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 64 << 20)); size_t value = 0; SAY(cudaDeviceGetLimit(&value, cudaLimitMallocHeapSize)); std::printf("%zu\n", value);
  SAY(cudaGetLastError());
  cudaFuncAttributes fa{};
  const auto say = [&](const char* what, const void* f) { std::memset(&fa, 0, sizeof fa); const auto r = cudaFuncGetAttributes(&fa, f); std::printf("%s: %s shared %zu const %zu local %zu threads %d regs %d ptx %d binary %d cache %d dynamic %d carveout %d cluster %d %d %d %d\n", what, n(r), fa.sharedSizeBytes, fa.constSizeBytes, fa.localSizeBytes, fa.maxThreadsPerBlock, fa.numRegs, fa.ptxVersion, fa.binaryVersion, fa.cacheModeCA, fa.maxDynamicSharedSizeBytes, fa.preferredShmemCarveout, fa.clusterDimMustBeSet, fa.requiredClusterWidth, fa.clusterSchedulingPolicyPreference, fa.nonPortableClusterSizeAllowed); };
  say("fill", (const void*)fill); say("with_static", (const void*)with_static); say("bounded", (const void*)bounded); say("clustered", (const void*)clustered); say("together", (const void*)together); say("prints", (const void*)prints);
  SAY(cudaFuncGetAttributes(&fa, (const void*)&d)); SAY(cudaGetLastError());
  SAY(cudaFuncSetAttribute(fill, cudaFuncAttributePreferredSharedMemoryCarveout, 50)); SAY(cudaFuncSetAttribute(fill, cudaFuncAttribute(77), 50)); SAY(cudaGetLastError());
  for (int block : {32, 64, 100, 256, 512, 1024, 1025, 0}) for (size_t shared : {0, 1000, 40000, 60000}) { v = -1; const auto r = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&v, with_static, block, shared); std::printf("occupancy %d %zu: %s %d\n", block, shared, n(r), v); }
  cudaGetLastError();
  SAY(cudaOccupancyMaxPotentialBlockSize(&v, &w, with_static, 0, 0)); std::printf("%d %d\n", v, w);
  SAY(cudaOccupancyAvailableDynamicSMemPerBlock(&value, with_static, 2, 256)); std::printf("%zu\n", value);
  SAY(cudaDriverGetVersion(&v)); SAY(cudaRuntimeGetVersion(&v)); std::printf("%d\n", v);
  SAY(cudaGetDeviceFlags(&flags)); std::printf("%u\n", flags); SAY(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync)); SAY(cudaGetLastError());
  char text[64] = {}; SAY(cudaDeviceGetPCIBusId(text, 64, 0));
  SAY(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal)); nothing<<<1, 1, 0, s>>>(); SAY(cudaStreamSynchronize(s)); SAY(cudaGetLastError()); cudaGraph_t g; SAY(cudaStreamEndCapture(s, &g)); SAY(cudaGetLastError());
  SAY(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal)); nothing<<<1, 1, 0, s>>>(); SAY(cudaMalloc(&d, 4)); SAY(cudaStreamEndCapture(s, &g)); SAY(cudaGetLastError());
  SAY(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal)); nothing<<<1, 1, 0, s>>>(); cudaMemsetAsync(d, 0, 4, s); SAY(cudaStreamEndCapture(s, &g)); size_t nodes = 0; SAY(cudaGraphGetNodes(g, nullptr, &nodes)); std::printf("%zu\n", nodes);
  cudaGraphExec_t exec; SAY(cudaGraphInstantiate(&exec, g, 0)); SAY(cudaGraphLaunch(exec, s)); SAY(cudaStreamSynchronize(s)); SAY(cudaGraphExecDestroy(exec)); SAY(cudaGraphDestroy(g));
  SAY(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal)); SAY(cudaGetLastError()); SAY(cudaStreamEndCapture(s, &g)); SAY(cudaGetLastError());
}
void attributes() {
  for (int a = 1; a < 139; ++a) { if (a == cudaDevAttrMemoryClockRate) continue; int v = -1; const auto r = cudaDeviceGetAttribute(&v, cudaDeviceAttr(a), 0); if (r == cudaSuccess) std::printf("attribute %d %d\n", a, v); else cudaGetLastError(); }
  cudaDeviceProp p; cudaGetDeviceProperties(&p, 0);
#define P(x) std::printf("%s %lld\n", #x, (long long)(p.x))
  std::printf("name %s\n", p.name); P(totalGlobalMem); P(sharedMemPerBlock); P(regsPerBlock); P(warpSize); P(memPitch); P(maxThreadsPerBlock); P(maxThreadsDim[0]); P(maxThreadsDim[2]); P(maxGridSize[0]); P(maxGridSize[1]); P(totalConstMem); P(major); P(minor); P(textureAlignment); P(texturePitchAlignment); P(multiProcessorCount); P(integrated); P(canMapHostMemory); P(maxTexture1D); P(maxTexture2D[0]); P(maxTexture2D[1]); P(maxTexture3D[0]); P(maxTexture2DLayered[0]); P(maxTexture2DLayered[2]); P(maxTexture1DLayered[0]); P(maxTexture1DLayered[1]); P(surfaceAlignment); P(concurrentKernels); P(ECCEnabled); P(pciBusID); P(pciDeviceID); P(tccDriver); P(asyncEngineCount); P(unifiedAddressing); P(memoryBusWidth); P(l2CacheSize); P(persistingL2CacheMaxSize); P(maxThreadsPerMultiProcessor); P(streamPrioritiesSupported); P(globalL1CacheSupported); P(localL1CacheSupported); P(sharedMemPerMultiprocessor); P(regsPerMultiprocessor); P(managedMemory); P(isMultiGpuBoard); P(hostNativeAtomicSupported); P(pageableMemoryAccess); P(concurrentManagedAccess); P(computePreemptionSupported); P(canUseHostPointerForRegisteredMem); P(cooperativeLaunch); P(sharedMemPerBlockOptin); P(pageableMemoryAccessUsesHostPageTables); P(directManagedMemAccessFromHost); P(maxBlocksPerMultiProcessor); P(accessPolicyMaxWindowSize); P(reservedSharedMemPerBlock); P(hostRegisterSupported); P(sparseCudaArraySupported); P(hostRegisterReadOnlySupported); P(timelineSemaphoreInteropSupported); P(memoryPoolsSupported); P(gpuDirectRDMASupported); P(memoryPoolSupportedHandleTypes); P(deferredMappingCudaArraySupported); P(ipcEventSupported); P(clusterLaunch); P(unifiedFunctionPointers);
}
void order(int which) {
  std::printf("before\n"); prints<<<1, 1>>>(1); std::printf("launched\n");
  if (which == 0) SAY(cudaDeviceSynchronize());
  if (which == 1) { int h; cudaMalloc(&d, 4); std::printf("allocated\n"); cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost); }
  if (which == 2) { cudaMalloc(&d, 4); std::printf("allocated\n"); cudaFree(d); }
  if (which == 3) { prints<<<1, 1>>>(2); std::printf("second\n"); cudaStreamSynchronize(0); }
  if (which == 4) SAY(cudaDeviceReset());
  if (which == 5) { cudaEvent_t e; cudaEventCreate(&e); cudaEventRecord(e); cudaEventSynchronize(e); }
  std::printf("after\n");
}
int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IONBF, 0);
  const int which = argc > 1 ? std::atoi(argv[1]) : 0;
  if (which < 50) launches(which);
  else if (which == 50) memory();
  else if (which == 51) others();
  else if (which == 52) attributes();
  else if (which < 70) order(which - 60);
  else if (which == 70) { cudaMalloc(&d, 4); std::fflush(stdout); std::printf("%d\n", *d); }
}
