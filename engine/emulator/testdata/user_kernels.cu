// Kernels as users write them, one for each thing that the emulator must get right. user_kernels_test.cpp checks each
// against the host. The .ptx files beside this one are made of it, for N = 80, 90, 100:
//   nvcc -std=c++17 -ptx -lineinfo -arch=compute_N user_kernels.cu -o user_kernels_N.ptx
// with the folders in the .file lines removed.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

#include <cassert>
#include <cstdio>

#define KERNEL extern "C" __global__ void
constexpr unsigned kFull = 0xffffffffu;

// ---- reductions, scans, sorting

// One block a row; any width.
KERNEL softmax(const float* in, float* out, int width) {
  __shared__ float partial[32];
  const float* row = in + blockIdx.x * width;
  float largest = -INFINITY;
  for (int i = threadIdx.x; i < width; i += blockDim.x) largest = fmaxf(largest, row[i]);
  for (int d = 16; d > 0; d /= 2) largest = fmaxf(largest, __shfl_xor_sync(kFull, largest, d));
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = largest;
  __syncthreads();
  for (int w = 0; w < blockDim.x / 32; ++w) largest = fmaxf(largest, partial[w]);
  __syncthreads();
  float sum = 0;
  for (int i = threadIdx.x; i < width; i += blockDim.x) sum += expf(row[i] - largest);
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(kFull, sum, d);
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = sum;
  __syncthreads();
  sum = 0;
  for (int w = 0; w < blockDim.x / 32; ++w) sum += partial[w];
  for (int i = threadIdx.x; i < width; i += blockDim.x) out[blockIdx.x * width + i] = expf(row[i] - largest) / sum;
}

KERNEL histogram(const unsigned char* in, unsigned* out, int n) {
  __shared__ unsigned bins[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) bins[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[in[i]], 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += blockDim.x)
    if (bins[i] != 0) atomicAdd(&out[i], bins[i]);
}

// Inclusive sums of one block: Hillis and Steele, and with warp shuffles.
KERNEL scan_shared(const int* in, int* out, int n) {
  extern __shared__ int s[];
  const int t = threadIdx.x;
  s[t] = t < n ? in[t] : 0;
  __syncthreads();
  for (int d = 1; d < blockDim.x; d *= 2) {
    int v = 0;
    if (t >= d) v = s[t - d];
    __syncthreads();
    s[t] += v;
    __syncthreads();
  }
  if (t < n) out[t] = s[t];
}
KERNEL scan_shuffle(const int* in, int* out, int n) {
  __shared__ int sums[32];
  const int t = threadIdx.x, lane = t & 31, warp = t >> 5;
  int v = t < n ? in[t] : 0;
  for (int d = 1; d < 32; d *= 2) {
    const int other = __shfl_up_sync(kFull, v, d);
    if (lane >= d) v += other;
  }
  if (lane == 31) sums[warp] = v;
  __syncthreads();
  if (warp == 0) {
    int total = lane < blockDim.x / 32 ? sums[lane] : 0;
    for (int d = 1; d < 32; d *= 2) {
      const int other = __shfl_up_sync(kFull, total, d);
      if (lane >= d) total += other;
    }
    sums[lane] = total;
  }
  __syncthreads();
  if (warp > 0) v += sums[warp - 1];
  if (t < n) out[t] = v;
}

KERNEL bitonic_sort(unsigned* data, int n) {  // n a power of two, one block of n / 2 threads
  extern __shared__ unsigned keys[];
  for (int i = threadIdx.x; i < n; i += blockDim.x) keys[i] = data[i];
  for (int size = 2; size <= n; size *= 2) {
    for (int stride = size / 2; stride > 0; stride /= 2) {
      __syncthreads();
      const int i = 2 * threadIdx.x - (threadIdx.x & (stride - 1)), j = i + stride;
      const bool up = (i & size) == 0;
      if ((keys[i] > keys[j]) == up) {
        const unsigned k = keys[i];
        keys[i] = keys[j];
        keys[j] = k;
      }
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) data[i] = keys[i];
}

KERNEL reduce_double(const double* in, double* out, int n) {
  __shared__ double s[128];
  double sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) sum += in[i];
  s[threadIdx.x] = sum;
  __syncthreads();
  for (int d = blockDim.x / 2; d > 0; d /= 2) {
    if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[0] = s[0];
}

// Sums of the lanes that hold an odd value, made by those lanes alone.
KERNEL divergent_shuffle(const int* in, int* out) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  const int v = in[t];
  const unsigned odd = __ballot_sync(kFull, v & 1);
  int result = -1;
  if (v & 1) {
    int sum = v;
    const unsigned lane = threadIdx.x & 31;
    unsigned rest = odd;
    sum = 0;
    while (rest != 0) {
      const int source = __ffs(rest) - 1;
      sum += __shfl_sync(odd, v, source);
      rest &= rest - 1;
    }
    result = sum + __popc(odd & ((1u << lane) - 1));
  } else {
    result = __reduce_max_sync(~odd, v);
  }
  const int after = __shfl_down_sync(kFull, result, 1);  // all lanes together again
  out[t] = result + (threadIdx.x % 32 == 31 ? 0 : after);
}

