#include "engine/ptx/opcodes.hpp"

#include <array>
#include <cstddef>

namespace warplens::ptx {
namespace {

struct TypeRow {
  Type type;
  std::string_view name;
  std::uint8_t bytes;
  bool is_float;
  bool is_signed;
};

// Indexed by Type. PTX ISA 5.2 "Types".
constexpr TypeRow kTypes[] = {
    {Type::none, "", 0, false, false},        {Type::pred, "pred", 0, false, false},
    {Type::b8, "b8", 1, false, false},        {Type::b16, "b16", 2, false, false},
    {Type::b32, "b32", 4, false, false},      {Type::b64, "b64", 8, false, false},
    {Type::b128, "b128", 16, false, false},   {Type::u8, "u8", 1, false, false},
    {Type::u16, "u16", 2, false, false},      {Type::u32, "u32", 4, false, false},
    {Type::u64, "u64", 8, false, false},      {Type::s8, "s8", 1, false, true},
    {Type::s16, "s16", 2, false, true},       {Type::s32, "s32", 4, false, true},
    {Type::s64, "s64", 8, false, true},       {Type::f16, "f16", 2, true, false},
    {Type::f16x2, "f16x2", 4, true, false},   {Type::bf16, "bf16", 2, true, false},
    {Type::bf16x2, "bf16x2", 4, true, false}, {Type::tf32, "tf32", 4, true, false},
    {Type::f32, "f32", 4, true, false},       {Type::f32x2, "f32x2", 8, true, false},
    {Type::f64, "f64", 8, true, false},       {Type::u16x2, "u16x2", 4, false, false},
    {Type::s16x2, "s16x2", 4, false, true},   {Type::e4m3, "e4m3", 1, true, false},
    {Type::e5m2, "e5m2", 1, true, false},     {Type::s4, "s4", 1, false, false},
    {Type::u4, "u4", 1, false, false},        {Type::b1, "b1", 1, false, false},
};

struct OpcodeRow {
  Opcode opcode;
  std::string_view name;
};

// Indexed by Opcode.
constexpr OpcodeRow kOpcodes[] = {
    {Opcode::none, ""},
    {Opcode::abs, "abs"},
    {Opcode::add, "add"},
    {Opcode::addc, "addc"},
    {Opcode::and_, "and"},
    {Opcode::bfe, "bfe"},
    {Opcode::bfi, "bfi"},
    {Opcode::bfind, "bfind"},
    {Opcode::bmsk, "bmsk"},
    {Opcode::brev, "brev"},
    {Opcode::clz, "clz"},
    {Opcode::cnot, "cnot"},
    {Opcode::div, "div"},
    {Opcode::dp2a, "dp2a"},
    {Opcode::dp4a, "dp4a"},
    {Opcode::fns, "fns"},
    {Opcode::lop3, "lop3"},
    {Opcode::mad, "mad"},
    {Opcode::madc, "madc"},
    {Opcode::mad24, "mad24"},
    {Opcode::max, "max"},
    {Opcode::min, "min"},
    {Opcode::mul, "mul"},
    {Opcode::mul24, "mul24"},
    {Opcode::neg, "neg"},
    {Opcode::not_, "not"},
    {Opcode::or_, "or"},
    {Opcode::popc, "popc"},
    {Opcode::prmt, "prmt"},
    {Opcode::rem, "rem"},
    {Opcode::sad, "sad"},
    {Opcode::shf, "shf"},
    {Opcode::shl, "shl"},
    {Opcode::shr, "shr"},
    {Opcode::sub, "sub"},
    {Opcode::subc, "subc"},
    {Opcode::szext, "szext"},
    {Opcode::xor_, "xor"},
    {Opcode::copysign, "copysign"},
    {Opcode::cos, "cos"},
    {Opcode::ex2, "ex2"},
    {Opcode::fma, "fma"},
    {Opcode::lg2, "lg2"},
    {Opcode::rcp, "rcp"},
    {Opcode::rsqrt, "rsqrt"},
    {Opcode::sin, "sin"},
    {Opcode::sqrt, "sqrt"},
    {Opcode::tanh, "tanh"},
    {Opcode::testp, "testp"},
    {Opcode::selp, "selp"},
    {Opcode::set, "set"},
    {Opcode::setp, "setp"},
    {Opcode::slct, "slct"},
    {Opcode::cvt, "cvt"},
    {Opcode::cvta, "cvta"},
    {Opcode::cvt_pack, "cvt.pack"},
    {Opcode::isspacep, "isspacep"},
    {Opcode::mov, "mov"},
    {Opcode::mapa, "mapa"},
    {Opcode::getctarank, "getctarank"},
    {Opcode::ld, "ld"},
    {Opcode::ldu, "ldu"},
    {Opcode::st, "st"},
    {Opcode::prefetch, "prefetch"},
    {Opcode::prefetchu, "prefetchu"},
    {Opcode::discard, "discard"},
    {Opcode::applypriority, "applypriority"},
    {Opcode::cp_async, "cp.async"},
    {Opcode::cp_async_commit_group, "cp.async.commit_group"},
    {Opcode::cp_async_wait_group, "cp.async.wait_group"},
    {Opcode::cp_async_wait_all, "cp.async.wait_all"},
    {Opcode::alloca, "alloca"},
    {Opcode::stacksave, "stacksave"},
    {Opcode::stackrestore, "stackrestore"},
    {Opcode::activemask, "activemask"},
    {Opcode::shfl, "shfl"},
    {Opcode::vote, "vote"},
    {Opcode::match, "match"},
    {Opcode::redux, "redux"},
    {Opcode::elect, "elect"},
    {Opcode::bar_warp_sync, "bar.warp.sync"},
    {Opcode::bar_sync, "bar.sync"},
    {Opcode::bar_arrive, "bar.arrive"},
    {Opcode::bar_red, "bar.red"},
    {Opcode::membar, "membar"},
    {Opcode::fence, "fence"},
    {Opcode::atom, "atom"},
    {Opcode::red, "red"},
    {Opcode::nanosleep, "nanosleep"},
    {Opcode::griddepcontrol, "griddepcontrol"},
    {Opcode::ldmatrix, "ldmatrix"},
    {Opcode::stmatrix, "stmatrix"},
    {Opcode::movmatrix, "movmatrix"},
    {Opcode::mma, "mma"},
    {Opcode::wmma_load, "wmma.load"},
    {Opcode::wmma_store, "wmma.store"},
    {Opcode::wmma_mma, "wmma.mma"},
    {Opcode::bra, "bra"},
    {Opcode::brx_idx, "brx.idx"},
    {Opcode::call, "call"},
    {Opcode::ret, "ret"},
    {Opcode::exit, "exit"},
    {Opcode::trap, "trap"},
    {Opcode::brkpt, "brkpt"},
    {Opcode::pragma_, "pragma"},
};

consteval bool rows_in_order() {
  for (std::size_t i = 0; i < std::size(kTypes); ++i)
    if (static_cast<std::size_t>(kTypes[i].type) != i) return false;
  for (std::size_t i = 0; i < std::size(kOpcodes); ++i)
    if (static_cast<std::size_t>(kOpcodes[i].opcode) != i) return false;
  return std::size(kTypes) == static_cast<std::size_t>(Type::b1) + 1 &&
         std::size(kOpcodes) == static_cast<std::size_t>(Opcode::pragma_) + 1;
}
static_assert(rows_in_order(), "each table has one row an enumerator, in the enum's order");

const TypeRow& row(Type type) { return kTypes[static_cast<std::size_t>(type)]; }

}  // namespace

int size_in_bytes(Type type) { return row(type).bytes; }
bool is_float(Type type) { return row(type).is_float; }
bool is_signed(Type type) { return row(type).is_signed; }
std::string_view name(Type type) { return row(type).name; }
std::string_view name(Opcode opcode) { return kOpcodes[static_cast<std::size_t>(opcode)].name; }

}  // namespace warplens::ptx
