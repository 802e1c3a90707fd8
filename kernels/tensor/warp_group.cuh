// What the steps for compute capability 9.0a say to the hardware: tensor copies (TMA), barriers in shared memory, products of
// warp groups (wgmma). PTX instructions as functions, one each.
#pragma once

#include "tensor.cuh"

// Encoded by the driver from `maps` in the front matter; a kernel only passes its address on.
struct alignas(64) CUtensorMap {
  u64 opaque[16];
};

// ---- barriers in shared memory: a phase ends when all have arrived and all bytes have come

__device__ __forceinline__ void init_barrier(u64* barrier, int arrivals) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" :: "r"(in_shared(barrier)), "r"(arrivals) : "memory");
}
// Barriers are seen by copies, and by the other blocks of the cluster.
__device__ __forceinline__ void publish_barriers() { asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }
__device__ __forceinline__ u64 arrive(u64* barrier) {
  u64 token;
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(token) : "r"(in_shared(barrier)) : "memory");
  return token;
}
// One arrival, with the bytes that copies will bring in this phase.
__device__ __forceinline__ u64 arrive_expecting(u64* barrier, int bytes) {
  u64 token;
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 %0, [%1], %2;"
               : "=l"(token) : "r"(in_shared(barrier)), "r"(bytes) : "memory");
  return token;
}
// Arrives at the same barrier of another block of the cluster. Without a scope: one of the cluster (.release.cluster)
// would wait for all of the thread's stores each time, and what was read by products needs none of that.
__device__ __forceinline__ void arrive_at(u64* barrier, int rank) {
  asm volatile("{ .reg .b32 remote; mapa.shared::cluster.u32 remote, %0, %1;"
               " mbarrier.arrive.shared::cluster.b64 _, [remote]; }"
               :: "r"(in_shared(barrier)), "r"(rank) : "memory");
}
// Waits until the phase is over in which the token was given.
__device__ __forceinline__ void wait_for(u64* barrier, u64 token) {
  asm volatile("{ .reg .pred done; AGAIN: mbarrier.try_wait.shared.b64 done, [%0], %1; @!done bra AGAIN; }"
               :: "r"(in_shared(barrier)), "l"(token) : "memory");
}
// Waits until the phase of this parity is over: the first one is 0.
__device__ __forceinline__ void wait_parity(u64* barrier, int parity) {
  asm volatile("{ .reg .pred done; AGAIN: mbarrier.try_wait.parity.shared.b64 done, [%0], %1; @!done bra AGAIN; }"
               :: "r"(in_shared(barrier)), "r"(parity) : "memory");
}

// ---- tensor copies: one thread brings a box of the map's matrix, and the barrier hears of its bytes