// ---- control flow

KERNEL collatz(const unsigned* in, unsigned* out, int n) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n) return;
  unsigned v = in[t], steps = 0;
  while (v > 1) {
    v = v % 2 == 0 ? v / 2 : 3 * v + 1;
    if (++steps > 500) break;
    if (v == 27) continue;
    if (v % 7 == 0) ++steps;
  }
  out[t] = steps;
}

KERNEL switches(const int* in, int* out, int n) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n) return;
  int v = in[t], r = 0;
  for (int k = 0; k < 3; ++k) {
    switch (v % 9) {
      case 0: r += 5; break;
      case 1: r *= 3;
      case 2: r -= v; break;
      case 3: r ^= 0x55; break;
      case 4: out[t] = r; return;
      case 5: r = r << 2; break;
      case 6: r |= 7;
      case 7: r += k; break;
      default: r = -r;
    }
    v = v / 2 + 11;
  }
  out[t] = r;
}

KERNEL nested(const int* in, int* out) {
  __shared__ int s[128];
  const int t = threadIdx.x;
  int v = in[blockIdx.x * blockDim.x + t], sum = 0;
  for (int i = 0; i < (v & 7); ++i) {
    if ((v >> i) & 1) {
      for (int j = i; j < (v & 15); j += 2) {
        if (j == 9) break;
        sum += i * j;
      }
    } else if (v & 16) {
      sum -= i;
      if (sum < -10) goto out;
    }
  }
out:
  s[t] = sum;
  __syncthreads();
  if (t < 64) {
    for (int k = 0; k < t % 5; ++k) sum += s[(t + k) % 128];
  } else {
    sum -= s[127 - t];
  }
  __syncthreads();
  s[t] = sum;
  __syncthreads();
  out[blockIdx.x * blockDim.x + t] = s[(t * 7) % 128];
}

__device__ __noinline__ int twice(int v, int* calls) {
  ++*calls;
  return v * 2;
}
__device__ __noinline__ float2 rotate(float2 v, int quarter) {
  if (quarter == 0) return v;
  if (quarter == 1) return make_float2(-v.y, v.x);
  return make_float2(-v.x, -v.y);
}
KERNEL calls(const int* in, int* out, float2* turned) {
  int count = 0;
  const int t = threadIdx.x;
  int v = in[t];
  if (v & 1) v = twice(v, &count) + twice(v + 1, &count);
  out[t] = v + 1000 * count;
  turned[t] = rotate(make_float2(v, t), t % 3);
}

// ---- memory

KERNEL local_array(const int* in, int* out) {
  int a[16];
  const int t = threadIdx.x;
  for (int i = 0; i < 16; ++i) a[i] = in[t] * i;
  for (int i = 0; i < 16; ++i) a[(in[t] + i) & 15] += i;
  out[t] = a[in[t] & 15] + a[t & 15];
}

struct Particle {
  float3 position;
  char kind;
  double mass;
  short charge[3];
};
KERNEL structs(const Particle* in, Particle* out, Particle offset, int n) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n) return;
  Particle p = in[t];
  p.position.x += offset.position.x;
  p.position.z *= offset.position.y;
  p.kind = p.kind - offset.kind;
  p.mass += offset.mass * t;
  p.charge[t % 3] += offset.charge[2];
  out[t] = p;
}

__constant__ float weights[9] = {0.5f, -1, 0.25f, 2, 4, -2, 1, 0.125f, -0.5f};
__device__ int table[4] = {10, 20, 30, 40};
KERNEL constant_filter(const float* in, float* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) {
      const int u = min(max(x + dx, 0), width - 1), v = min(max(y + dy, 0), height - 1);
      sum += weights[3 * (dy + 1) + dx + 1] * in[v * width + u];
    }
  out[y * width + x] = sum + weights[(x + y) % 9] + table[x & 3];
}

