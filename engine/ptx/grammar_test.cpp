// One line of PTX an instruction form, and the canonical text of what was read: every row of the grammar has
// a case. The texts were accepted by ptxas 13.0 for sm_100a.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "engine/ptx/grammar.hpp"
#include "engine/ptx/parser.hpp"
#include "engine/ptx/print.hpp"
#include "engine/ptx/testing/check.hpp"

namespace warplens::ptx {
namespace {

constexpr std::string_view kHead = R"(
.version 8.8
.target sm_100a
.address_size 64
.global .align 8 .b8 data[64];
.const .align 8 .b8 table[64];
.func (.param .b32 result) callee (.param .b32 first) { ret; }
.func callee_two (.param .b32 first, .param .b64 second) { ret; }
.func callee_none () { ret; }
.visible .entry k(.param .align 8 .b8 k_param_0[16], .param .u64 k_param_1) {
.local .align 16 .b8 depot[32]; .shared .align 16 .b8 buffer[256];
.reg .pred %p<4>; .reg .b16 %h<8>; .reg .b32 %r<10>; .reg .b64 %rd<8>; .reg .f32 %f<10>; .reg .f64 %fd<8>;
.param .b32 result; .param .b32 first; .param .b64 second;
prototype: .callprototype (.param .b32 _) _ (.param .b32 _);
targets: .branchtargets BEGIN, END;
BEGIN:
)";

struct Case {
  std::string_view text;
  std::string_view canonical = "";  // empty: the text itself
};

// clang-format off
constexpr Case kCases[] = {
    {"add.s32 %r1, %r2, -8"},
    {"add.s64 %rd1, %rd2, -8"},
    {"add.u32 %r1, %r2, -1",
     "add.u32 %r1, %r2, 0xffffffff"},
    {"add.sat.s32 %r1, %r2, %r3"},
    {"add.cc.u32 %r1, %r2, %r3"},
    {"add.u16x2 %r1, %r2, %r3"},
    {"add.rn.ftz.sat.f32 %f1, %f2, 0f3F800000"},
    {"add.rz.f64 %fd1, %fd2, 0d3FF0000000000000"},
    {"add.f64 %fd1, %fd2, 0.1",
     "add.f64 %fd1, %fd2, 0d3FB999999999999A"},
    {"add.f16 %h1, %h2, %h3"},
    {"add.rn.ftz.sat.f16x2 %r1, %r2, %r3"},
    {"add.rn.bf16x2 %r1, %r2, %r3"},
    {"add.rn.f32.bf16 %f1, %h2, %f3"},
    {"add.rn.f32x2 %rd1, %rd2, %rd3"},
    {"sub.s16 %h1, %h2, -3"},
    {"sub.cc.u32 %r1, %r2, %r3"},
    {"sub.rm.f32 %f1, %f2, %f3"},
    {"mul.lo.s32 %r1, %r2, 0x7FFFFFFF",
     "mul.lo.s32 %r1, %r2, 2147483647"},
    {"mul.hi.u64 %rd1, %rd2, %rd3"},
    {"mul.wide.s32 %rd1, %r2, -4"},
    {"mul.wide.u16 %r1, %h2, 65535",
     "mul.wide.u16 %r1, %h2, 0xffff"},
    {"mul.rn.f32 %f1, %f2, %f3"},
    {"mul.f16x2 %r1, %r2, %r3"},
    {"mad.lo.s32 %r1, %r2, %r3, -1"},
    {"mad.wide.u32 %rd1, %r2, 4, %rd3"},
    {"mad.lo.cc.u32 %r1, %r2, %r3, %r4"},
    {"mad.hi.sat.s32 %r1, %r2, %r3, %r4"},
    {"addc.cc.u32 %r1, %r2, 0"},
    {"addc.u64 %rd1, %rd2, %rd3"},
    {"subc.u32 %r1, %r2, %r3"},
    {"madc.hi.cc.u32 %r1, %r2, %r3, %r4"},
    {"mul24.lo.s32 %r1, %r2, %r3"},
    {"mad24.hi.sat.s32 %r1, %r2, %r3, %r4"},
    {"sad.u32 %r1, %r2, %r3, %r4"},
    {"div.s32 %r1, %r2, %r3"},
    {"div.full.ftz.f32 %f1, %f2, %f3"},
    {"div.approx.f32 %f1, %f2, %f3"},
    {"div.rn.f64 %fd1, %fd2, %fd3"},
    {"rem.u64 %rd1, %rd2, 10"},
    {"abs.s32 %r1, %r2"},
    {"abs.ftz.f32 %f1, %f2"},
    {"abs.f16x2 %r1, %r2"},
    {"neg.s64 %rd1, %rd2"},
    {"neg.f64 %fd1, %fd2"},
    {"neg.bf16 %h1, %h2"},
    {"min.s32 %r1, %r2, -2147483648"},
    {"min.ftz.NaN.f32 %f1, %f2, %f3"},
    {"min.xorsign.abs.f32 %f1, %f2, %f3"},
    {"max.NaN.f16x2 %r1, %r2, %r3"},
    {"max.relu.s16x2 %r1, %r2, %r3"},
    {"max.f32 %f1, %f2, %f3, %f4"},
    {"max.u64 %rd1, %rd2, 0xFFFFFFFFFFFFFFFF",
     "max.u64 %rd1, %rd2, 0xffffffffffffffff"},
    {"popc.b64 %r1, %rd2"},
    {"clz.b32 %r1, %r2"},
    {"bfind.shiftamt.u32 %r1, %r2"},
    {"bfind.s64 %r1, %rd2"},
    {"fns.b32 %r1, %r2, 0, -1",
     "fns.b32 %r1, %r2, 0, 0xffffffff"},
    {"brev.b64 %rd1, %rd2"},
    {"bfe.s64 %rd1, %rd2, 3, 5"},
    {"bfi.b64 %rd1, %rd2, %rd3, %r4, 8"},
    {"szext.clamp.s32 %r1, %r2, 7"},
    {"bmsk.wrap.b32 %r1, 3, %r2"},
    {"dp4a.u32.s32 %r1, %r2, %r3, -5",
     "dp4a.u32.s32 %r1, %r2, %r3, 4294967291"},
    {"dp2a.hi.s32.u32 %r1, %r2, %r3, %r4"},
    {"testp.notanumber.f32 %p1, %f2"},
    {"copysign.f64 %fd1, %fd2, %fd3"},
    {"fma.rn.ftz.sat.f32 %f1, %f2, %f3, 0fBF800000"},
    {"fma.rp.f64 %fd1, %fd2, %fd3, %fd4"},
    {"fma.rn.relu.f16x2 %r1, %r2, %r3, %r4"},
    {"fma.rn.f32.f16 %f1, %h1, %h2, %f3"},
    {"rcp.approx.ftz.f32 %f1, %f2"},
    {"rcp.rn.f64 %fd1, %fd2"},
    {"sqrt.approx.f32 %f1, %f2"},
    {"sqrt.rz.ftz.f32 %f1, %f2"},
    {"rsqrt.approx.ftz.f64 %fd1, %fd2"},
    {"sin.approx.ftz.f32 %f1, %f2"},
    {"cos.approx.f32 %f1, %f2"},
    {"lg2.approx.f32 %f1, %f2"},
    {"ex2.approx.ftz.f32 %f1, %f2"},
    {"ex2.approx.f16x2 %r1, %r2"},
    {"tanh.approx.bf16 %h1, %h2"},
    {"set.eq.u32.f16x2 %r1, %r2, %r3"},
    {"set.lt.and.ftz.f32.f32 %f1, %f2, 0f3F800000, !%p1"},
    {"setp.lt.s32 %p1, %r2, -5"},
    {"setp.hs.u64 %p1, %rd2, 7"},
    {"setp.geu.ftz.f32 %p1|%p2, %f2, 0f7F800000"},
    {"setp.ne.or.b16 %p1|_, %h2, 0xFFFF, !%p3",
     "setp.ne.or.b16 %p1|_, %h2, 0xffff, !%p3"},
    {"setp.nan.f64 %p1, %fd2, %fd3"},
    {"setp.gt.f16x2 %p1|%p2, %r2, %r3"},
    {"selp.f32 %f1, 0f3F800000, 0f00000000, %p1"},
    {"selp.b64 %rd1, %rd2, -1, %p1",
     "selp.b64 %rd1, %rd2, 0xffffffffffffffff, %p1"},
    {"slct.f64.s32 %fd1, %fd2, %fd3, -1"},
    {"slct.ftz.u32.f32 %r1, %r2, 9, %f1"},
    {"and.b32 %r1, %r2, 0xFF",
     "and.b32 %r1, %r2, 255"},
    {"and.pred %p1, %p2, %p3"},
    {"or.b16 %h1, %h2, -1",
     "or.b16 %h1, %h2, 0xffff"},
    {"xor.pred %p1, %p2, %p3"},
    {"not.b64 %rd1, %rd2"},
    {"cnot.b32 %r1, %r2"},
    {"lop3.b32 %r1, %r2, %r3, %r4, 0x96",
     "lop3.b32 %r1, %r2, %r3, %r4, 150"},
    {"lop3.and.b32 %r1|%p1, %r2, %r3, %r4, 0xE8, %p2",
     "lop3.and.b32 %r1|%p1, %r2, %r3, %r4, 232, %p2"},
    {"shf.l.clamp.b32 %r1, %r2, %r3, 31"},
    {"shf.r.wrap.b32 %r1, %r2, %r3, %r4"},
    {"shl.b64 %rd1, %rd2, 3"},
    {"shr.s16 %h1, %h2, %r3"},
    {"shr.u32 %r1, %r2, 31"},
    {"mov.b32 %r1, -1",
     "mov.b32 %r1, 0xffffffff"},
    {"mov.u16 %h1, 0x3C00",
     "mov.u16 %h1, 0x3c00"},
    {"mov.f32 %f1, 0f3F800000"},
    {"mov.f32 %f1, -1.5",
     "mov.f32 %f1, 0fBFC00000"},
    {"mov.b32 %r1, 0f40490FDB",
     "mov.b32 %r1, 0x40490fdb"},
    {"mov.f64 %fd1, 0d400921FB54442D18"},
    {"mov.pred %p1, %p2"},
    {"mov.u32 %r1, 017",
     "mov.u32 %r1, 15"},
    {"mov.u32 %r1, 0b101",
     "mov.u32 %r1, 5"},
    {"mov.b64 %rd1, {%r2, 7}"},
    {"mov.b64 {%r1, _}, %rd2"},
    {"mov.b64 {%h1, %h2, %h3, %h4}, %fd2"},
    {"mov.b32 %f1, {0, %h2}"},
    {"mov.u64 %rd1, data"},
    {"mov.u64 %rd1, data+8"},
    {"mov.u64 %rd1, table"},
    {"mov.u64 %rd1, k_param_1"},
    {"mov.b64 %rd1, depot"},
    {"mov.u64 %rd1, callee"},
    {"mov.u32 %r1, %ctaid.z"},
    {"mov.u64 %rd1, %clock64"},
    {"mov.u64 %rd1, %globaltimer"},
    {"mov.u32 %r1, %lanemask_lt"},
    {"mov.u32 %r1, WARP_SZ"},
    {"shfl.sync.bfly.b32 %r1|%p1, %r2, 16, 31, -1",
     "shfl.sync.bfly.b32 %r1|%p1, %r2, 16, 31, 0xffffffff"},
    {"shfl.sync.down.b32 %f1, %f2, %r2, 31, 0xFFFFFFFF",
     "shfl.sync.down.b32 %f1, %f2, %r2, 31, 0xffffffff"},
    {"prmt.b32 %r1, %r2, %r3, 0x5410"},
    {"prmt.b32.rc16 %r1, %r2, %r3, %r4",
     "prmt.rc16.b32 %r1, %r2, %r3, %r4"},
    {"ld.global.f32 %f1, [%rd1]"},
    {"ld.global.nc.L1::no_allocate.L2::128B.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1+-16]",
     "ld.global.nc.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1-16]"},
    {"ld.global.v2.f64 {%fd1, %fd2}, [%rd1+16]"},
    {"ld.volatile.shared.u8 %h1, [buffer+3]"},
    {"ld.relaxed.gpu.global.L1::evict_last.s64 %rd1, [%rd2]",
     "ld.volatile.global.s64 %rd1, [%rd2]"},
    {"ld.acquire.sys.b32 %r1, [%rd2]",
     "ld.volatile.b32 %r1, [%rd2]"},
    {"ld.weak.global.ca.u16 %r1, [%rd2]",
     "ld.global.ca.u16 %r1, [%rd2]"},
    {"ld.shared::cta.v4.f32 {%f1, %f2, %f3, _}, [%r1+32]",
     "ld.shared.v4.f32 {%f1, %f2, %f3, _}, [%r1+32]"},
    {"ld.const.f64 %fd1, [table+8]"},
    {"ld.local.s8 %r1, [depot]"},
    {"ld.param.u64 %rd1, [k_param_0+4]"},
    {"ld.global.L2::cache_hint.b32 %r1, [%rd1], %rd2",
     "ld.global.b32 %r1, [%rd1]"},
    {"ldu.global.v2.u32 {%r1, %r2}, [%rd1]"},
    {"st.global.wt.f32 [%rd1+4], %f1"},
    {"st.shared.v2.b16 [%r1], {%h1, 7}"},
    {"st.local.f32 [0x40], 0f3F800000"},
    {"st.release.gpu.global.u32 [%rd1], 1",
     "st.volatile.global.u32 [%rd1], 1"},
    {"st.volatile.global.b8 [%rd1], %r2"},
    {"prefetch.global.L2 [%rd1+128]",
     "prefetch.global [%rd1+128]"},
    {"prefetchu.L1 [%rd1]",
     "prefetchu [%rd1]"},
    {"applypriority.global.L2::evict_normal [%rd1], 128",
     "applypriority.global [%rd1], 128"},
    {"discard.global.L2 [%rd1], 128",
     "discard.global [%rd1], 128"},
    {"isspacep.shared %p1, %rd1"},
    {"cvta.to.global.u64 %rd1, %rd2"},
    {"cvta.local.u64 %rd1, depot"},
    {"cvta.shared.u64 %rd1, %rd2"},
    {"cvt.rzi.s32.f32 %r1, %f1"},
    {"cvt.rn.f16.f32 %h1, %f1"},
    {"cvt.rn.bf16x2.f32 %r1, %f1, %f2"},
    {"cvt.rn.relu.f16x2.f32 %r1, %f1, %f2"},
    {"cvt.rna.tf32.f32 %r1, %f1"},
    {"cvt.rn.satfinite.e4m3x2.f32 %h1, %f1, %f2"},
    {"cvt.rn.relu.f16x2.e5m2x2 %r1, %h1"},
    {"mov.u32 %r1, %cluster_ctarank"},
    {"mov.pred %p1, %is_explicit_cluster"},
    {"cvt.sat.s8.s32 %h1, %r1"},
    {"cvt.u64.u32 %rd1, %r1"},
    {"cvt.ftz.sat.f32.f32 %f1, %f2"},
    {"cvt.s16.s8 %h1, %r2"},
    {"cvt.pack.sat.u8.s32.b32 %r1, %r2, %r3, %r4",
     "cvt.pack.sat.u8.s32 %r1, %r2, %r3, %r4"},
    {"cvt.pack.sat.s16.s32 %r1, %r2, %r3"},
    {"mapa.shared::cluster.u32 %r1, %r2, %r3",
     "mapa.shared.u32 %r1, %r2, %r3"},
    {"getctarank.u64 %r1, %rd2"},
    {"cp.async.cg.shared.global.L2::128B [%r1], [%rd1], 16",
     "cp.async.global.cg [%r1], [%rd1], 16"},
    {"cp.async.ca.shared::cta.global [%r1+4], [%rd1+4], 4, %r2",
     "cp.async.global.ca [%r1+4], [%rd1+4], 4, %r2"},
    {"cp.async.commit_group"},
    {"cp.async.wait_group 2"},
    {"cp.async.wait_all"},
    {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1], %r2, [%r3]",
     "cp.async.bulk.global [%r1], [%rd1], %r2, [%r3]"},
    {"cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r1], 128",
     "cp.async.bulk.shared [%rd1], [%r1], 128"},
    {"cp.async.bulk.commit_group"},
    {"cp.async.bulk.wait_group.read 0",
     "cp.async.bulk.wait_group 0"},
    {"bra.uni END",
     "bra.uni L1"},
    {"@!%p1 bra END",
     "@!%p1 bra L1"},
    {"brx.idx %r1, targets",
     "brx.idx %r1, T0"},
    {"call.uni (result), callee, (first)"},
    {"call callee_two, (first, second)"},
    {"call callee_none",
     "call callee_none, ()"},
    {"call (result), %rd1, (first), prototype",
     "call (result), %rd1, (first)"},
    {"ret"},
    {"@%p1 ret.uni"},
    {"exit"},
    {"bar.sync 0"},
    {"bar.cta.sync 1, 64",
     "bar.sync 1, 64"},
    {"barrier.sync %r1, %r2",
     "bar.sync %r1, %r2"},
    {"barrier.cta.sync.aligned 1",
     "bar.sync 1"},
    {"bar.arrive 2, 64"},
    {"bar.cta.arrive 2, 64",
     "bar.arrive 2, 64"},
    {"barrier.arrive 2, 64",
     "bar.arrive 2, 64"},
    {"barrier.cta.arrive %r1, %r2",
     "bar.arrive %r1, %r2"},
    {"bar.red.popc.u32 %r1, 0, !%p1"},
    {"bar.cta.red.and.pred %p1, 1, 64, %p2",
     "bar.red.and.pred %p1, 1, 64, %p2"},
    {"barrier.red.or.pred %p1, 0, %p2",
     "bar.red.or.pred %p1, 0, %p2"},
    {"barrier.cta.red.popc.u32 %r1, 0, %p1",
     "bar.red.popc.u32 %r1, 0, %p1"},
    {"bar.warp.sync -1",
     "bar.warp.sync 0xffffffff"},
    {"membar.gl",
     "membar"},
    {"fence.acq_rel.gpu",
     "fence.volatile"},
    {"fence.sc.cta",
     "fence"},
    {"fence.proxy.async"},
    {"atom.global.add.f32 %f1, [%rd1], 0f3F800000"},
    {"atom.acq_rel.gpu.global.cas.b32 %r1, [%rd1], 1, 2",
     "atom.volatile.global.cas.b32 %r1, [%rd1], 1, 2"},
    {"atom.shared.cas.b16 %h1, [buffer], %h2, %h3"},
    {"atom.global.add.noftz.f16x2 %r1, [%rd1], %r2",
     "atom.global.add.f16x2 %r1, [%rd1], %r2"},
    {"atom.shared.exch.b64 %rd1, [%r1+8], 5"},
    {"atom.global.inc.u32 _, [%rd1], 31"},
    {"atom.min.s64 %rd1, [%rd2], -1"},
    {"atom.global.v4.f32.add {%f1, %f2, %f3, %f4}, [%rd1], {%f5, %f6, %f7, %f8}",
     "atom.global.add.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1], {%f5, %f6, %f7, %f8}"},
    {"red.relaxed.gpu.global.add.u64 [%rd1], 1",
     "red.volatile.global.add.u64 [%rd1], 1"},
    {"red.shared.xor.b32 [buffer+4], %r1"},
    {"red.global.add.f64 [%rd1], %fd1"},
    {"vote.sync.ballot.b32 %r1, %p1, -1",
     "vote.sync.ballot.b32 %r1, %p1, 0xffffffff"},
    {"vote.sync.all.pred %p1, !%p2, %r1"},
    {"match.any.sync.b64 %r1, %rd2, -1",
     "match.sync.any.b64 %r1, %rd2, 0xffffffff"},
    {"match.all.sync.b32 %r1|%p1, %r2, %r3",
     "match.sync.all.b32 %r1|%p1, %r2, %r3"},
    {"activemask.b32 %r1"},
    {"redux.sync.add.s32 %r1, %r2, -1",
     "redux.sync.add.s32 %r1, %r2, 4294967295"},
    {"redux.sync.xor.b32 %r1, %r2, %r3"},
    {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r1], [%rd1], 64, [%r2], %h1",
     "cp.async.bulk.global [%r1], [%rd1], 64, [%r2], %h1"},
    {"cp.async.bulk.prefetch.L2.global [%rd1], 64",
     "cp.async.bulk.prefetch.global [%rd1], 64"},
    {"cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%rd1], [%r1], 64",
     "cp.reduce.async.bulk.shared.add.f32 [%rd1], [%r1], 64"},
    {"cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1, {%r2, %r3}], [%r4]",
     "cp.async.bulk.tensor.global.2d [%r1], [%rd1, {%r2, %r3}], [%r4]"},
    {"cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint [%r1], [%rd1, {%r2, 0, 8}], [%r4], %h1, %rd2",
     "cp.async.bulk.tensor.global.3d [%r1], [%rd1, {%r2, 0, 8}], [%r4], %h1"},
    {"cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [%rd1, {%r2}], [%r4]",
     "cp.async.bulk.tensor.shared.1d [%rd1, {%r2}], [%r4]"},
    {"cp.async.bulk.prefetch.tensor.2d.L2.global [%rd1, {%r2, %r3}]",
     "cp.async.bulk.prefetch.tensor.global.2d [%rd1, {%r2, %r3}]"},
    {"cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.bulk_group [%rd1, {%r2, %r3}], [%r4]",
     "cp.reduce.async.bulk.tensor.shared.2d.add [%rd1, {%r2, %r3}], [%r4]"},
    {"fence.proxy.async.shared::cta",
     "fence.proxy.async"},
    {"mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, {%r1, %r2, %r3, %r4}, {%r5, %r6, %r7, %r8}, {%f1, %f2, %f3, %f4}, %r9, 0",
     "mma.sp.sync.m16n8k32.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, {%r1, %r2, %r3, %r4}, {%r5, %r6, %r7, %r8}, {%f1, %f2, %f3, %f4}, %r9, 0"},
    {"mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.s32.s8.s8.s32 {%r1, %r2, %r3, %r4}, {%r1, %r2, %r3, %r4}, {%r5, %r6, %r7, %r8}, {%r1, %r2, %r3, %r4}, %r9, 0",
     "mma.sp.sync.m16n8k64.row.col.s32.s8.s8.s32 {%r1, %r2, %r3, %r4}, {%r1, %r2, %r3, %r4}, {%r5, %r6, %r7, %r8}, {%r1, %r2, %r3, %r4}, %r9, 0"},
    // Those of warp groups and setmaxnreg by ptxas for sm_90a.
    {"wgmma.fence.sync.aligned",
     "wgmma.fence.sync"},
    {"wgmma.commit_group.sync.aligned",
     "wgmma.commit_group.sync"},
    {"wgmma.wait_group.sync.aligned 1",
     "wgmma.wait_group.sync 1"},
    {"wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%f1, %f2, %f3, %f4}, %rd1, %rd2, %p1, 1, -1, 0, 1",
     "wgmma.mma_async.sync.m64n8k16.f32.bf16.bf16 {%f1, %f2, %f3, %f4}, %rd1, %rd2, %p1, 1, 0xffffffff, 0, 1"},
    {"wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {%r1, %r2}, {%r3, %r4, %r5, %r6}, %rd2, %p1, 1, 1, 0",
     "wgmma.mma_async.sync.m64n8k16.f16.f16.f16 {%r1, %r2}, {%r3, %r4, %r5, %r6}, %rd2, %p1, 1, 1, 0"},
    {"wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e5m2 {%f1, %f2, %f3, %f4}, %rd1, %rd2, %p1, 1, 1",
     "wgmma.mma_async.sync.m64n8k32.f32.e4m3.e5m2 {%f1, %f2, %f3, %f4}, %rd1, %rd2, %p1, 1, 1"},
    {"wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.u8.satfinite {%r1, %r2, %r3, %r4}, %rd1, %rd2, %p1",
     "wgmma.mma_async.sync.m64n8k32.sat.s32.s8.u8 {%r1, %r2, %r3, %r4}, %rd1, %rd2, %p1"},
    {"setmaxnreg.inc.sync.aligned.u32 240",
     "setmaxnreg.sync.inc.u32 240"},
    {"griddepcontrol.wait",
     "griddepcontrol"},
    {"elect.sync _|%p1, -1",
     "elect.sync _|%p1, 0xffffffff"},
    {"barrier.cluster.arrive.release.aligned",
     "barrier.cluster.arrive.volatile"},
    {"barrier.cluster.wait"},
    {"mbarrier.init.shared.b64 [%r1], %r2"},
    {"mbarrier.inval.shared::cta.b64 [buffer+8]",
     "mbarrier.inval.shared.b64 [buffer+8]"},
    {"mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%r1], 1024",
     "mbarrier.expect_tx.volatile.shared.b64 [%r1], 1024"},
    {"mbarrier.complete_tx.shared.b64 [%r1], %r2"},
    {"mbarrier.arrive.shared::cta.b64 %rd1, [%r1], %r2",
     "mbarrier.arrive.shared.b64 %rd1, [%r1], %r2"},
    {"mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r1]",
     "mbarrier.arrive.volatile.shared.b64 _, [%r1]"},
    {"mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 %rd1, [%r1], %r2",
     "mbarrier.arrive.expect_tx.volatile.shared.b64 %rd1, [%r1], %r2"},
    {"mbarrier.arrive.noComplete.shared.b64 %rd1, [%r1], 1"},
    {"mbarrier.arrive_drop.b64 %rd1, [%rd2]"},
    {"mbarrier.arrive_drop.expect_tx.shared.b64 %rd1, [%r1], 16"},
    {"mbarrier.arrive_drop.noComplete.shared.b64 %rd1, [%r1], 1"},
    {"mbarrier.test_wait.shared.b64 %p1, [%r1], %rd1"},
    {"mbarrier.test_wait.parity.shared.b64 %p1, [%r1], 1"},
    {"mbarrier.try_wait.shared.b64 %p1, [%r1], %rd1, 1000"},
    {"mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 %p1, [%r1], %r2",
     "mbarrier.try_wait.parity.volatile.shared.b64 %p1, [%r1], %r2"},
    {"mbarrier.pending_count.b64 %r1, %rd1"},
    {"cp.async.mbarrier.arrive.shared.b64 [%r1]"},
    {"cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%r1]",
     "cp.async.mbarrier.arrive.noinc.shared.b64 [%r1]"},
    {"wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8}, [%rd1], 16",
     "wmma.load.a.sync.global.m16n16k16.row.f16 {%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8}, [%rd1], 16"},
    {"wmma.load.c.sync.aligned.col.m16n16k16.shared.f32 {%f1, %f2, %f3, %f4, %f5, %f6, %f7, %f8}, [buffer]",
     "wmma.load.c.sync.shared.m16n16k16.col.f32 {%f1, %f2, %f3, %f4, %f5, %f6, %f7, %f8}, [buffer]"},
    {"wmma.store.d.sync.aligned.row.m16n16k16.f16 [%rd1+32], {%r1, %r2, %r3, %r4}, %r5",
     "wmma.store.d.sync.m16n16k16.row.f16 [%rd1+32], {%r1, %r2, %r3, %r4}, %r5"},
    {"wmma.mma.sync.aligned.row.col.m16n16k16.f32.f16 {%f1, %f2, %f3, %f4, %f5, %f6, %f7, %f8}, {%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8}, {%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8}, {%r1, %r2, %r3, %r4}",
     "wmma.mma.sync.m16n16k16.row.col.f32.f16.f16.f16 {%f1, %f2, %f3, %f4, %f5, %f6, %f7, %f8}, {%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8}, {%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8}, {%r1, %r2, %r3, %r4}"},
    {"wmma.mma.sync.aligned.row.col.m16n16k16.s32.s8.s8.s32.satfinite {%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8}, {%r1, %r2}, {%r3, %r4}, {%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8}",
     "wmma.mma.sync.m16n16k16.row.col.sat.s32.s8.s8.s32 {%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8}, {%r1, %r2}, {%r3, %r4}, {%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8}"},
    {"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f1, %f2, %f3, %f4}, {%r1, %r2, %r3, %r4}, {%r5, %r6}, {%f1, %f2, %f3, %f4}",
     "mma.sync.m16n8k8.row.col.f32.tf32.tf32.f32 {%f1, %f2, %f3, %f4}, {%r1, %r2, %r3, %r4}, {%r5, %r6}, {%f1, %f2, %f3, %f4}"},
    {"mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%r1, %r2}, {%r1, %r2, %r3, %r4}, {%r5, %r6}, {%r1, %r2}",
     "mma.sync.m16n8k16.row.col.f16.f16.f16.f16 {%r1, %r2}, {%r1, %r2, %r3, %r4}, {%r5, %r6}, {%r1, %r2}"},
    {"mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.u8.s32 {%r1, %r2, %r3, %r4}, {%r1, %r2, %r3, %r4}, {%r5, %r6}, {%r1, %r2, %r3, %r4}",
     "mma.sync.m16n8k32.row.col.sat.s32.s8.u8.s32 {%r1, %r2, %r3, %r4}, {%r1, %r2, %r3, %r4}, {%r5, %r6}, {%r1, %r2, %r3, %r4}"},
    {"mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc {%r1, %r2, %r3, %r4}, {%r1, %r2, %r3, %r4}, {%r5, %r6}, {%r1, %r2, %r3, %r4}",
     "mma.sync.m16n8k256.row.col.xor.s32.b1.b1.s32 {%r1, %r2, %r3, %r4}, {%r1, %r2, %r3, %r4}, {%r5, %r6}, {%r1, %r2, %r3, %r4}"},
    {"ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%r1, %r2, %r3, %r4}, [%r5+16]",
     "ldmatrix.sync.shared.m8n8.x4.trans.b16 {%r1, %r2, %r3, %r4}, [%r5+16]"},
    {"ldmatrix.sync.aligned.m8n8.x1.shared::cta.b16 {%r1}, [%rd5]",
     "ldmatrix.sync.shared.m8n8.x1.b16 {%r1}, [%rd5]"},
    {"stmatrix.sync.aligned.m8n8.x2.shared.b16 [%r5], {%r1, %r2}",
     "stmatrix.sync.shared.m8n8.x2.b16 [%r5], {%r1, %r2}"},
    {"movmatrix.sync.aligned.m8n8.trans.b16 %r1, %r2",
     "movmatrix.sync.m8n8.trans.b16 %r1, %r2"},
    {"stacksave.u64 %rd1"},
    {"stackrestore.u64 %rd1"},
    {"alloca.u64 %rd1, %rd2, 16"},
    {"brkpt"},
    {"nanosleep.u32 100"},
    {"trap"},
};
// clang-format on

