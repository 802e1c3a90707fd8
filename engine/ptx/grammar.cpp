#include "engine/ptx/grammar.hpp"

#include <algorithm>

namespace warplens::ptx {
namespace {

constexpr Types many(auto... type) { return (bit(type) | ...); }
constexpr Groups with(auto... group) { return (bit(group) | ... | Groups{0}); }

using Type::b128, Type::b16, Type::b32, Type::b64, Type::b8, Type::bf16, Type::bf16x2, Type::f16, Type::f16x2,
    Type::f32, Type::f32x2, Type::f64, Type::pred, Type::s16, Type::s16x2, Type::s32, Type::s4, Type::s64,
    Type::s8, Type::u16, Type::u16x2, Type::u32, Type::u4, Type::u64, Type::u8;
constexpr Types kInt = many(u16, u32, u64, s16, s32, s64);
constexpr Types kBits = many(b16, b32, b64);
constexpr Types kHalf = many(f16, f16x2, bf16, bf16x2);
constexpr Types kFloat = many(f32, f64, f32x2) | kHalf;
constexpr Types kMemory =
    many(b8, b16, b32, b64, b128, u8, u16, u32, u64, s8, s16, s32, s64, f16, bf16, f32, f64, f16x2, bf16x2);
constexpr Types kAny = ~Types{0};
constexpr Types kNothing = 0;

// The modifiers of floating-point arithmetic, of memory accesses, and of the ordering of memory.
constexpr Groups kMath = with(Group::rounding, Group::ftz, Group::saturate);
constexpr Groups kAccess =
    with(Group::space, Group::cache, Group::vector, Group::semantics, Group::scope, Group::hint);
constexpr Groups kOrder =
    with(Group::semantics, Group::scope, Group::space, Group::hint, Group::noftz, Group::vector);
constexpr Groups kBarrier = with(Group::semantics, Group::scope, Group::space);
constexpr Groups kMatrix = with(Group::sync, Group::shape);

using enum Opcode;
using G = Group;

// name, opcode, fewest and most types, types, required modifiers, optional modifiers, operand forms, ISA
// section
constexpr Row kRows[] = {
    // Integer arithmetic and extended precision
    {"add", add, 1, 2, kInt | many(u16x2, s16x2) | kFloat, 0, kMath | with(G::carry), "d t s", "9.7.1-5"},
    {"sub", sub, 1, 2, kInt | many(u16x2, s16x2) | kFloat, 0, kMath | with(G::carry), "d t s", "9.7.1-5"},
    {"mul", mul, 1, 1, kInt | kFloat, 0, kMath | with(G::part), "w s s", "9.7.1, 3, 4"},
    {"mad", mad, 1, 1, kInt | kFloat, 0, kMath | with(G::part, G::carry), "w s s W", "9.7.1-3"},
    {"addc", addc, 1, 1, kInt, 0, with(G::carry), "d s s", "9.7.2"},
    {"subc", subc, 1, 1, kInt, 0, with(G::carry), "d s s", "9.7.2"},
    {"madc", madc, 1, 1, kInt, with(G::part), with(G::carry), "d s s s", "9.7.2"},
    {"mul24", mul24, 1, 1, many(u32, s32), with(G::part), 0, "d s s", "9.7.1"},
    {"mad24", mad24, 1, 1, many(u32, s32), with(G::part), with(G::saturate), "d s s s", "9.7.1"},
    {"sad", sad, 1, 1, kInt, 0, 0, "d s s s", "9.7.1"},
    {"div", div, 1, 1, kInt | kFloat, 0, kMath | with(G::approximate, G::full), "d s s", "9.7.1, 9.7.3"},
    {"rem", rem, 1, 1, kInt, 0, 0, "d s s", "9.7.1"},
    {"abs", abs, 1, 1, kInt | kFloat, 0, with(G::ftz), "d s", "9.7.1, 3, 4"},
    {"neg", neg, 1, 1, kInt | kFloat, 0, with(G::ftz), "d s", "9.7.1, 3, 4"},
    {"min", min, 1, 1, kInt | kFloat | many(u16x2, s16x2), 0,
     with(G::ftz, G::nan, G::xor_sign, G::abs, G::relu), "d s s/d s s s", "9.7.1, 3, 4"},
    {"max", max, 1, 1, kInt | kFloat | many(u16x2, s16x2), 0,
     with(G::ftz, G::nan, G::xor_sign, G::abs, G::relu), "d s s/d s s s", "9.7.1, 3, 4"},
    {"popc", popc, 1, 1, many(b32, b64), 0, 0, "D s", "9.7.1"},
    {"clz", clz, 1, 1, many(b32, b64), 0, 0, "D s", "9.7.1"},
    {"bfind", bfind, 1, 1, many(u32, u64, s32, s64), 0, with(G::shift_amount), "D s", "9.7.1"},
    {"fns", fns, 1, 1, many(b32), 0, 0, "d s s s", "9.7.1"},
    {"brev", brev, 1, 1, many(b32, b64), 0, 0, "d s", "9.7.1"},
    {"bfe", bfe, 1, 1, many(u32, u64, s32, s64), 0, 0, "d s u u", "9.7.1"},
    {"bfi", bfi, 1, 1, many(b32, b64), 0, 0, "d s s u u", "9.7.1"},
    {"szext", szext, 1, 1, many(u32, s32), with(G::wrap), 0, "d s u", "9.7.1"},
    {"bmsk", bmsk, 1, 1, many(b32), with(G::wrap), 0, "d u u", "9.7.1"},
    {"dp4a", dp4a, 2, 2, many(u32, s32), 0, 0, "D s t s", "9.7.1"},
    {"dp2a", dp2a, 2, 2, many(u32, s32), with(G::part), 0, "D s t s", "9.7.1"},
    // Floating point
    {"testp", testp, 1, 1, many(f32, f64), with(G::test), 0, "q s", "9.7.3"},
    {"copysign", copysign, 1, 1, many(f32, f64), 0, 0, "d s s", "9.7.3"},
    {"fma", fma, 1, 2, kFloat, with(G::rounding), kMath | with(G::relu), "d t t s", "9.7.3-5"},
    {"rcp", rcp, 1, 1, many(f32, f64), 0, kMath | with(G::approximate), "d s", "9.7.3"},
    {"sqrt", sqrt, 1, 1, many(f32, f64), 0, kMath | with(G::approximate), "d s", "9.7.3"},
    {"rsqrt", rsqrt, 1, 1, many(f32, f64), with(G::approximate), with(G::ftz), "d s", "9.7.3"},
    {"sin", sin, 1, 1, many(f32), with(G::approximate), with(G::ftz), "d s", "9.7.3"},
    {"cos", cos, 1, 1, many(f32), with(G::approximate), with(G::ftz), "d s", "9.7.3"},
    {"lg2", lg2, 1, 1, many(f32), with(G::approximate), with(G::ftz), "d s", "9.7.3"},
    {"ex2", ex2, 1, 1, many(f32) | kHalf, with(G::approximate), with(G::ftz), "d s", "9.7.3, 4"},
    {"tanh", tanh, 1, 1, many(f32) | kHalf, with(G::approximate), 0, "d s", "9.7.3, 4"},
    // Comparison and selection
    {"set", set, 2, 2, kBits | kInt | kFloat, with(G::compare), with(G::bool_op, G::ftz), "d t t/d t t p",
     "9.7.6, 7"},
    {"setp", setp, 1, 1, kBits | kInt | kFloat, with(G::compare), with(G::bool_op, G::ftz), "q| s s/q| s s p",
     "9.7.6, 7"},
    {"selp", selp, 1, 1, kBits | kInt | many(f32, f64), 0, 0, "d s s p", "9.7.6"},
    {"slct", slct, 2, 2, kBits | kInt | many(f32, f64), 0, with(G::ftz), "d s s t", "9.7.6"},
    // Logic and shift
    {"and", and_, 1, 1, kBits | many(pred), 0, 0, "d s s", "9.7.8"},
    {"or", or_, 1, 1, kBits | many(pred), 0, 0, "d s s", "9.7.8"},
    {"xor", xor_, 1, 1, kBits | many(pred), 0, 0, "d s s", "9.7.8"},
    {"not", not_, 1, 1, kBits | many(pred), 0, 0, "d s", "9.7.8"},
    {"cnot", cnot, 1, 1, kBits, 0, 0, "d s", "9.7.8"},
    {"lop3", lop3, 1, 1, many(b32), 0, with(G::bool_op), "d s s s u/d| s s s u p", "9.7.8"},
    {"shf", shf, 1, 1, many(b32), with(G::direction, G::wrap), 0, "d s s u", "9.7.8"},
    {"shl", shl, 1, 1, kBits, 0, 0, "d s u", "9.7.8"},
    {"shr", shr, 1, 1, kBits | kInt, 0, 0, "d s u", "9.7.8"},
    // Data movement and conversion
    {"mov", mov, 1, 1, kBits | kInt | many(b128, pred, f32, f64), 0, 0, "k K", "9.7.9"},
    {"shfl", shfl, 1, 1, many(b32, u32, s32, f32), with(G::lane, G::sync), 0, "d| s u u u", "9.7.9"},
    {"prmt", prmt, 1, 1, many(b32), 0, with(G::permute), "d s s u", "9.7.9"},
    {"ld", ld, 1, 1, kMemory, 0, kAccess, "v m", "9.7.9"},
    {"ldu", ldu, 1, 1, kMemory, 0, kAccess, "v m", "9.7.9"},
    {"st", st, 1, 1, kMemory, 0, kAccess, "m V", "9.7.9"},
    {"prefetch", prefetch, 0, 0, kNothing, with(G::level), with(G::space), "m", "9.7.9"},
    {"prefetchu", prefetchu, 0, 0, kNothing, with(G::level), 0, "m", "9.7.9"},
    {"applypriority", applypriority, 0, 0, kNothing, with(G::level), with(G::space), "m u", "9.7.9"},
    {"discard", discard, 0, 0, kNothing, with(G::level), with(G::space), "m u", "9.7.9"},
    {"isspacep", isspacep, 0, 0, kNothing, with(G::space), 0, "q a", "9.7.9"},
    {"cvta", cvta, 1, 1, many(u32, u64), with(G::space), with(G::to), "d a", "9.7.9"},
    {"cvt", cvt, 2, 2, kAny & ~many(pred), 0, kMath | with(G::relu), "e r/e r r", "9.7.9"},
    {"cvt.pack", cvt_pack, 2, 3, many(u16, s16, u8, s8, u4, s4), with(G::saturate), 0, "D r r/D r r u",
     "9.7.9"},
    {"mapa", mapa, 1, 1, many(u32, u64), 0, with(G::space), "d a u", "9.7.9"},
    {"getctarank", getctarank, 1, 1, many(u32, u64), 0, with(G::space), "D a", "9.7.9"},
    {"cp.async", cp_async, 0, 0, kNothing, with(G::cache, G::space), with(G::hint), "m m u/m m u U", "9.7.9"},
    {"cp.async.commit_group", cp_async_commit_group, 0, 0, kNothing, 0, 0, "", "9.7.9"},
    {"cp.async.wait_group", cp_async_wait_group, 0, 0, kNothing, 0, 0, "u", "9.7.9"},
    {"cp.async.wait_all", cp_async_wait_all, 0, 0, kNothing, 0, 0, "", "9.7.9"},
    {"cp.async.bulk", cp_async_bulk, 0, 0, kNothing, with(G::space, G::detail), with(G::hint),
     "m m u/m m u m/m m u m h", "9.7.9"},
    {"cp.async.bulk.prefetch", cp_async_bulk_prefetch, 0, 0, kNothing, with(G::level, G::space),
     with(G::hint), "m u", "9.7.9"},
    {"cp.reduce.async.bulk", cp_reduce_async_bulk, 1, 1, kMemory, with(G::space, G::detail, G::atomic),
     with(G::hint, G::noftz), "m m u/m m u m", "9.7.9"},
    {"cp.async.bulk.tensor", cp_async_bulk_tensor, 0, 0, kNothing, with(G::dimension, G::space, G::detail),
     with(G::hint), "M m/m M m/m M m h", "9.7.9"},
    {"cp.async.bulk.prefetch.tensor", cp_async_bulk_prefetch_tensor, 0, 0, kNothing,
     with(G::dimension, G::level, G::space), with(G::hint, G::detail), "M", "9.7.9"},
    {"cp.reduce.async.bulk.tensor", cp_reduce_async_bulk_tensor, 0, 0, kNothing,
     with(G::dimension, G::space, G::detail, G::atomic), with(G::hint), "M m", "9.7.9"},
    {"cp.async.bulk.commit_group", cp_async_bulk_commit_group, 0, 0, kNothing, 0, 0, "", "9.7.9"},
    {"cp.async.bulk.wait_group", cp_async_bulk_wait_group, 0, 0, kNothing, 0, with(G::detail), "u", "9.7.9"},
    // Control flow; guards are section 9.3
    {"bra", bra, 0, 0, kNothing, 0, with(G::uniform), "l", "9.7.12"},
    {"brx.idx", brx_idx, 0, 0, kNothing, 0, with(G::uniform), "u T", "9.7.12"},
    {"call", call, 0, 0, kNothing, 0, with(G::uniform), "c", "9.7.12"},
    {"ret", ret, 0, 0, kNothing, 0, with(G::uniform), "", "9.7.12"},
    {"exit", exit, 0, 0, kNothing, 0, 0, "", "9.7.12"},
    // Synchronisation and communication
    {"bar.sync", bar_sync, 0, 0, kNothing, 0, with(G::sync), "u/u u", "9.7.13"},
    {"bar.cta.sync", bar_sync, 0, 0, kNothing, 0, with(G::sync), "u/u u", "9.7.13"},
    {"barrier.sync", bar_sync, 0, 0, kNothing, 0, with(G::sync), "u/u u", "9.7.13"},
    {"barrier.cta.sync", bar_sync, 0, 0, kNothing, 0, with(G::sync), "u/u u", "9.7.13"},
    {"bar.arrive", bar_arrive, 0, 0, kNothing, 0, with(G::sync), "u u", "9.7.13"},
    {"bar.cta.arrive", bar_arrive, 0, 0, kNothing, 0, with(G::sync), "u u", "9.7.13"},
    {"barrier.arrive", bar_arrive, 0, 0, kNothing, 0, with(G::sync), "u u", "9.7.13"},
    {"barrier.cta.arrive", bar_arrive, 0, 0, kNothing, 0, with(G::sync), "u u", "9.7.13"},
    {"bar.red", bar_red, 1, 1, many(u32, pred), with(G::atomic), with(G::sync), "d u p/d u u p", "9.7.13"},
    {"bar.cta.red", bar_red, 1, 1, many(u32, pred), with(G::atomic), with(G::sync), "d u p/d u u p",
     "9.7.13"},
    {"barrier.red", bar_red, 1, 1, many(u32, pred), with(G::atomic), with(G::sync), "d u p/d u u p",
     "9.7.13"},
    {"barrier.cta.red", bar_red, 1, 1, many(u32, pred), with(G::atomic), with(G::sync), "d u p/d u u p",
     "9.7.13"},
    {"bar.warp.sync", bar_warp_sync, 0, 0, kNothing, 0, 0, "u", "9.7.13"},
    {"membar", membar, 0, 0, kNothing, 0, with(G::scope, G::semantics, G::detail), "", "9.7.13"},
    {"fence", fence, 0, 0, kNothing, 0, with(G::scope, G::semantics, G::detail), "", "9.7.13"},
    {"fence.proxy.async", fence_proxy_async, 0, 0, kNothing, 0, with(G::detail), "", "9.7.13"},
    {"atom", atom, 1, 1, kMemory, with(G::atomic), kOrder, "v m V/v m V V", "9.7.13"},
    {"red", red, 1, 1, kMemory, with(G::atomic), kOrder, "m V", "9.7.13"},
    {"vote", vote, 1, 1, many(pred, b32), with(G::lane, G::sync), 0, "d p u", "9.7.13"},
    {"match", match, 1, 1, many(b32, b64), with(G::lane, G::sync), 0, "D| s u", "9.7.13"},
    {"activemask", activemask, 1, 1, many(b32), 0, 0, "d", "9.7.13"},
    {"redux", redux, 1, 1, many(u32, s32, b32, f32), with(G::atomic, G::sync), with(G::nan), "d s u",
     "9.7.13"},
    {"griddepcontrol", griddepcontrol, 0, 0, kNothing, with(G::detail), 0, "", "9.7.13"},
    {"elect", elect, 0, 0, kNothing, with(G::sync), 0, "D| u", "9.7.13"},
    {"barrier.cluster.arrive", barrier_cluster_arrive, 0, 0, kNothing, 0, with(G::semantics, G::sync), "",
     "9.7.13"},
    {"barrier.cluster.wait", barrier_cluster_wait, 0, 0, kNothing, 0, with(G::semantics, G::sync), "",
     "9.7.13"},
    {"mbarrier.init", mbarrier_init, 1, 1, many(b64), 0, kBarrier, "m u", "9.7.13"},
    {"mbarrier.inval", mbarrier_inval, 1, 1, many(b64), 0, kBarrier, "m", "9.7.13"},
    {"mbarrier.expect_tx", mbarrier_expect_tx, 1, 1, many(b64), 0, kBarrier, "m u", "9.7.13"},
    {"mbarrier.complete_tx", mbarrier_complete_tx, 1, 1, many(b64), 0, kBarrier, "m u", "9.7.13"},
    {"mbarrier.arrive", mbarrier_arrive, 1, 1, many(b64), 0, kBarrier, "d m/d m u", "9.7.13"},
    {"mbarrier.arrive.expect_tx", mbarrier_arrive_expect_tx, 1, 1, many(b64), 0, kBarrier, "d m u", "9.7.13"},
    {"mbarrier.arrive.noComplete", mbarrier_arrive_no_complete, 1, 1, many(b64), 0, kBarrier, "d m u",
     "9.7.13"},
    {"mbarrier.arrive_drop", mbarrier_arrive_drop, 1, 1, many(b64), 0, kBarrier, "d m/d m u", "9.7.13"},
    {"mbarrier.arrive_drop.expect_tx", mbarrier_arrive_drop_expect_tx, 1, 1, many(b64), 0, kBarrier, "d m u",
     "9.7.13"},
    {"mbarrier.arrive_drop.noComplete", mbarrier_arrive_drop_no_complete, 1, 1, many(b64), 0, kBarrier,
     "d m u", "9.7.13"},
    {"mbarrier.test_wait", mbarrier_test_wait, 1, 1, many(b64), 0, kBarrier, "q m s", "9.7.13"},
    {"mbarrier.test_wait.parity", mbarrier_test_wait_parity, 1, 1, many(b64), 0, kBarrier, "q m u", "9.7.13"},
    {"mbarrier.try_wait", mbarrier_try_wait, 1, 1, many(b64), 0, kBarrier, "q m s/q m s u", "9.7.13"},
    {"mbarrier.try_wait.parity", mbarrier_try_wait_parity, 1, 1, many(b64), 0, kBarrier, "q m u/q m u u",
     "9.7.13"},
    {"mbarrier.pending_count", mbarrier_pending_count, 1, 1, many(b64), 0, 0, "D s", "9.7.13"},
    {"cp.async.mbarrier.arrive", cp_async_mbarrier_arrive, 1, 1, many(b64), 0, kBarrier, "m", "9.7.13"},
    {"cp.async.mbarrier.arrive.noinc", cp_async_mbarrier_arrive_noinc, 1, 1, many(b64), 0, kBarrier, "m",
     "9.7.13"},
    // Warp-level matrices
    {"wmma.load", wmma_load, 1, 1, kAny, kMatrix | with(G::fragment, G::layout), with(G::space), "x m/x m u",
     "9.7.14"},
    {"wmma.store", wmma_store, 1, 1, kAny, kMatrix | with(G::fragment, G::layout), with(G::space),
     "m X/m X u", "9.7.14"},
    {"wmma.mma", wmma_mma, 2, 4, kAny, kMatrix | with(G::layout),
     with(G::saturate, G::rounding, G::bool_op, G::detail), "x X X X", "9.7.14"},
    {"mma", mma, 4, 4, kAny, kMatrix | with(G::layout), with(G::saturate, G::rounding, G::bool_op, G::detail),
     "x X X X", "9.7.14"},
    {"mma.sp", mma_sp, 4, 4, kAny, kMatrix | with(G::layout), with(G::saturate), "x X X X u u", "9.7.14"},
    {"mma.sp::ordered_metadata", mma_sp, 4, 4, kAny, kMatrix | with(G::layout), with(G::saturate),
     "x X X X u u", "9.7.14"},
    {"ldmatrix", ldmatrix, 1, 1, many(b16, b8), kMatrix | with(G::count), with(G::trans, G::space), "x m",
     "9.7.14"},
    {"stmatrix", stmatrix, 1, 1, many(b16, b8), kMatrix | with(G::count), with(G::trans, G::space), "m X",
     "9.7.14"},
    {"movmatrix", movmatrix, 1, 1, many(b16), kMatrix | with(G::trans), 0, "D u", "9.7.14"},
    // Matrices of a warp group
    {"wgmma.fence", wgmma_fence, 0, 0, kNothing, with(G::sync), 0, "", "9.7.15"},
    {"wgmma.commit_group", wgmma_commit_group, 0, 0, kNothing, with(G::sync), 0, "", "9.7.15"},
    {"wgmma.wait_group", wgmma_wait_group, 0, 0, kNothing, with(G::sync), 0, "u", "9.7.15"},
    {"wgmma.mma_async", wgmma_mma_async, 3, 3, kAny, kMatrix, with(G::saturate),
     "x X a p/x X a p u u/x X a p u u u/x X a p u u u u", "9.7.15"},
    // Stack and the rest
    {"stacksave", stacksave, 1, 1, many(u32, u64), 0, 0, "d", "9.7.17"},
    {"stackrestore", stackrestore, 1, 1, many(u32, u64), 0, 0, "s", "9.7.17"},
    {"alloca", alloca, 1, 1, many(u32, u64), 0, 0, "d s/d s u", "9.7.17"},
    {"brkpt", brkpt, 0, 0, kNothing, 0, 0, "", "9.7.19"},
    {"nanosleep", nanosleep, 1, 1, many(u32), 0, 0, "s", "9.7.19"},
    {"trap", trap, 0, 0, kNothing, 0, 0, "", "9.7.19"},
    {"setmaxnreg", setmaxnreg, 1, 1, many(u32), with(G::atomic, G::sync), 0, "u", "9.7.19"},
};

// Of each opcode, that of its first row. Every opcode but none has a row, else this does not compile.
consteval auto names_of_rows() {
  std::array<std::string_view, static_cast<std::size_t>(pragma_) + 1> names{};
  names.back() = "pragma";
  for (const Row& row : kRows)
    if (auto& name = names[static_cast<std::size_t>(row.opcode)]; name.empty()) name = row.name;
  if (std::count(names.begin(), names.end(), "") != 1) throw "an opcode has no row";
  return names;
}
constexpr auto kNames = names_of_rows();

}  // namespace

std::span<const Row> grammar() { return kRows; }

std::string_view name(Opcode opcode) { return kNames[static_cast<std::size_t>(opcode)]; }

Groups required_groups(Opcode opcode) {
  for (const Row& row : kRows)
    if (row.opcode == opcode) return row.required;
  return 0;
}

}  // namespace warplens::ptx
