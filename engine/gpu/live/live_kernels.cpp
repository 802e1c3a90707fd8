#include "engine/gpu/live/live_kernels.hpp"

namespace warplens::gpu {

// clang-format off
// Made by nvcc from this text, for the oldest device that it still knows, and shortened by its comments:
//
//   struct Times { unsigned block, sm; unsigned long long begin, end; };
//   __device__ unsigned long long now() {
//     unsigned long long t;
//     asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
//     return t;
//   }
//
//   extern "C" __global__ void warplens_stamp(ulonglong2* ring, unsigned ends, unsigned begins) {
//     const unsigned long long t = now();
//     if (ends != ~0u) ring[ends].y = t;
//     if (begins != ~0u) ring[begins] = make_ulonglong2(t, 0);
//   }
//
//   // All threads find the first begin, then the first warp gives each block of its multiprocessor the first
//   // slot that is free: lane i knows when slot i is.
//   extern "C" __global__ void warplens_place(const Times* times, unsigned count, unsigned shown,
//                                             uint4* placed, unsigned* seen) {
//     __shared__ unsigned long long first_begin;
//     if (threadIdx.x == 0) first_begin = ~0ull;
//     __syncthreads();
//     unsigned long long first = ~0ull;
//     for (unsigned i = threadIdx.x; i < count; i += blockDim.x)
//       if (times[i].begin != 0) first = min(first, times[i].begin);
//     atomicMin(&first_begin, first);
//     __syncthreads();
//     if (threadIdx.x >= 32) return;
//     first = first_begin;
//     const unsigned lane = threadIdx.x;
//     unsigned free_at = 0, most = 0, last = 0;
//     #pragma unroll 1
//     for (unsigned base = 0; base < count; base += 32) {
//       const unsigned i = base + lane;
//       unsigned begin = 0, end = 0;
//       bool mine = false;
//       if (i < count) {
//         mine = times[i].sm == blockIdx.x && times[i].begin != 0 && times[i].end >= times[i].begin;
//         begin = (unsigned)(times[i].begin - first);
//         end = (unsigned)(times[i].end - first);
//       }
//       unsigned left = __ballot_sync(~0u, mine);
//       while (left != 0) {
//         const int source = __ffs(left) - 1;
//         left &= left - 1;
//         const unsigned b = __shfl_sync(~0u, begin, source), e = __shfl_sync(~0u, end, source);
//         const unsigned vacant = __ballot_sync(~0u, free_at <= b);
//         const unsigned slot = vacant == 0 ? 31 : __ffs(vacant) - 1;
//         if (lane == slot) free_at = e;
//         most = max(most, slot + 1);
//         last = max(last, e);
//         if (lane == 0 && base + source < shown)
//           placed[base + source] = make_uint4(blockIdx.x << 8 | slot, b, e, base + source);
//       }
//     }
//     if (lane == 0) {
//       atomicMax(&seen[0], last);
//       atomicMax(&seen[1], most);
//     }
//   }
// clang-format on
const char* const live_kernels_ptx =
    R"(.version 6.5
.target sm_75
.address_size 64
.visible .entry warplens_stamp(
  .param .u64 warplens_stamp_param_0,
  .param .u32 warplens_stamp_param_1,
  .param .u32 warplens_stamp_param_2
)
{
  .reg .pred 	%p<3>;
  .reg .b32 	%r<3>;
  .reg .b64 	%rd<10>;
  ld.param.u64 	%rd4, [warplens_stamp_param_0];
  ld.param.u32 	%r1, [warplens_stamp_param_1];
  ld.param.u32 	%r2, [warplens_stamp_param_2];
  cvta.to.global.u64 	%rd1, %rd4;
  mov.u64 %rd3, %globaltimer;
  setp.eq.s32 	%p1, %r1, -1;
  @%p1 bra 	$L__BB0_2;
  mul.wide.u32 	%rd5, %r1, 16;
  add.s64 	%rd6, %rd1, %rd5;
  st.global.u64 	[%rd6+8], %rd3;
$L__BB0_2:
  setp.eq.s32 	%p2, %r2, -1;
  @%p2 bra 	$L__BB0_4;
  mul.wide.u32 	%rd7, %r2, 16;
  add.s64 	%rd8, %rd1, %rd7;
  mov.u64 	%rd9, 0;
  st.global.v2.u64 	[%rd8], {%rd3, %rd9};
$L__BB0_4:
  ret;
}
)"
    R"(.visible .entry warplens_place(
  .param .u64 warplens_place_param_0,
  .param .u32 warplens_place_param_1,
  .param .u32 warplens_place_param_2,
  .param .u64 warplens_place_param_3,
  .param .u64 warplens_place_param_4
)
{
  .reg .pred 	%p<32>;
  .reg .b32 	%r<80>;
  .reg .b64 	%rd<34>;
  .shared .align 8 .u64 first_begin;
  ld.param.u64 	%rd12, [warplens_place_param_0];
  ld.param.u32 	%r37, [warplens_place_param_1];
  ld.param.u32 	%r38, [warplens_place_param_2];
  ld.param.u64 	%rd10, [warplens_place_param_3];
  ld.param.u64 	%rd11, [warplens_place_param_4];
  cvta.to.global.u64 	%rd1, %rd12;
  mov.u32 	%r1, %tid.x;
  setp.ne.s32 	%p3, %r1, 0;
  @%p3 bra 	$L__BB1_2;
  mov.u64 	%rd13, -1;
  st.shared.u64 	[first_begin], %rd13;
$L__BB1_2:
  bar.sync 	0;
  setp.ge.u32 	%p4, %r1, %r37;
  mov.u64 	%rd32, -1;
  @%p4 bra 	$L__BB1_5;
  mov.u64 	%rd32, -1;
  mov.u32 	%r2, %ntid.x;
  mov.u32 	%r63, %r1;
$L__BB1_4:
  mul.wide.u32 	%rd16, %r63, 24;
  add.s64 	%rd17, %rd1, %rd16;
  ld.global.u64 	%rd18, [%rd17+8];
  setp.ne.s64 	%p5, %rd18, 0;
  setp.gt.u64 	%p6, %rd32, %rd18;
  and.pred 	%p7, %p6, %p5;
  selp.b64 	%rd32, %rd18, %rd32, %p7;
  add.s32 	%r63, %r63, %r2;
  setp.lt.u32 	%p8, %r63, %r37;
  @%p8 bra 	$L__BB1_4;
$L__BB1_5:
  mov.u32 	%r39, first_begin;
  atom.shared.min.u64 	%rd19, [%r39], %rd32;
  bar.sync 	0;
  setp.gt.u32 	%p9, %r1, 31;
  @%p9 bra 	$L__BB1_20;
  setp.eq.s32 	%p10, %r37, 0;
  mov.u32 	%r76, 0;
  mov.u32 	%r77, %r76;
  @%p10 bra 	$L__BB1_18;
  ld.shared.u64 	%rd5, [first_begin];
  mov.u32 	%r45, 0;
  mov.u32 	%r5, %ctaid.x;
  shl.b32 	%r6, %r5, 8;
  cvta.to.global.u64 	%rd6, %rd10;
  mov.u32 	%r64, %r45;
  mov.u32 	%r77, %r45;
  mov.u32 	%r76, %r45;
  mov.u32 	%r75, %r45;
$L__BB1_8:
  .pragma "nounroll";
  add.s32 	%r11, %r64, %r1;
  setp.ge.u32 	%p11, %r11, %r37;
  mov.u32 	%r68, %r45;
  mov.u32 	%r69, %r45;
  mov.u32 	%r70, %r45;
  @%p11 bra 	$L__BB1_13;
  mul.wide.u32 	%rd20, %r11, 24;
  add.s64 	%rd21, %rd1, %rd20;
  add.s64 	%rd7, %rd21, 4;
  ld.global.u32 	%r49, [%rd21+4];
  setp.ne.s32 	%p13, %r49, %r5;
  ld.global.u64 	%rd8, [%rd21+8];
  mov.pred 	%p31, 0;
  mov.u64 	%rd33, %rd8;
  @%p13 bra 	$L__BB1_12;
  setp.eq.s64 	%p15, %rd8, 0;
  mov.u64 	%rd33, 0;
  @%p15 bra 	$L__BB1_12;
  ld.global.u64 	%rd23, [%rd7+12];
  setp.ge.u64 	%p31, %rd23, %rd8;
  mov.u64 	%rd33, %rd8;
$L__BB1_12:
  selp.u32 	%r70, 1, 0, %p31;
  sub.s64 	%rd24, %rd33, %rd5;
  cvt.u32.u64 	%r68, %rd24;
  ld.global.u64 	%rd25, [%rd7+12];
  sub.s64 	%rd26, %rd25, %rd5;
  cvt.u32.u64 	%r69, %rd26;
$L__BB1_13:
  setp.ne.s32 	%p16, %r70, 0;
  mov.u32 	%r50, -1;
  vote.sync.ballot.b32 	%r71, %p16, %r50;
  setp.eq.s32 	%p18, %r71, 0;
  @%p18 bra 	$L__BB1_17;
$L__BB1_14:
  brev.b32 	%r51, %r71;
  bfind.shiftamt.u32 	%r52, %r51;
  add.s32 	%r53, %r71, -1;
  mov.u32 	%r54, -1;
  and.b32 	%r71, %r53, %r71;
  mov.u32 	%r55, 31;
  shfl.sync.idx.b32 	%r24|%p19, %r68, %r52, %r55, %r54;
  shfl.sync.idx.b32 	%r25|%p20, %r69, %r52, %r55, %r54;
  setp.le.u32 	%p21, %r75, %r24;
  vote.sync.ballot.b32 	%r56, %p21, %r54;
  setp.eq.s32 	%p23, %r56, 0;
  brev.b32 	%r57, %r56;
  bfind.shiftamt.u32 	%r58, %r57;
  selp.b32 	%r26, 31, %r58, %p23;
  setp.eq.s32 	%p24, %r1, %r26;
  selp.b32 	%r75, %r25, %r75, %p24;
  add.s32 	%r59, %r26, 1;
  max.u32 	%r76, %r76, %r59;
  max.u32 	%r77, %r77, %r25;
  add.s32 	%r30, %r52, %r64;
  setp.ge.u32 	%p25, %r30, %r38;
  or.pred 	%p27, %p3, %p25;
  @%p27 bra 	$L__BB1_16;
  mul.wide.u32 	%rd27, %r30, 16;
  add.s64 	%rd28, %rd6, %rd27;
  or.b32 	%r60, %r26, %r6;
  st.global.v4.u32 	[%rd28], {%r60, %r24, %r25, %r30};
$L__BB1_16:
  setp.ne.s32 	%p28, %r71, 0;
  @%p28 bra 	$L__BB1_14;
$L__BB1_17:
  add.s32 	%r64, %r64, 32;
  setp.lt.u32 	%p29, %r64, %r37;
  @%p29 bra 	$L__BB1_8;
$L__BB1_18:
  @%p3 bra 	$L__BB1_20;
  cvta.to.global.u64 	%rd29, %rd11;
  atom.global.max.u32 	%r61, [%rd29], %r77;
  add.s64 	%rd30, %rd29, 4;
  atom.global.max.u32 	%r62, [%rd30], %r76;
$L__BB1_20:
  ret;
}
)";

}  // namespace warplens::gpu
