// What these kernels say to the asynchronous hardware: PTX instructions as functions, one each.
#pragma once

using u32 = unsigned;
using u64 = unsigned long long;
struct bf16 { unsigned short bits; };
struct alignas(64) CUtensorMap { u64 opaque[16]; };

__device__ __forceinline__ u32 in_shared(const void* p) { return static_cast<u32>(__cvta_generic_to_shared(p)); }
__device__ __forceinline__ u32 as_bf16(float first, float second) {
  u32 both;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(second), "f"(first));
  return both;
}

__device__ __forceinline__ void init(u64* barrier, int arrivals) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" :: "r"(in_shared(barrier)), "r"(arrivals) : "memory");
}
__device__ __forceinline__ void publish() { asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }
__device__ __forceinline__ void arrive(u64* barrier) {
  asm volatile("{ .reg .b64 token; mbarrier.arrive.shared.b64 token, [%0]; }" :: "r"(in_shared(barrier)) : "memory");
}
__device__ __forceinline__ void arrive_at(u64* barrier, int rank) {
  asm volatile("{ .reg .b32 remote; mapa.shared::cluster.u32 remote, %0, %1;"
               " mbarrier.arrive.release.cluster.shared::cluster.b64 _, [remote]; }"
               :: "r"(in_shared(barrier)), "r"(rank) : "memory");
}
__device__ __forceinline__ void expect(u64* barrier, int bytes) {
  asm volatile("{ .reg .b64 token; mbarrier.arrive.expect_tx.shared.b64 token, [%0], %1; }"
               :: "r"(in_shared(barrier)), "r"(bytes) : "memory");
}
__device__ __forceinline__ void wait(u64* barrier, int parity) {
  asm volatile("{ .reg .pred done; AGAIN: mbarrier.try_wait.parity.shared.b64 done, [%0], %1; @!done bra AGAIN; }"
               :: "r"(in_shared(barrier)), "r"(parity) : "memory");
}

__device__ __forceinline__ void load_box(void* to, const CUtensorMap* map, u64* barrier, int column, int row) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];"
               :: "r"(in_shared(to)), "l"(map), "r"(in_shared(barrier)), "r"(column), "r"(row) : "memory");
}
__device__ __forceinline__ void load_box_for(unsigned short blocks, void* to, const CUtensorMap* map, u64* barrier, int column, int row) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster "
               "[%0], [%1, {%3, %4}], [%2], %5;"
               :: "r"(in_shared(to)), "l"(map), "r"(in_shared(barrier)), "r"(column), "r"(row), "h"(blocks) : "memory");
}
__device__ __forceinline__ void store_box(const CUtensorMap* map, const void* from, int column, int row) {
  asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%2, %3}], [%1];"
               :: "l"(map), "r"(in_shared(from)), "r"(column), "r"(row) : "memory");
}
__device__ __forceinline__ void commit_stores() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }
__device__ __forceinline__ void wait_for_stores() { asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory"); }
__device__ __forceinline__ void show_to_copies() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

// A tile with rows of 128 bytes, swizzled by 128 bytes, eight rows in 1,024 bytes.
__device__ __forceinline__ u64 descriptor_of(const bf16* tile) {
  return (u64{1} << 62) | (u64{1024 >> 4} << 32) | (u64{1} << 16) | ((in_shared(tile) & 0x3FFFF) >> 4);
}
__device__ __forceinline__ void fence_products() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ __forceinline__ void commit_products() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
template <int PENDING>
__device__ __forceinline__ void wait_for_products() { asm volatile("wgmma.wait_group.sync.aligned %0;" :: "n"(PENDING) : "memory"); }
template <int REGISTERS>
__device__ __forceinline__ void give_registers() { asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" :: "n"(REGISTERS)); }
template <int REGISTERS>
__device__ __forceinline__ void take_registers() { asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" :: "n"(REGISTERS)); }

__device__ __forceinline__ int rank_in_cluster() {
  int rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}
__device__ __forceinline__ void meet_cluster() {
  asm volatile("barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

// 64 x 8 x 16: c[2 half + i] has row 16 w + 8 half + l / 4 of column 2 (l % 4) + i.
__device__ __forceinline__ void multiply(float (&c)[4], u64 a, u64 b) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0,%1,%2,%3}, %4, %5, 1, 1, 1, 0, 0;"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]) : "l"(a), "l"(b));
}
// The same with A in registers, as mma has it.
__device__ __forceinline__ void multiply(float (&c)[4], u32 (&a)[4], u64 b) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0,%1,%2,%3}, {%4,%5,%6,%7}, %8, 1, 1, 1, 0;"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b));
}
