// What the steps of this ladder say to the tensor cores and to the copies beside them: PTX instructions as functions, one each.
// TF32 is fp32 with 10 bits of fraction for 23. Its numbers lie in 32 bits, of which the tensor cores do not see the low 13.
#pragma once

using u32 = unsigned;

constexpr int CHUNK = 4;  // numbers in the 16 bytes that one thread copies, and in a row of a matrix that ldmatrix reads

__device__ __forceinline__ u32 in_shared(const void* pointer) { return static_cast<u32>(__cvta_generic_to_shared(pointer)); }

// Rounded to nearest; two that are as near go away from zero. Without it the low bits would be cut off: twice the error at most,
// and always towards zero.
__device__ __forceinline__ u32 as_tf32(u32 bits_of_fp32) {
  u32 rounded;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(rounded) : "f"(__uint_as_float(bits_of_fp32)));
  return rounded;
}

// Four matrices of 8 rows of 16 bytes, which are 4 numbers here: lane l gives the address of row l % 8 of matrix l / 8, and gets
// number l % 4 of row l / 4 of each.
__device__ __forceinline__ void load_matrices(u32 (&r)[4], u32 row_of_lane) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(row_of_lane) : "memory");
}
// A warp multiplies 16 x 8 x 8. c: rows l / 4 and l / 4 + 8, columns 2 (l % 4) and the next.
__device__ __forceinline__ void multiply(float (&c)[4], const u32 (&a)[4], u32 b0, u32 b1) {
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// ---- cp.async: 16 bytes from global to shared memory that pass no register; where !inside zeros

__device__ __forceinline__ void copy_async(u32 to, const float* from, bool inside) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" :: "r"(to), "l"(from), "r"(inside ? 16 : 0) : "memory");
}
__device__ __forceinline__ void commit_copies() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int PENDING>  // groups that may still be under way
__device__ __forceinline__ void wait_for_copies() { asm volatile("cp.async.wait_group %0;" :: "n"(PENDING) : "memory"); }
