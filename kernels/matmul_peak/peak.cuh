// What the steps of this ladder say to copies, to clusters and to barriers in shared memory: PTX instructions as functions, one each.
#pragma once

using u32 = unsigned;
using u64 = unsigned long long;

__device__ __forceinline__ u32 in_shared(const void* pointer) { return static_cast<u32>(__cvta_generic_to_shared(pointer)); }
__device__ __forceinline__ void copy4(float* to, const float* from) {
  *reinterpret_cast<float4*>(to) = *reinterpret_cast<const float4*>(from);
}

// ---- cp.async: 4 or 16 bytes from global to shared memory that pass no register; where !inside zeros, and nothing is read

template <int BYTES>
__device__ __forceinline__ void copy_async(float* to, const float* from, bool inside) {
  if constexpr (BYTES == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" :: "r"(in_shared(to)), "l"(from), "r"(inside ? 16 : 0) : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" :: "r"(in_shared(to)), "l"(from), "r"(inside ? 4 : 0) : "memory");
}
__device__ __forceinline__ void commit_group() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int PENDING>  // groups that may still be under way
__device__ __forceinline__ void wait_group() { asm volatile("cp.async.wait_group %0;" :: "n"(PENDING) : "memory"); }

// ---- clusters

// All threads of all blocks of the cluster have come here, and what they wrote before is there.
__device__ __forceinline__ void meet_cluster() {
  asm volatile("barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;" ::: "memory");
}
// The same place in another block of the cluster.
__device__ __forceinline__ float* in_block(float* pointer, int rank) {
  float* there;
  asm volatile("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(pointer), "r"(rank));
  return there;
}

// ---- barriers in shared memory: a phase ends when all have arrived

__device__ __forceinline__ void init_barrier(u64* barrier, int arrivals) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" :: "r"(in_shared(barrier)), "r"(arrivals) : "memory");
}
__device__ __forceinline__ void arrive(u64* barrier) {
  asm volatile("{ .reg .b64 token; mbarrier.arrive.shared.b64 token, [%0]; }" :: "r"(in_shared(barrier)) : "memory");
}
// Arrives once the copies that this thread has started are complete; the thread itself goes on.
__device__ __forceinline__ void arrive_after_copies(u64* barrier) {
  asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" :: "r"(in_shared(barrier)) : "memory");
}
// Waits until the phase of this parity is over: the first one is 0, and the one before it counts as over.
__device__ __forceinline__ void wait_parity(u64* barrier, int parity) {
  asm volatile("{ .reg .pred done; AGAIN: mbarrier.try_wait.parity.shared.b64 done, [%0], %1; @!done bra AGAIN; }"
               :: "r"(in_shared(barrier)), "r"(parity) : "memory");
}

// ---- registers: what one warp group gives back, another one can take

template <int REGISTERS>
__device__ __forceinline__ void give_registers() { asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" :: "n"(REGISTERS)); }
template <int REGISTERS>
__device__ __forceinline__ void take_registers() { asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" :: "n"(REGISTERS)); }

// ---- the result

// Four numbers of a row of C, as many of them as there are.
__device__ __forceinline__ void store4(float* C, const float* v, int row, int column, int M, int N) {
  if (row >= M) return;
  float* to = C + row * N + column;
  if (N % 4 == 0) {
    if (column < N) copy4(to, v);
  } else {
#pragma unroll
    for (int i = 0; i < 4; ++i)
      if (column + i < N) to[i] = v[i];
  }
}
