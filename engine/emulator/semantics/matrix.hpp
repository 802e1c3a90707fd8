// The warp's matrix instructions as pure functions on registers: which lane holds which element, and the
// products. A register is seen for the whole warp at once: 32 words of 32 bits, one a lane. A fragment is a
// list of them in the order of the PTX text; a 64-bit element takes two, its low word first. Rows and columns
// count from 0. Sources: PTX ISA 9.0, section 9.7.14 "Warp-Level Matrix Multiply-Accumulate" (the figures of
// every fragment).
//
// Arithmetic. Integer products are exact, their sum wraps, or is clamped under .satfinite. For f16, bf16 and
// tf32 the ISA leaves order and precision open; here they are an H100's, found by measurement and bit-equal
// on all that was tried: the exact products of one instruction and c are aligned to the largest exponent, cut
// off 25 bits below it, added, and the sum is cut to f32 (and rounded to f16 from there). Other devices
// differ in the last bits. 8-bit floats become f16 on an H100, which has no mma of them: two such products, the second
// one adding to what the first one gave, and c is added to that; bit-equal as well. f64 is one fma after another in the
// order of k.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/ptx/program.hpp"

namespace warplens::emulator {

inline constexpr int kWarpLanes = 32;
using Lanes = std::array<std::uint32_t, kWarpLanes>;

struct MatrixPosition {
  int row = 0;
  int column = 0;
  bool operator==(const MatrixPosition&) const = default;
};

// One operand of a matrix instruction. shape is {m, n, k}; a is m x k, b is k x n, c and d are m x n.
struct FragmentShape {
  ptx::Fragment which = ptx::Fragment::none;
  std::array<std::uint16_t, 3> shape{};
  ptx::Type type = ptx::Type::none;
};

// ---- mma.sync ----

// 32-bit registers of a lane, or 0 for a shape and type that mma does not have here. Supported: m16n8 with
// k4, k8 (tf32), k8, k16 (f16, bf16), k16, k32 (s8, u8, e4m3, e5m2), k32, k64 (s4, u4), k4, k8, k16 (f64);
// m8n8k4 (f64), m8n8k16 (s8, u8), m8n8k32 (s4, u4). Not: m8n8k4 of f16 (Volta's quad pairs), b1.
int mma_registers(const FragmentShape& fragment);
// Which element of the matrix the index-th element of a lane is; elements count through the registers from
// the low bits.
MatrixPosition mma_position(const FragmentShape& fragment, int lane, int index);
// d = a * b + c. False, and d untouched, where the instruction is not supported or a span has the wrong size.
// d may be the same registers as c.
bool mma(const ptx::Instruction& instruction, std::span<const Lanes> a, std::span<const Lanes> b,
         std::span<const Lanes> c, std::span<Lanes> d);

// ---- mma.sp: A with half of its elements, at places that the metadata name ----

// m16n8 with k8, k16 (tf32), k16, k32 (f16, bf16), k32, k64 (s8, u8, e4m3, e5m2), k64, k128 (s4, u4).
bool is_sparse_shape(ptx::Type type, const std::array<std::uint16_t, 3>& shape);
// Whether the lanes that the selector chooses name two different places of each group, the lower first.
bool has_legal_metadata(const ptx::Instruction& instruction, const Lanes& metadata, int selector);
// d = a * b + c, a as it is stored: the fragment of half the depth. As mma; metadata are taken as they come.
bool sparse_mma(const ptx::Instruction& instruction, std::span<const Lanes> a, std::span<const Lanes> b,
                std::span<const Lanes> c, const Lanes& metadata, int selector, std::span<Lanes> d);

// ---- ldmatrix, stmatrix, movmatrix: 8 x 8 matrices of 16-bit elements ----

using MatrixRow = std::array<std::byte, 16>;  // one row of eight elements as it lies in memory

// The lane whose address operand points to a row; matrix 0 to 3.
constexpr int matrix_row_lane(int matrix, int row) { return 8 * matrix + row; }
// rows: 8 for each register of d, in the order of matrix_row_lane.
void load_matrices(std::span<const MatrixRow> rows, bool transposed, std::span<Lanes> d);
void store_matrices(std::span<const Lanes> source, bool transposed, std::span<MatrixRow> rows);
Lanes transposed_matrix(const Lanes& a);  // movmatrix.trans

// ---- wmma ----
// The ISA leaves the layout of wmma fragments open. Ours is the one an H100 uses for f16 and f32 (measured):
// the mma tiles that make up the product, f16 multiplicands repeated where the fragment has more places than
// elements. f16 and f32 accumulators agree index by index. It does not depend on .row or .col.

// Supported: m16n16k16, m32n8k16, m8n32k16 with f16, bf16, s8, u8; m16n16k8 with tf32; m8n8k4 with f64.
int wmma_registers(const FragmentShape& fragment);
int wmma_elements(const FragmentShape& fragment);  // of a lane, repeated ones included
int wmma_distinct(const FragmentShape& fragment);  // without those
MatrixPosition wmma_position(const FragmentShape& fragment, int lane, int index);

// What the machine makes of a wmma.load or wmma.store (measured on an H100 and an H200): two elements of 16 bits that
// follow each other in a lane lie side by side in memory where the matrix is stored along k (A by rows, B by columns)
// or is the sum by rows, and so do two of the sum's of 32 bits. They are moved together, and words of 16-bit elements
// by ldmatrix, one for four of them, where the instruction names shared memory; an address of any kind it does not.
struct WmmaAccesses {
  int number = 0;
  int elements = 1;  // that a lane moves in each; of matrices, in each word
  int words = 0;     // of a lane, in all
  bool are_matrices = false;
};
WmmaAccesses wmma_accesses(const ptx::Instruction& instruction);
bool wmma(const ptx::Instruction& instruction, std::span<const Lanes> a, std::span<const Lanes> b,
          std::span<const Lanes> c, std::span<Lanes> d);

// Elements from a matrix's first one; stride in elements between rows (row-major) or columns.
constexpr std::int64_t element_offset(MatrixPosition at, ptx::Layout layout, std::int64_t stride) {
  return layout == ptx::Layout::col ? at.column * stride + at.row : at.row * stride + at.column;
}

// ---- Elements in registers, for loads and stores ----
// bits is the element's width: 4, 8, 16, 32 or 64.
std::uint64_t fragment_element(std::span<const Lanes> registers, int lane, int index, int bits);
void set_fragment_element(std::span<Lanes> registers, int lane, int index, int bits, std::uint64_t value);

}  // namespace warplens::emulator
