// The words of PTX as enums. One row a word; names are the ISA's, with an underscore where C++ has the word.
#pragma once
// clang-format off
#include <cstdint>
#include <string_view>

namespace warplens::ptx {

enum class Type : std::uint8_t {
  none, pred, b8, b16, b32, b64, b128, u8, u16, u32, u64, s8, s16, s32, s64,
  f16, f16x2, bf16, bf16x2, tf32, f32, f32x2, f64, u16x2, s16x2, e4m3, e5m2, s4, u4, b1, e4m3x2, e5m2x2,
};

// Bytes of one value in memory; 0 for none and pred; 1 for the sub-byte types.
int size_in_bytes(Type type);
bool is_float(Type type);
bool is_signed(Type type);  // s8 to s64, s16x2
std::string_view name(Type type);  // "f32"

enum class Space : std::uint8_t { generic, global, shared, local, constant, param };
enum class Rounding : std::uint8_t { none, rn, rz, rm, rp, rna, rni, rzi, rmi, rpi };
enum class Compare : std::uint8_t { none, eq, ne, lt, le, gt, ge, lo, ls, hi, hs, equ, neu, ltu, leu, gtu, geu, num, nan };
enum class BoolOp : std::uint8_t { none, and_, or_, xor_ };
enum class MulPart : std::uint8_t { none, lo, hi, wide };
enum class AtomicOp : std::uint8_t { none, add, inc, dec, min, max, and_, or_, xor_, exch, cas, popc };
enum class LaneMode : std::uint8_t { none, up, down, bfly, idx, all, any, uni, ballot };
enum class CacheOp : std::uint8_t { none, ca, cg, cs, lu, cv, wb, wt, nc };
enum class Layout : std::uint8_t { none, row, col };
enum class Fragment : std::uint8_t { none, a, b, c, d };
enum class PermuteMode : std::uint8_t { none, f4e, b4e, rc8, ecl, ecr, rc16 };
enum class TestProperty : std::uint8_t { none, finite, infinite, number, notanumber, normal, subnormal };

enum class Special : std::uint8_t {
  none, tid_x, tid_y, tid_z, ntid_x, ntid_y, ntid_z, ctaid_x, ctaid_y, ctaid_z, nctaid_x, nctaid_y, nctaid_z,
  laneid, warpid, nwarpid, warpsize, smid, nsmid, gridid, clock, clock64, clock_hi, globaltimer, globaltimer_lo, globaltimer_hi,
  lanemask_eq, lanemask_le, lanemask_lt, lanemask_ge, lanemask_gt,
  dynamic_smem_size, total_smem_size, current_graph_exec,
  // of cooperative grids and clusters; envreg1 and 2 are the two halves of the address of the grid's workspace
  envreg1, envreg2, cluster_ctaid_x, cluster_ctaid_y, cluster_ctaid_z, cluster_nctaid_x, cluster_nctaid_y, cluster_nctaid_z,
  cluster_ctarank, cluster_nctarank, clusterid_x, clusterid_y, clusterid_z, nclusterid_x, nclusterid_y, nclusterid_z,
  is_explicit_cluster, reserved_smem_begin, reserved_smem_end, reserved_smem_cap, reserved_smem_0, reserved_smem_1,
  aggr_smem_size,
  pm,
};

enum class Opcode : std::uint8_t {
  none,
  // integer, logic, shift
  abs, add, addc, and_, bfe, bfi, bfind, bmsk, brev, clz, cnot, div, dp2a, dp4a, fns, lop3, mad, madc, mad24, max, min, mul, mul24,
  neg, not_, or_, popc, prmt, rem, sad, shf, shl, shr, sub, subc, szext, xor_,
  // floating point
  copysign, cos, ex2, fma, lg2, rcp, rsqrt, sin, sqrt, tanh, testp,
  // comparison and selection
  selp, set, setp, slct,
  // moves and conversions
  cvt, cvta, cvt_pack, isspacep, mov, mapa, getctarank,
  // memory
  ld, ldu, st, prefetch, prefetchu, discard, applypriority, cp_async, cp_async_commit_group, cp_async_wait_group, cp_async_wait_all, cp_async_bulk, cp_async_bulk_commit_group, cp_async_bulk_wait_group, cp_async_bulk_prefetch, cp_reduce_async_bulk,
  // by a tensor map
  cp_async_bulk_tensor, cp_async_bulk_prefetch_tensor, cp_reduce_async_bulk_tensor,
  alloca, stacksave, stackrestore,
  // warp
  activemask, shfl, vote, match, redux, elect, bar_warp_sync,
  // synchronisation; bar_sync also stands for barrier.sync, barrier.cta.sync and their .aligned forms
  bar_sync, bar_arrive, bar_red, membar, fence, fence_proxy_async, atom, red, nanosleep, griddepcontrol, barrier_cluster_arrive, barrier_cluster_wait,
  // barriers in shared memory (cuda::barrier)
  mbarrier_init, mbarrier_inval, mbarrier_expect_tx, mbarrier_complete_tx, mbarrier_arrive, mbarrier_arrive_expect_tx,
  mbarrier_arrive_no_complete, mbarrier_arrive_drop, mbarrier_arrive_drop_expect_tx, mbarrier_arrive_drop_no_complete, mbarrier_test_wait,
  mbarrier_test_wait_parity, mbarrier_try_wait, mbarrier_try_wait_parity, mbarrier_pending_count, cp_async_mbarrier_arrive,
  cp_async_mbarrier_arrive_noinc,
  // matrix
  ldmatrix, stmatrix, movmatrix, mma, mma_sp, wmma_load, wmma_store, wmma_mma, wgmma_fence, wgmma_commit_group, wgmma_wait_group, wgmma_mma_async,
  // control
  bra, brx_idx, call, ret, exit, trap, brkpt, setmaxnreg, pragma_,
};
std::string_view name(Opcode opcode);  // "ld", "cp.async", "and": from the row of grammar.cpp

}  // namespace warplens::ptx