__device__ __forceinline__ void load_box(void* to, const CUtensorMap* map, u64* barrier, int column, int row) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];"
               :: "r"(in_shared(to)), "l"(map), "r"(in_shared(barrier)), "r"(column), "r"(row) : "memory");
}
// To the same place in every block of the cluster whose bit is set.
__device__ __forceinline__ void load_box_for(unsigned short blocks, void* to, const CUtensorMap* map, u64* barrier, int column,
                                             int row) {
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
// What threads wrote to shared memory is there for copies and products, which read past them.
__device__ __forceinline__ void show_to_copies() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

// ---- products of a warp group: 128 threads multiply 64 x N x 16, A and B in shared memory

// Where a tile with rows of 128 bytes lies that the copy has swizzled: its address, and 1,024 bytes from one eight rows to
// the next; 1 in the two highest bits is the swizzle of 128 bytes.
__device__ __forceinline__ u64 descriptor_of(const bf16* tile) {
  return (u64{1} << 62) | (u64{1024 >> 4} << 32) | (u64{1} << 16) | ((in_shared(tile) & 0x3FFFF) >> 4);
}
__device__ __forceinline__ void begin_products() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ __forceinline__ void commit_products() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
template <int PENDING>
__device__ __forceinline__ void wait_for_products() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" :: "n"(PENDING) : "memory");
}
template <int REGISTERS>
__device__ __forceinline__ void give_registers() { asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" :: "n"(REGISTERS)); }
template <int REGISTERS>
__device__ __forceinline__ void take_registers() { asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" :: "n"(REGISTERS)); }

// ---- clusters

__device__ __forceinline__ int rank_in_cluster() {
  int rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}
__device__ __forceinline__ void meet_cluster() {
  asm volatile("barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

// The 128 threads of one consumer wait for each other; barrier 0 is that of __syncthreads().
__device__ __forceinline__ void sync_group(int consumer) {
  asm volatile("bar.sync %0, 128;" :: "r"(consumer + 1) : "memory");
}

// Lane l of a warp gives the address of row l % 8 of matrix l / 8, and two elements of row l / 4 of each.
__device__ __forceinline__ void store_matrices(u32 row_of_lane, u32 r0, u32 r1, u32 r2, u32 r3) {
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};"
               :: "r"(row_of_lane), "r"(r0), "r"(r1), "r"(r2), "r"(r3) : "memory");
}

// c: of column 8 i + 2 (l % 4) the lane l of warp w has in c[4 i] row 16 w + l / 4, in c[4 i + 2] the row 8 further down.
template <int N>
__device__ __forceinline__ void multiply_group(float (&c)[N / 2], u64 a, u64 b);
template <>
__device__ __forceinline__ void multiply_group<64>(float (&c)[32], u64 a, u64 b) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {"
               "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,"
               "%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31"
               "}, %32, %33, 1, 1, 1, 0, 0;"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]), "+f"(c[4]), "+f"(c[5]), "+f"(c[6]), "+f"(c[7]),
                 "+f"(c[8]), "+f"(c[9]), "+f"(c[10]), "+f"(c[11]), "+f"(c[12]), "+f"(c[13]), "+f"(c[14]), "+f"(c[15]),
                 "+f"(c[16]), "+f"(c[17]), "+f"(c[18]), "+f"(c[19]), "+f"(c[20]), "+f"(c[21]), "+f"(c[22]), "+f"(c[23]),
                 "+f"(c[24]), "+f"(c[25]), "+f"(c[26]), "+f"(c[27]), "+f"(c[28]), "+f"(c[29]), "+f"(c[30]), "+f"(c[31])
               : "l"(a), "l"(b));
}

template <>
__device__ __forceinline__ void multiply_group<128>(float (&c)[64], u64 a, u64 b) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 {"
               "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,"
               "%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31,"
               "%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,"
               "%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63"
               "}, %64, %65, 1, 1, 1, 0, 0;"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]), "+f"(c[4]), "+f"(c[5]), "+f"(c[6]), "+f"(c[7]),
                 "+f"(c[8]), "+f"(c[9]), "+f"(c[10]), "+f"(c[11]), "+f"(c[12]), "+f"(c[13]), "+f"(c[14]), "+f"(c[15]),
                 "+f"(c[16]), "+f"(c[17]), "+f"(c[18]), "+f"(c[19]), "+f"(c[20]), "+f"(c[21]), "+f"(c[22]), "+f"(c[23]),
                 "+f"(c[24]), "+f"(c[25]), "+f"(c[26]), "+f"(c[27]), "+f"(c[28]), "+f"(c[29]), "+f"(c[30]), "+f"(c[31]),
                 "+f"(c[32]), "+f"(c[33]), "+f"(c[34]), "+f"(c[35]), "+f"(c[36]), "+f"(c[37]), "+f"(c[38]), "+f"(c[39]),
                 "+f"(c[40]), "+f"(c[41]), "+f"(c[42]), "+f"(c[43]), "+f"(c[44]), "+f"(c[45]), "+f"(c[46]), "+f"(c[47]),
                 "+f"(c[48]), "+f"(c[49]), "+f"(c[50]), "+f"(c[51]), "+f"(c[52]), "+f"(c[53]), "+f"(c[54]), "+f"(c[55]),
                 "+f"(c[56]), "+f"(c[57]), "+f"(c[58]), "+f"(c[59]), "+f"(c[60]), "+f"(c[61]), "+f"(c[62]), "+f"(c[63])
               : "l"(a), "l"(b));
}