KERNEL to_upper(const char* in, char* out, short* lengths, int stride) {
  const char* text = in + threadIdx.x * stride;
  short length = 0;
  for (; text[length] != 0; ++length) {
    const char c = text[length];
    out[threadIdx.x * stride + length] = c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c;
  }
  out[threadIdx.x * stride + length] = 0;
  lengths[threadIdx.x] = -length;
}

KERNEL bytes_shared(const unsigned char* in, unsigned char* out, int n) {
  __shared__ unsigned char s[300];
  for (int i = threadIdx.x; i < n; i += blockDim.x) s[i] = in[i];
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = s[n - 1 - i] ^ s[(i * 3) % n];
}

// A pointer that is global in some lanes, shared in others and local in the rest.
KERNEL mixed_spaces(int* data, int* out) {
  __shared__ int s[64];
  int mine[4] = {100, 200, 300, 400};
  s[threadIdx.x] = threadIdx.x * 3;
  __syncthreads();
  int* p = threadIdx.x % 3 == 0 ? data + threadIdx.x : threadIdx.x % 3 == 1 ? s + threadIdx.x : mine + (threadIdx.x & 3);
  *p += 7;
  __syncthreads();
  out[threadIdx.x] = *p + s[threadIdx.x] + mine[threadIdx.x & 1];
}

// ---- atomics

KERNEL atomic_float_max(const float* in, float* out, int n) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n) return;
  int* at = reinterpret_cast<int*>(out);
  int old = *at;
  while (__int_as_float(old) < in[t]) {
    const int seen = atomicCAS(at, old, __float_as_int(in[t]));
    if (seen == old) break;
    old = seen;
  }
}

__device__ int lock_word;
KERNEL spin_lock(volatile int* total, int* order) {  // one thread a warp, then all lanes of the warp
  if (threadIdx.x % 32 == 0) {
    while (atomicCAS(&lock_word, 0, 1) != 0) {}
    __threadfence();
    const int n = *total;
    order[n] = blockIdx.x * 100 + threadIdx.x / 32;
    *total = n + 1;
    __threadfence();
    atomicExch(&lock_word, 0);
  }
}
KERNEL lane_lock(int* total) {  // each lane of the warp in turn: needs independent progress of the lanes
  __shared__ int lock;
  if (threadIdx.x == 0) lock = 0;
  __syncthreads();
  bool done = false;
  while (!done) {
    if (atomicCAS(&lock, 0, 1) == 0) {
      volatile int* t = total;
      *t = *t + 1;
      __threadfence();
      atomicExch(&lock, 0);
      done = true;
    }
  }
}
KERNEL plain_lane_lock(int* total) {  // the lane that got the lock waits for those that spin, unless they give way
  while (atomicCAS(&lock_word, 0, 1) != 0) {}
  *(volatile int*)total = *(volatile int*)total + 1;
  __threadfence();
  atomicExch(&lock_word, 0);
}

__device__ unsigned blocks_done;
KERNEL last_block_sums(const float* in, float* partial, float* out, int n) {
  __shared__ bool last;
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(kFull, sum, d);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = sum;
    __threadfence();
    last = atomicInc(&blocks_done, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    float total = 0;
    for (int b = 0; b < gridDim.x; ++b) total += ((volatile float*)partial)[b];
    *out = total;
  }
}

KERNEL atomics(int* i, unsigned* u, unsigned long long* l, float* f, double* d) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&i[0], t);
  atomicSub(&i[1], t);
  atomicMin(&i[2], -t);
  atomicMax(&i[3], t);
  atomicAnd(&u[0], ~(1u << (t % 32)) | 0xff);
  atomicOr(&u[1], 1u << (t % 32));
  atomicXor(&u[2], t);
  atomicInc(&u[3], 10);
  atomicDec(&u[4], 10);
  atomicAdd(&l[0], 1ull << 33);
  atomicMax(&l[1], (unsigned long long)t << 35);
  atomicAdd(&f[0], 0.5f);
  atomicAdd(&d[0], 0.25);
  const int before = atomicExch(&i[4 + t], t + 1);
  i[4 + t] += before;
}

// ---- barriers

