// One PTX instruction, its modifiers resolved to enums, its names resolved to indices. Immediates are bit
// patterns. Source: NVIDIA, "PTX ISA" (section numbers of version 8.7/9.0 are cited in the grammar table of
// the parser).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/ptx/opcodes.hpp"

namespace warplens::ptx {

using RegisterId = std::uint32_t;  // index into Function::registers
using SymbolId = std::uint32_t;    // index into Program::variables or Function::variables, see Operand

struct Operand {
  enum class Kind : std::uint8_t {
    none,
    reg,               // register_id
    immediate,         // bits
    special,           // special register
    global_symbol,     // the address of Program::variables[symbol] + offset
    local_symbol,      // the address of Function::variables[symbol] + offset
    parameter_symbol,  // the address of Function::parameters[symbol] + offset (also return parameters, see
                       // Function)
    address,  // memory [register_id + offset], `elements` the coordinates where there are some; with a symbol or an absolute base the three kinds above and
              // `immediate` stand inside memory operands too, is_memory telling so
    label,    // target: index into Function::code; of brx.idx: index into Function::branch_tables
    function,  // symbol: index into Program::functions
    vector,    // elements
    sink,      // `_`
  };
  Kind kind = Kind::none;
  bool is_memory = false;  // written in brackets
  bool negated = false;    // !%p
  Special special = Special::none;
  RegisterId register_id = 0;
  SymbolId symbol = 0;
  std::uint32_t target = 0;
  std::int64_t offset = 0;
  // An immediate in the representation of the instruction's operand type: integers sign- or zero-extended to
  // 64 bits, f32 as its 32 bits, f64 as its 64 bits, f16 as its 16 bits.
  std::uint64_t bits = 0;
  std::vector<Operand> elements;
};

// One PTX instruction. operands[0..destinations) are written, the others read; for setp with two predicates
// (p|q) and shfl (d|p), the second destination is operands[1] and `destinations` is 2. A store has none. A
// call's operands are {vector of returns, function, vector of arguments} with destinations 1.
struct Instruction {
  Opcode opcode = Opcode::none;
  Type type = Type::none;              // the (destination) type suffix
  Type source_type = Type::none;       // cvt, set, slct, mul.wide result: the second type suffix; else none
  std::array<Type, 4> matrix_types{};  // mma, wmma: d, a, b, c
  Space space = Space::generic;  // ld, st, atom, red, cvta, isspacep, ...; generic where none is written;
                                 // cp.async: global
  Rounding rounding = Rounding::none;
  Compare compare = Compare::none;
  BoolOp bool_op = BoolOp::none;
  MulPart part = MulPart::none;
  AtomicOp atomic = AtomicOp::none;
  LaneMode lane_mode = LaneMode::none;  // shfl, vote, match, redux mode
  CacheOp cache = CacheOp::none;
  Layout layout_a = Layout::none, layout_b = Layout::none;  // mma, wmma
  Fragment fragment = Fragment::none;                       // wmma.load / wmma.store: which matrix
  std::uint8_t vector = 1;                                  // .v2, .v4, .v8: registers moved at once
  std::uint8_t matrix_count = 0;                            // ldmatrix/stmatrix .x1 .x2 .x4
  std::uint8_t dimensions = 0;                              // of the tensor that a copy by a map is of
  std::array<std::uint16_t, 3> shape{};                     // mma, wmma, ldmatrix: m, n, k (k 0 for ldmatrix)
  bool ftz = false, saturate = false, approximate = false, full_range = false, uniform = false;
  bool to_space = false;     // cvta.to: generic -> space
  bool block_scope = false;  // .cta: only threads of the block need to see it
  // Of atom and red: ptxas adds up (or ands, ...) the values of a warp's lanes, and one lane updates the word. The PTX
  // does not say it: Kernel::prepare() sets it by the machine code.
  bool combined = false;
  bool is_volatile = false;  // .volatile, .relaxed, .acquire, .release, .mmio: other threads may change it
  bool transposed = false;   // ldmatrix .trans
  bool nan = false;          // min/max .NaN
  bool relu = false;
  bool xor_sign_abs = false;
  bool clamp = false;                       // shf, szext, bmsk .clamp (else .wrap); shl/shr always clamp
  bool left = false;                        // shf.l (else shf.r)
  bool shift_amount = false;                // bfind .shiftamt
  bool saturate_finite = false;             // cvt .satfinite
  bool carry_out = false;                   // add.cc, sub.cc, mad.cc
  PermuteMode permute = PermuteMode::none;  // prmt
  TestProperty test = TestProperty::none;   // testp

  bool predicated = false;     // @p or @!p
  bool guard_negated = false;  // @!p
  RegisterId guard = 0;

  std::uint8_t destinations = 0;
  std::vector<Operand> operands;
  std::int32_t location = -1;  // index into Function::locations, -1 where unknown
  std::int32_t ptx_line = 0;   // line of the PTX text, from 1
};

// Barriers of clusters, and those in shared memory.
constexpr bool is_memory_or_cluster_barrier(Opcode opcode) {
  return opcode >= Opcode::barrier_cluster_arrive && opcode <= Opcode::cp_async_mbarrier_arrive_noinc;
}

}  // namespace warplens::ptx