Parsed parse_line(std::string_view line) {
  return parse(std::string(kHead) + std::string(line) + ";\nEND: ret;\n}\n");
}

class Grammar : public testing::TestWithParam<Case> {};

TEST_P(Grammar, ReadsTheForm) {
  const auto [text, canonical] = GetParam();
  const Parsed parsed = parse_line(text);
  ASSERT_TRUE(parsed.errors.empty()) << to_line(parsed.errors[0]);
  EXPECT_EQ(find_broken_index(parsed.program), "");
  const Function& function = parsed.program.functions.back();
  ASSERT_EQ(function.code.size(), 2u);
  EXPECT_EQ(print(function.code[0], function, parsed.program), canonical.empty() ? text : canonical);
}

// An instruction that lacks its last operand, or has one more, is refused with its line.
TEST_P(Grammar, RefusesAWrongNumberOfOperands) {
  const std::string text(GetParam().text);
  const Opcode opcode = parse_line(text).program.functions.back().code.at(0).opcode;
  if (opcode == Opcode::call) return;  // a call's operands are lists, see parser_test.cpp
  const bool none = text.find(' ', text[0] == '@' ? text.find(' ') + 1 : 0) == std::string::npos;
  const Parsed more = parse_line(text + (none ? " %r1" : ", %p1, %p1, %p1"));
  ASSERT_EQ(more.errors.size(), 1u);
  EXPECT_EQ(more.errors[0].place.line, 17);
}

