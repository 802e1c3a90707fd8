// What the last steps of this ladder say to the tensor cores and to the copies beside them: PTX instructions as functions, one each.
// Tiles lie in shared memory as bytes, rows of A and columns of B along k.
#pragma once

using s8 = signed char;
using u32 = unsigned;

constexpr int CHUNK = 16;  // numbers in the 16 bytes that one thread copies, and in a row of a matrix of 8 x 8

__device__ __forceinline__ u32 in_shared(const void* pointer) { return static_cast<u32>(__cvta_generic_to_shared(pointer)); }

// Four matrices of 8 rows of 16 bytes: lane l gives the address of row l % 8 of matrix l / 8, and gets of each one
// bytes 4 (l % 4) to 4 (l % 4) + 3 of row l / 4. The instruction calls them 8 x 8 numbers of 16 bits; here each of these is two.
__device__ __forceinline__ void load_matrices(u32 (&r)[4], u32 row_of_lane) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(row_of_lane) : "memory");
}
// A warp multiplies 16 x 8 x 32. c: rows l / 4 and l / 4 + 8, columns 2 (l % 4) and the next.
__device__ __forceinline__ void multiply(int (&c)[4], const u32 (&a)[4], u32 b0, u32 b1) {
  asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// ---- cp.async: 16 bytes from global to shared memory that pass no register; where !inside zeros

__device__ __forceinline__ void copy_async(u32 to, const s8* from, bool inside) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" :: "r"(to), "l"(from), "r"(inside ? 16 : 0) : "memory");
}
__device__ __forceinline__ void commit_copies() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int PENDING>  // groups that may still be under way
__device__ __forceinline__ void wait_for_copies() { asm volatile("cp.async.wait_group %0;" :: "n"(PENDING) : "memory"); }