// Warps 0 and 1 produce for warps 2 and 3 through two named barriers a stage.
KERNEL producer_consumer(const int* in, int* out, int stages) {
  __shared__ int buffer[2][64];
  const bool producer = threadIdx.x < 64;
  const int t = threadIdx.x % 64;
  for (int s = 0; s < stages; ++s) {
    const int full = 1 + s % 2, empty = 3 + s % 2;
    if (producer) {
      if (s >= 2) asm volatile("bar.sync %0, 128;" ::"r"(empty) : "memory");
      buffer[s % 2][t] = in[s * 64 + t] * 2;
      asm volatile("bar.arrive %0, 128;" ::"r"(full) : "memory");
    } else {
      asm volatile("bar.sync %0, 128;" ::"r"(full) : "memory");
      out[s * 64 + t] = buffer[s % 2][63 - t] + 1;
      if (s + 2 < stages) asm volatile("bar.arrive %0, 128;" ::"r"(empty) : "memory");
    }
  }
}
KERNEL barrier_reductions(const int* in, int* out) {
  const int v = in[threadIdx.x];
  const int count = __syncthreads_count(v > 3), all = __syncthreads_and(v > -100), any = __syncthreads_or(v == 5);
  out[threadIdx.x] = count * 100 + all * 10 + (any ? 1 : 0);
}
KERNEL half_barriers(int* out) {  // the halves of the block meet apart
  __shared__ int s[128];
  const int half = threadIdx.x / 64;
  s[threadIdx.x] = threadIdx.x;
  if (half == 0)
    asm volatile("bar.sync 1, 64;" ::: "memory");
  else
    asm volatile("bar.sync 2, 64;" ::: "memory");
  out[threadIdx.x] = s[half * 64 + 63 - threadIdx.x % 64];
}
KERNEL syncwarp_branches(int* out) {  // the two sides of a branch meet in two different calls
  __shared__ int s[32];
  const int t = threadIdx.x;
  if (t < 16) {
    s[t] = t * 2;
    __syncwarp();
    out[t] = s[t + 16];
  } else {
    s[t] = t * 3;
    __syncwarp();
    out[t] = s[t - 16] + 1;
  }
}

// ---- other number formats

KERNEL axpy_half2(const __half2* x, __half2* y, float a, int n) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < n) y[t] = __hfma2(__float2half2_rn(a), x[t], y[t]);
}
KERNEL axpy_bf16(const __nv_bfloat16* x, __nv_bfloat16* y, float a, int n) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < n) y[t] = __float2bfloat16(a * __bfloat162float(x[t]) + __bfloat162float(y[t]));
}

// ---- the matrix unit: C (16 x 8) = A (16 x K) * B (K x 8), one warp, row-major A and column-major B