INSTANTIATE_TEST_SUITE_P(Cases, Grammar, testing::ValuesIn(kCases));

TEST(GrammarTable, EveryRowHasACase) {
  for (const Row& row : grammar()) {
    bool found = false;
    for (const Case& each : kCases) {
      std::string_view text = each.text;
      if (text[0] == '@') text.remove_prefix(text.find(' ') + 1);
      text = text.substr(0, text.find(' '));
      const bool begins =
          text.starts_with(row.name) && (text.size() == row.name.size() || text[row.name.size()] == '.');
      // `bar` of one row must not count for a longer row's name.
      found |= begins && decode(text).prototype.opcode == row.opcode;
    }
    EXPECT_TRUE(found) << row.name;
  }
}

TEST(GrammarTable, FormsOfOneInstructionDifferInLength) {
  for (const Case& each : kCases) {
    const std::string_view text = each.text[0] == '@' ? each.text.substr(each.text.find(' ') + 1) : each.text;
    const Decoded decoded = decode(text.substr(0, text.find(' ')));
    std::set<int> lengths;
    for (int i = 0; i < decoded.form_count; ++i)
      EXPECT_TRUE(lengths.insert(decoded.forms[i].count).second) << text;
  }
}

TEST(GrammarTable, NamesAreUniqueAndRowsComplete) {
  std::set<std::string_view> names;
  for (const Row& row : grammar()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_FALSE(row.section.empty()) << row.name;
    EXPECT_LE(row.least_types, row.most_types) << row.name;
    EXPECT_EQ(row.types == 0, row.most_types == 0) << row.name;
  }
}

}  // namespace
}  // namespace warplens::ptx
