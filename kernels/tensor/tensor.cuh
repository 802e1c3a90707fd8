// What the steps of this ladder say to the tensor cores and to the copies beside them: PTX instructions as functions, one each.
// Registers of a fragment are named by the PTX ISA; tiles lie in shared memory as bf16, rows of A and columns of B along k.
#pragma once

struct bf16 {
  unsigned short bits;
};
using u32 = unsigned;
using u64 = unsigned long long;

constexpr int CHUNK = 8;  // bf16 numbers in the 16 bytes that one thread copies, and in a row of a matrix of 8 x 8

__device__ __forceinline__ u32 in_shared(const void* pointer) { return static_cast<u32>(__cvta_generic_to_shared(pointer)); }

// Two sums as two bf16 numbers, the first one in the low half.
__device__ __forceinline__ u32 as_bf16(float first, float second) {
  u32 both;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(second), "f"(first));
  return both;
}

// ---- wmma: a warp multiplies 16 x 16 x 16, and which lane holds what is its own business

struct FragmentA { u32 r[4]; };
struct FragmentB { u32 r[4]; };
struct FragmentC { float r[8]; };

__device__ __forceinline__ void wmma_load_a(FragmentA& a, const bf16* from, int row_length) {
  asm volatile("wmma.load.a.sync.aligned.row.m16n16k16.bf16 {%0,%1,%2,%3}, [%4], %5;"
               : "=r"(a.r[0]), "=r"(a.r[1]), "=r"(a.r[2]), "=r"(a.r[3]) : "l"(from), "r"(row_length) : "memory");
}
__device__ __forceinline__ void wmma_load_b(FragmentB& b, const bf16* from, int column_length) {
  asm volatile("wmma.load.b.sync.aligned.col.m16n16k16.bf16 {%0,%1,%2,%3}, [%4], %5;"
               : "=r"(b.r[0]), "=r"(b.r[1]), "=r"(b.r[2]), "=r"(b.r[3]) : "l"(from), "r"(column_length) : "memory");
}
__device__ __forceinline__ void wmma_multiply(FragmentC& c, const FragmentA& a, const FragmentB& b) {
  asm volatile("wmma.mma.sync.aligned.row.col.m16n16k16.f32.bf16.bf16.f32 {%0,%1,%2,%3,%4,%5,%6,%7}, {%8,%9,%10,%11}, "
               "{%12,%13,%14,%15}, {%0,%1,%2,%3,%4,%5,%6,%7};"
               : "+f"(c.r[0]), "+f"(c.r[1]), "+f"(c.r[2]), "+f"(c.r[3]), "+f"(c.r[4]), "+f"(c.r[5]), "+f"(c.r[6]), "+f"(c.r[7])
               : "r"(a.r[0]), "r"(a.r[1]), "r"(a.r[2]), "r"(a.r[3]), "r"(b.r[0]), "r"(b.r[1]), "r"(b.r[2]), "r"(b.r[3]));
}
__device__ __forceinline__ void wmma_store(float* to, const FragmentC& c, int row_length) {
  asm volatile("wmma.store.d.sync.aligned.row.m16n16k16.f32 [%0], {%1,%2,%3,%4,%5,%6,%7,%8}, %9;"
               :: "l"(to), "f"(c.r[0]), "f"(c.r[1]), "f"(c.r[2]), "f"(c.r[3]), "f"(c.r[4]), "f"(c.r[5]), "f"(c.r[6]), "f"(c.r[7]),
                  "r"(row_length) : "memory");
}

// ---- mma and ldmatrix: a warp multiplies 16 x 8 x 16 with registers that have names

// Lane l gives the address of row l % 8 of matrix l / 8, and gets elements 2 (l % 4) and 2 (l % 4) + 1 of row l / 4 of each.
__device__ __forceinline__ void load_matrices(u32 (&r)[4], u32 row_of_lane) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(row_of_lane) : "memory");
}
// c: rows l / 4 and l / 4 + 8, columns 2 (l % 4) and the next.
__device__ __forceinline__ void multiply(float (&c)[4], const u32 (&a)[4], u32 b0, u32 b1) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// ---- cp.async: 16 bytes from global to shared memory that pass no register; where !inside zeros

__device__ __forceinline__ void copy_async(u32 to, const bf16* from, bool inside) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" :: "r"(to), "l"(from), "r"(inside ? 16 : 0) : "memory");
}
__device__ __forceinline__ void commit_copies() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int PENDING>  // groups that may still be under way
__device__ __forceinline__ void wait_for_copies() { asm volatile("cp.async.wait_group %0;" :: "n"(PENDING) : "memory"); }
