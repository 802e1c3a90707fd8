// A CUDA program as nvcc makes one, written by hand: so that `warplens exec` and the runtime are tested where
// there is no nvcc. probe SCENARIO
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "runtime/protocol/fat_binary_text.hpp"
#include "runtime/cudart/cuda_types.hpp"

extern "C" {
void** __cudaRegisterFatBinary(void*);
void __cudaRegisterFunction(void**, const char*, char*, const char*, int, void*, void*, void*, void*, int*);
void __cudaRegisterVar(void**, char*, char*, const char*, int, std::size_t, int, int);
cudaError_t cudaMalloc(void**, std::size_t);
cudaError_t cudaMallocManaged(void**, std::size_t, unsigned);
cudaError_t cudaFree(void*);
cudaError_t cudaMemcpy(void*, const void*, std::size_t, int);
cudaError_t cudaMemset(void*, int, std::size_t);
cudaError_t cudaMemcpyFromSymbol(void*, const void*, std::size_t, std::size_t, int);
cudaError_t cudaLaunchKernel(const void*, dim3, dim3, void**, std::size_t, void*);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaGetLastError();
const char* cudaGetErrorName(int);
cudaError_t cudaEventCreate(void**);
cudaError_t cudaEventRecord(void*, void*);
cudaError_t cudaEventElapsedTime(float*, void*, void*);
cudaError_t cudaStreamCreate(void**);
cudaError_t cudaStreamBeginCapture(void*, int);
cudaError_t cudaStreamEndCapture(void*, void**);
cudaError_t cudaGraphInstantiate(void**, void*, unsigned long long);
cudaError_t cudaGraphLaunch(void*, void*);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp*, int);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int*, const void*, int, std::size_t);
cudaError_t cudaMallocArray(void**, const void*, std::size_t, std::size_t, unsigned);
}

namespace {

constexpr const char* kPtx = R"(.version 8.0
.target sm_80
.address_size 64
.visible .global .align 4 .u32 count;
.visible .entry add(.param .u64 to, .param .u32 more) {
  .reg .b32 %r<9>;
  .reg .b64 %d<6>;
  ld.param.u64 %d1, [to];
  ld.param.u32 %r1, [more];
  mov.u32 %r2, %tid.x;
  mov.u32 %r3, %ctaid.x;
  mov.u32 %r4, %ntid.x;
  mad.lo.u32 %r5, %r3, %r4, %r2;
  mul.wide.u32 %d2, %r5, 4;
  add.u64 %d3, %d1, %d2;
  ld.global.u32 %r6, [%d3];
  add.u32 %r7, %r6, %r1;
  st.global.u32 [%d3], %r7;
  mov.u64 %d4, count;
  red.global.add.u32 [%d4], 1;
  ret;
})";

struct Wrapper {
  int magic = 0x466243b1, version = 1;
  const void* data = nullptr;
  void* names = nullptr;
};

void add_stub() {}
char count_twin[4];
const void* stub() { return reinterpret_cast<const void*>(&add_stub); }

void register_all() {
  static const std::string binary = warplens::program::fat_ptx(kPtx);
  static Wrapper wrapper{.data = binary.data()};
  void** handle = __cudaRegisterFatBinary(&wrapper);
  __cudaRegisterFunction(handle, reinterpret_cast<const char*>(&add_stub), nullptr, "add", -1, nullptr, nullptr,
                         nullptr, nullptr, nullptr);
  __cudaRegisterVar(handle, count_twin, nullptr, "count", 0, 4, 0, 0);
}

cudaError_t add(void* to, std::uint32_t more, unsigned blocks, unsigned threads, void* stream = nullptr) {
  void* arguments[] = {&to, &more};
  return cudaLaunchKernel(stub(), {blocks, 1, 1}, {threads, 1, 1}, arguments, 0, stream);
}

void say(const char* what, cudaError_t error) { std::printf("%s: %s\n", what, cudaGetErrorName(error)); }

std::uint32_t first_of(void* device) {
  std::uint32_t value = 0;
  cudaMemcpy(&value, device, 4, 2);
  return value;
}

void sums() {
  void *d = nullptr, *begin = nullptr, *end = nullptr;
  cudaMalloc(&d, 1024);
  cudaMemset(d, 0, 1024);
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  cudaEventRecord(begin, nullptr);
  add(d, 3, 2, 128);
  add(d, 4, 2, 128);
  cudaEventRecord(end, nullptr);
  say("sync", cudaDeviceSynchronize());
  float milliseconds = 0;
  cudaEventElapsedTime(&milliseconds, begin, end);
  std::uint32_t count = 0;
  cudaMemcpyFromSymbol(&count, count_twin, 4, 0, 2);
  std::printf("first %u, count %u, predicted %s\n", first_of(d), count, milliseconds > 1e-3 ? "yes" : "no");
}

void errors() {
  void* d = nullptr;
  cudaMalloc(&d, 64);
  say("too many threads", add(d, 1, 1, 2048));
  say("last", cudaGetLastError());
  say("last again", cudaGetLastError());
  say("launch beside", add(d, 1, 1, 32));
  say("before waiting", cudaGetLastError());
  say("waiting", cudaDeviceSynchronize());
  say("sticky", cudaMalloc(&d, 64));
}

void graph() {
  void *d = nullptr, *stream = nullptr, *graph = nullptr, *exec = nullptr;
  cudaMalloc(&d, 1024);
  cudaMemset(d, 0, 1024);
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, 0);
  add(d, 5, 1, 32, stream);
  add(d, 6, 1, 32, stream);
  say("end of capture", cudaStreamEndCapture(stream, &graph));
  std::printf("captured, not run: %u\n", first_of(d));
  cudaGraphInstantiate(&exec, graph, 0);
  for (int i = 0; i < 3; ++i) cudaGraphLaunch(exec, stream);
  std::printf("three times: %u\n", first_of(d));
}

void queries() {
  cudaDeviceProp properties;
  say("properties", cudaGetDeviceProperties(&properties, 0));
  std::printf("%s, %d SMs, %d.%d\n", properties.name, properties.multiProcessorCount, properties.major, properties.minor);
  say("another device", cudaGetDeviceProperties(&properties, 3));
  int blocks = 0;
  say("occupancy", cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, stub(), 256, 0));
  std::printf("%d blocks\n", blocks);
  void* array = nullptr;
  say("arrays", cudaMallocArray(&array, nullptr, 4, 4, 0));
  say("arrays", cudaMallocArray(&array, nullptr, 4, 4, 0));
}

void managed() {
  void* m = nullptr;
  cudaMallocManaged(&m, 1024, 1);
  static_cast<std::uint32_t*>(m)[0] = 40;
  add(m, 2, 1, 32);
  cudaDeviceSynchronize();
  std::printf("managed %u\n", static_cast<std::uint32_t*>(m)[0]);
}

void host_access() {
  void* d = nullptr;
  cudaMalloc(&d, 64);
  std::fflush(stdout);
  std::printf("read %u\n", *static_cast<volatile std::uint32_t*>(d));
}

}  // namespace

int main(int count, char** words) {
  register_all();
  const std::string scenario = count > 1 ? words[1] : "";
  if (scenario == "sums") sums();
  if (scenario == "errors") errors();
  if (scenario == "graph") graph();
  if (scenario == "queries") queries();
  if (scenario == "managed") managed();
  if (scenario == "host_access") host_access();
  if (scenario == "exit") return 7;
  std::string line;
  for (int c = scenario == "echo" ? std::getchar() : EOF; c != EOF; c = std::getchar()) line += static_cast<char>(c);
  std::printf("%s", line.c_str());
}
