#include "engine/gpu/worker/transfer_kernels.hpp"

namespace warplens::gpu {

const char* const transfer_kernels_ptx =
    R"(.version 6.5
.target sm_75
.address_size 64
.visible .entry warplens_copy(.param .u64 to, .param .u64 from, .param .u64 count)
{
  .reg .pred %p;
  .reg .b32 %r<8>;
  .reg .b64 %rd<12>;
  ld.param.u64 %rd1, [to];
  ld.param.u64 %rd2, [from];
  ld.param.u64 %rd3, [count];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mov.u32 %r4, %nctaid.x;
  mad.wide.u32 %rd4, %r1, %r2, 0;
  cvt.u64.u32 %rd5, %r3;
  add.u64 %rd4, %rd4, %rd5;
  mul.wide.u32 %rd6, %r4, %r2;
again:
  setp.ge.u64 %p, %rd4, %rd3;
  @%p bra done;
  shl.b64 %rd7, %rd4, 4;
  add.u64 %rd8, %rd2, %rd7;
  add.u64 %rd9, %rd1, %rd7;
  ld.global.v4.u32 {%r4, %r5, %r6, %r7}, [%rd8];
  st.global.v4.u32 [%rd9], {%r4, %r5, %r6, %r7};
  add.u64 %rd4, %rd4, %rd6;
  bra again;
done:
  ret;
}
)"
    R"(.visible .entry warplens_work(.param .u64 data, .param .u32 count, .param .u32 rounds)
{
  .reg .pred %p;
  .reg .b32 %r<6>;
  .reg .f32 %f;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [data];
  ld.param.u32 %r1, [count];
  ld.param.u32 %r2, [rounds];
  mov.u32 %r3, %ctaid.x;
  mov.u32 %r4, %ntid.x;
  mov.u32 %r5, %tid.x;
  mad.lo.u32 %r3, %r3, %r4, %r5;
  setp.ge.u32 %p, %r3, %r1;
  @%p bra finish;
  mul.wide.u32 %rd2, %r3, 4;
  add.u64 %rd3, %rd1, %rd2;
  ld.global.f32 %f, [%rd3];
round:
  setp.eq.u32 %p, %r2, 0;
  @%p bra write;
  fma.rn.f32 %f, %f, 0f3F000000, 0f3F800000;
  sub.u32 %r2, %r2, 1;
  bra round;
write:
  st.global.f32 [%rd3], %f;
finish:
  ret;
}
)";

}  // namespace warplens::gpu
