// Kernels with one mistake each; the line of the mistake is marked "<- fault". faults_test.cpp expects each fault there.
// faulty_kernels.ptx is made by: nvcc -std=c++17 -ptx -lineinfo -arch=compute_90 faulty_kernels.cu
// with the folders in the .file lines removed.
#include <cassert>

#define KERNEL extern "C" __global__ void

KERNEL past_end(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n)             // should be <
    out[i] = in[i] + 1;  // <- fault past_end
}
KERNEL store_past_end(float* out, int n) {
  out[threadIdx.x + n - 31] = 1;  // <- fault store_past_end
}
KERNEL before_start(const float* in, float* out) {
  out[threadIdx.x] = in[static_cast<int>(threadIdx.x) - 3];  // <- fault before_start
}
KERNEL far_away(const int* index, float* out) {
  const float v = out[index[threadIdx.x]];  // <- fault far_away
  out[threadIdx.x] = v;
}
KERNEL null_pointer(const float* in, float* out) {
  out[threadIdx.x] = in[threadIdx.x];  // <- fault null_pointer
}
KERNEL misaligned(const char* in, float4* out) {
  out[threadIdx.x] = *reinterpret_cast<const float4*>(in + 4 * threadIdx.x);  // <- fault misaligned
}
__constant__ int fixed[4] = {1, 2, 3, 4};
KERNEL writes_constant(int* out) {
  const int v = out[threadIdx.x];
  asm volatile("st.u32 [%0], %1;" ::"l"(fixed + (threadIdx.x & 3)), "r"(v) : "memory");  // <- fault writes_constant
}
KERNEL shared_past_end(int* out) {
  __shared__ int tile[16];
  tile[threadIdx.x] = threadIdx.x;  // <- fault shared_past_end
  __syncthreads();
  out[threadIdx.x] = tile[15 - threadIdx.x];
}
KERNEL shared_unwritten(int* out) {
  __shared__ int first[32];
  __shared__ int second[64];
  first[threadIdx.x] = threadIdx.x;
  if (threadIdx.x != 5) second[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = first[threadIdx.x] + second[threadIdx.x];  // <- fault shared_unwritten
}
KERNEL shared_unwritten_bytes(unsigned char* out) {
  __shared__ unsigned char tile[64];
  if (threadIdx.x % 2 == 0) tile[threadIdx.x] = 255;
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x];  // <- fault shared_unwritten_bytes
}
KERNEL shared_poison(unsigned* out) {  // no fault: these very values are written
  __shared__ unsigned tile[64];
  tile[threadIdx.x] = 0xfff1bad5u + (threadIdx.x & 1);
  __syncthreads();
  out[threadIdx.x] = tile[31 - threadIdx.x];
}
KERNEL shared_padding(float* out) {  // no fault: the padding is never read
  __shared__ float tile[8][9];
  tile[threadIdx.x / 8][threadIdx.x % 8] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x % 8][threadIdx.x / 8];
}
KERNEL one_barrier_less(int* out) {
  if (threadIdx.x < 40) __syncthreads();  // <- fault one_barrier_less
  asm volatile("bar.sync 1;");
  out[threadIdx.x] = 1;
}
KERNEL lanes_that_never_come(int* out) {
  int v = threadIdx.x;
  if (threadIdx.x < 8) {
    v = __shfl_sync(0xffffffffu, v, 3);  // <- fault lanes_that_never_come
    __syncthreads();
  } else {
    asm volatile("bar.sync 2;");
  }
  out[threadIdx.x] = v;
}
KERNEL endless(volatile int* flag) {
  int turns = 0;
  while (*flag == 0) ++turns;  // <- fault endless
  *flag = turns;
}
KERNEL endless_barriers(volatile int* flag) {
  while (*flag == 0) __syncthreads();  // <- fault endless_barriers
}
KERNEL traps(const int* in) {
  if (in[threadIdx.x] == 7) __trap();  // <- fault traps
}
KERNEL asserts(const int* in) {
  assert(in[threadIdx.x] < 30 && "too large");  // <- fault asserts
}
__device__ __forceinline__ float third(const float* p) { return p[3]; }  // <- fault inlined
KERNEL inlined(const float* in, float* out) {
  out[threadIdx.x] = third(in + threadIdx.x);
}
KERNEL local_past_end(const int* index, int* out) {
  int a[8];
  for (int i = 0; i < 8; ++i) a[i] = i;
  a[index[threadIdx.x]] = 3;  // <- fault local_past_end
  out[threadIdx.x] = a[index[threadIdx.x] & 7];
}
__device__ __noinline__ int fibonacci(int n) {
  if (n < 2) return n;
  return fibonacci(n - 1) + fibonacci(n - 2);
}
KERNEL recursion(int* out) { out[threadIdx.x] = fibonacci(threadIdx.x); }
__device__ __noinline__ int plus(int v) { return v + 1; }
__device__ __noinline__ int minus(int v) { return v - 1; }
KERNEL pointer_call(int* out, int n) {
  int (*f)(int) = n > 3 ? plus : minus;
  out[threadIdx.x] = f(n);  // <- fault pointer_call
}
