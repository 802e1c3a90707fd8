// The kernels behind the .ptx files of this folder. To make them again, with CUDA 13.0:
//   for a in 75 80 100; do nvcc -std=c++17 -ptx -arch=compute_$a -o kernels_$a.ptx kernels.cu; done
//   nvcc -std=c++17 -ptx -lineinfo -arch=compute_90 -DONLY_LINES -o lines_90.ptx kernels.cu
// and the folders taken out of the .file lines.
#include <cuda_fp16.h>
#include <mma.h>

#include <cassert>
#include <cstdio>

struct Pair {
  float a;
  int b;
  double c;
};
__device__ __noinline__ float use(Pair p, float x) { return p.a * x + p.b + static_cast<float>(p.c); }

extern "C" __global__ void __launch_bounds__(64, 4) inlined(const float4* A, float4* C, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= n) return;
  float4 v = A[i];
  v.x = __shfl_xor_sync(~0u, v.x, 1) + __ldg(&C[i].y);
  C[i] = v;
}
extern "C" __global__ void by_value(Pair p, float* o) { o[threadIdx.x] = use(p, o[0]); }

#ifndef ONLY_LINES
__constant__ float weights[8] = {1, 2, 3, 4.5f, -1};
__device__ int numbers[4] = {1, 2, 3, 4};
__device__ int* third = &numbers[2];
struct __attribute__((packed)) Packed {
  char tag;
  const int* pointer;
};
__device__ Packed packed = {'b', numbers + 1};
__device__ __noinline__ int twice(int x) { return 2 * x; }
__device__ __noinline__ int square(int x) { return x * x; }
__device__ int (*operations[2])(int) = {twice, square};

extern "C" {
__global__ void naive(const float* __restrict__ A, const float* __restrict__ B, float* C, int M, int N,
                      int K) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x, column = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= M || column >= N) return;
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < K; k++) sum += A[row * K + k] * B[k * N + column];
  C[row * N + column] = sum;
}
__global__ void tile(const float* A, float* C, int n) {
  __shared__ float t[32][33];
  t[threadIdx.y][threadIdx.x] = A[threadIdx.y * n + threadIdx.x];
  __syncthreads();
  C[threadIdx.y * n + threadIdx.x] = t[threadIdx.x][threadIdx.y];
}
__global__ void dynamic_shared(const float* A, float* C) {
  extern __shared__ float s[];
  s[threadIdx.x] = A[threadIdx.x];
  for (unsigned d = 1; d < blockDim.x; d *= 2) {
    __syncthreads();
    const unsigned i = 2 * d * threadIdx.x;
    if (i < blockDim.x) s[i] += s[i + d];
  }
  if (threadIdx.x == 0) C[blockIdx.x] = s[0];
}
__global__ void votes(int* a, unsigned* o) {
  const int v = a[threadIdx.x];
  unsigned bits =
      __ballot_sync(~0u, v > 0) + __all_sync(~0u, v > 1) + __any_sync(~0u, v > 2) + __activemask();
  int all;
  bits += __match_any_sync(~0u, v) + __match_all_sync(~0u, v, &all) + all;
  bits += __shfl_down_sync(~0u, v, 4) + __shfl_up_sync(~0u, v, 1) + __shfl_sync(~0u, v, 3);
#if __CUDA_ARCH__ >= 800
  bits += __reduce_add_sync(~0u, v);
#endif
  __syncwarp();
  o[threadIdx.x] = bits + __popc(bits) + __ffs(bits) + __clz(bits) + __brev(bits);
}
__global__ void atomics(int* a, unsigned long long* l, float* f, __half2* h, unsigned short* u, double* d) {
  __shared__ int s[4];
  a[1] = atomicAdd(a, 1) + atomicCAS(a, 2, 3) + atomicExch(a, 4) + atomicMin(a, 5);
  atomicAdd(f, 1.f);
  atomicAdd(h, *h);
  atomicAdd(&s[1], 2);
  u[0] = atomicCAS(u, static_cast<unsigned short>(1), static_cast<unsigned short>(2));
  unsigned long long seen = *l, wanted;
  do {
    wanted = seen;
    seen = atomicCAS(l, wanted, __double_as_longlong(__longlong_as_double(wanted) * *d));
  } while (seen != wanted);
  a[2] = s[1];
}
__global__ void local_array(const int* a, int* o, int n) {
  int t[16];
  for (int i = 0; i < 16; i++) t[i] = a[i * n];
  for (int i = 0; i < n; i++) t[a[i] & 15] += i;
  o[threadIdx.x] = t[threadIdx.x & 15];
}
__global__ void tables(float* o, int i) {
  o[i] = weights[i] + operations[i & 1](i) + *third + packed.pointer[i];
}
__global__ void halves(__half2* a, __half* b, float* f) {
  a[2] = __hfma2(a[0], a[1], a[0]);
  b[9] = b[1] > b[2] ? __float2half(f[0]) : __float2half(0.5f);
  f[1] = __half2float(b[4]);
}
__global__ void choose(int* a, int n) {
  switch (n) {
    case 0:
      a[3] = 2;
      break;
    case 1:
      a[5] *= 3;
      break;
    case 2:
      a[9] ^= 9;
      break;
    case 3:
      a[4] -= a[5];
      break;
    case 4:
      a[0] /= 3;
      break;
    default:
      a[1] = 0;
  }
}
__global__ void print_and_assert(int n, double x) {
  assert(n > 0);
  printf("t=%d x=%f\n", threadIdx.x, x);
}
__global__ void ordered(volatile int* v, int* o) {
  v[0] = v[1] + 1;
  __threadfence();
  asm volatile("bar.sync %0, %1;" ::"r"(1), "r"(64));
  o[2] = __syncthreads_count(v[2]) + static_cast<int>(clock64());
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %0, 0; @!p bra L1; st.global.u32 [%1], %0; L1: }" ::"r"(o[2]),
               "l"(o));
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %0, 1; @!p bra L1; st.global.u32 [%1], %0; L1: }" ::"r"(o[2]),
               "l"(o));
}
#if __CUDA_ARCH__ >= 800
__global__ void pipeline(const float* g, float* o) {
  __shared__ __align__(16) float s[128];
  const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(&s[threadIdx.x * 4]));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(g + threadIdx.x * 4));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to), "l"(g), "r"(3));
  asm volatile("cp.async.commit_group;");
  asm volatile("cp.async.wait_group 0;");
  __syncthreads();
  unsigned r[4];
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(to));
  float d[4] = {};
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]), "r"(r[1]), "r"(r[2]));
  for (int i = 0; i < 4; i++) o[threadIdx.x * 4 + i] = d[i];
}
#endif
__global__ void fragments(const __half* A, const __half* B, float* C) {
  using namespace nvcuda::wmma;
  fragment<matrix_a, 16, 16, 16, __half, row_major> a;
  fragment<matrix_b, 16, 16, 16, __half, col_major> b;
  fragment<accumulator, 16, 16, 16, float> c;
  fill_fragment(c, 0.f);
  load_matrix_sync(a, A, 16);
  load_matrix_sync(b, B, 16);
  mma_sync(c, a, b, c);
  store_matrix_sync(C, c, 16, mem_row_major);
}
}
#endif