template <>
__device__ __forceinline__ void multiply_group<256>(float (&c)[128], u64 a, u64 b) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {"
               "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,"
               "%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31,"
               "%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,"
               "%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63,"
               "%64,%65,%66,%67,%68,%69,%70,%71,%72,%73,%74,%75,%76,%77,%78,%79,"
               "%80,%81,%82,%83,%84,%85,%86,%87,%88,%89,%90,%91,%92,%93,%94,%95,"
               "%96,%97,%98,%99,%100,%101,%102,%103,%104,%105,%106,%107,%108,%109,%110,%111,"
               "%112,%113,%114,%115,%116,%117,%118,%119,%120,%121,%122,%123,%124,%125,%126,%127"
               "}, %128, %129, 1, 1, 1, 0, 0;"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]), "+f"(c[4]), "+f"(c[5]), "+f"(c[6]), "+f"(c[7]),
                 "+f"(c[8]), "+f"(c[9]), "+f"(c[10]), "+f"(c[11]), "+f"(c[12]), "+f"(c[13]), "+f"(c[14]), "+f"(c[15]),
                 "+f"(c[16]), "+f"(c[17]), "+f"(c[18]), "+f"(c[19]), "+f"(c[20]), "+f"(c[21]), "+f"(c[22]), "+f"(c[23]),
                 "+f"(c[24]), "+f"(c[25]), "+f"(c[26]), "+f"(c[27]), "+f"(c[28]), "+f"(c[29]), "+f"(c[30]), "+f"(c[31]),
                 "+f"(c[32]), "+f"(c[33]), "+f"(c[34]), "+f"(c[35]), "+f"(c[36]), "+f"(c[37]), "+f"(c[38]), "+f"(c[39]),
                 "+f"(c[40]), "+f"(c[41]), "+f"(c[42]), "+f"(c[43]), "+f"(c[44]), "+f"(c[45]), "+f"(c[46]), "+f"(c[47]),
                 "+f"(c[48]), "+f"(c[49]), "+f"(c[50]), "+f"(c[51]), "+f"(c[52]), "+f"(c[53]), "+f"(c[54]), "+f"(c[55]),
                 "+f"(c[56]), "+f"(c[57]), "+f"(c[58]), "+f"(c[59]), "+f"(c[60]), "+f"(c[61]), "+f"(c[62]), "+f"(c[63]),
                 "+f"(c[64]), "+f"(c[65]), "+f"(c[66]), "+f"(c[67]), "+f"(c[68]), "+f"(c[69]), "+f"(c[70]), "+f"(c[71]),
                 "+f"(c[72]), "+f"(c[73]), "+f"(c[74]), "+f"(c[75]), "+f"(c[76]), "+f"(c[77]), "+f"(c[78]), "+f"(c[79]),
                 "+f"(c[80]), "+f"(c[81]), "+f"(c[82]), "+f"(c[83]), "+f"(c[84]), "+f"(c[85]), "+f"(c[86]), "+f"(c[87]),
                 "+f"(c[88]), "+f"(c[89]), "+f"(c[90]), "+f"(c[91]), "+f"(c[92]), "+f"(c[93]), "+f"(c[94]), "+f"(c[95]),
                 "+f"(c[96]), "+f"(c[97]), "+f"(c[98]), "+f"(c[99]), "+f"(c[100]), "+f"(c[101]), "+f"(c[102]), "+f"(c[103]),
                 "+f"(c[104]), "+f"(c[105]), "+f"(c[106]), "+f"(c[107]), "+f"(c[108]), "+f"(c[109]), "+f"(c[110]), "+f"(c[111]),
                 "+f"(c[112]), "+f"(c[113]), "+f"(c[114]), "+f"(c[115]), "+f"(c[116]), "+f"(c[117]), "+f"(c[118]), "+f"(c[119]),
                 "+f"(c[120]), "+f"(c[121]), "+f"(c[122]), "+f"(c[123]), "+f"(c[124]), "+f"(c[125]), "+f"(c[126]), "+f"(c[127])
               : "l"(a), "l"(b));
}