KERNEL mma_f16(const __half* a, const __half* b, float* c) {
  const int g = threadIdx.x / 4, i = threadIdx.x % 4;
  const auto word = [](const __half* p) { return *reinterpret_cast<const unsigned*>(p); };
  float d[4] = {0, 0, 0, 0};
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(word(a + g * 16 + 2 * i)), "r"(word(a + (g + 8) * 16 + 2 * i)), "r"(word(a + g * 16 + 2 * i + 8)),
        "r"(word(a + (g + 8) * 16 + 2 * i + 8)), "r"(word(b + g * 16 + 2 * i)), "r"(word(b + g * 16 + 2 * i + 8)));
  c[g * 8 + 2 * i] = d[0], c[g * 8 + 2 * i + 1] = d[1], c[(g + 8) * 8 + 2 * i] = d[2], c[(g + 8) * 8 + 2 * i + 1] = d[3];
}
KERNEL mma_bf16(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c) {
  const int g = threadIdx.x / 4, i = threadIdx.x % 4;
  const auto word = [](const __nv_bfloat16* p) { return *reinterpret_cast<const unsigned*>(p); };
  float d[4] = {0, 0, 0, 0};
  asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(word(a + g * 16 + 2 * i)), "r"(word(a + (g + 8) * 16 + 2 * i)), "r"(word(a + g * 16 + 2 * i + 8)),
        "r"(word(a + (g + 8) * 16 + 2 * i + 8)), "r"(word(b + g * 16 + 2 * i)), "r"(word(b + g * 16 + 2 * i + 8)));
  c[g * 8 + 2 * i] = d[0], c[g * 8 + 2 * i + 1] = d[1], c[(g + 8) * 8 + 2 * i] = d[2], c[(g + 8) * 8 + 2 * i + 1] = d[3];
}
KERNEL mma_tf32(const float* a, const float* b, float* c) {  // K = 8
  const int g = threadIdx.x / 4, i = threadIdx.x % 4;
  const auto tf32 = [](float v) {
    unsigned r;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(r) : "f"(v));
    return r;
  };
  float d[4] = {0, 0, 0, 0};
  asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(tf32(a[g * 8 + i])), "r"(tf32(a[(g + 8) * 8 + i])), "r"(tf32(a[g * 8 + i + 4])),
        "r"(tf32(a[(g + 8) * 8 + i + 4])), "r"(tf32(b[g * 8 + i])), "r"(tf32(b[g * 8 + i + 4])));
  c[g * 8 + 2 * i] = d[0], c[g * 8 + 2 * i + 1] = d[1], c[(g + 8) * 8 + 2 * i] = d[2], c[(g + 8) * 8 + 2 * i + 1] = d[3];
}
// ldmatrix from shared memory into mma: A and B as above, K = 16.
KERNEL ldmatrix_mma(const __half* a, const __half* b, float* c) {
  __shared__ __align__(16) __half sa[16 * 16], sb[8 * 16];
  for (int k = threadIdx.x; k < 256; k += 32) sa[k] = a[k];
  for (int k = threadIdx.x; k < 128; k += 32) sb[k] = b[k];
  __syncwarp();
  unsigned fa[4], fb[2];
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(sa + (threadIdx.x % 16) * 16 + threadIdx.x / 16 * 8));
  asm("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
      : "=r"(fa[0]), "=r"(fa[1]), "=r"(fa[2]), "=r"(fa[3]) : "r"(at));
  const unsigned bt = static_cast<unsigned>(__cvta_generic_to_shared(sb + (threadIdx.x % 8) * 16 + threadIdx.x / 8 % 2 * 8));
  asm("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];" : "=r"(fb[0]), "=r"(fb[1]) : "r"(bt));
  float d[4] = {0, 0, 0, 0};
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[0]), "r"(fb[1]));
  const int g = threadIdx.x / 4, i = threadIdx.x % 4;
  c[g * 8 + 2 * i] = d[0], c[g * 8 + 2 * i + 1] = d[1], c[(g + 8) * 8 + 2 * i] = d[2], c[(g + 8) * 8 + 2 * i + 1] = d[3];
}
// C = A * B, 32 x 32 x K row-major, one warp for each 16 x 16 tile.
KERNEL wmma_gemm(const __half* a, const __half* b, float* c, int k) {
  using namespace nvcuda::wmma;
  const int row = threadIdx.x / 32 / 2 * 16, column = threadIdx.x / 32 % 2 * 16;
  fragment<matrix_a, 16, 16, 16, __half, row_major> fa;
  fragment<matrix_b, 16, 16, 16, __half, row_major> fb;
  fragment<accumulator, 16, 16, 16, float> fc;
  fill_fragment(fc, 0.0f);
  for (int s = 0; s < k; s += 16) {
    load_matrix_sync(fa, a + row * k + s, k);
    load_matrix_sync(fb, b + s * 32 + column, 32);
    mma_sync(fc, fa, fb, fc);
  }
  store_matrix_sync(c + row * 32 + column, fc, 32, mem_row_major);
}

// ---- cp.async

__device__ void copy_async(void* to, const void* from, int bytes) {
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(to));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(at), "l"(from), "r"(bytes) : "memory");
}
// Sums n tiles of blockDim.x values with `kStages` in flight; WAIT says how many groups may be unfinished.
template <int kWait>
__device__ void pipeline(const int* in, int* out, int n) {
  constexpr int kStages = 3;
  __shared__ int tiles[kStages][64];
  const int t = threadIdx.x;
  for (int s = 0; s < kStages - 1; ++s) {
    copy_async(&tiles[s][t], in + s * 64 + t, s < n ? 4 : 0);
    asm volatile("cp.async.commit_group;" ::: "memory");
  }
  int sum = 0;
  for (int s = 0; s < n; ++s) {
    const int next = s + kStages - 1;
    if (next < n) copy_async(&tiles[next % kStages][t], in + next * 64 + t, 4);
    asm volatile("cp.async.commit_group;" ::: "memory");
    asm volatile("cp.async.wait_group %0;" ::"n"(kWait) : "memory");
    __syncthreads();
    sum += tiles[s % kStages][63 - t];
    __syncthreads();
  }
  out[t] = sum;
}
KERNEL async_pipeline(const int* in, int* out, int n) { pipeline<2>(in, out, n); }
KERNEL async_pipeline_early(const int* in, int* out, int n) { pipeline<3>(in, out, n); }  // waits too little

// ---- output

KERNEL prints(int n) {
  if (threadIdx.x < n)
    printf("%d %5.2f %s %c %x|%-6d|%06u %lld %%\n", threadIdx.x, threadIdx.x * 0.5, "text", 'a' + threadIdx.x, 255, n, 42u,
           1ll << 40);
  if (threadIdx.x == 0) printf("block %d of %d\n", blockIdx.x, gridDim.x);
}
