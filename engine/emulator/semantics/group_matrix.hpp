// The matrix products of warp groups (wgmma.mma_async) as pure functions: what one warp of the four computes.
// D is 64 x N, of which a warp has 16 rows; A is 64 x depth, B depth x N, where depth is 32 bytes of elements.
// Sources: PTX ISA 9.0, section 9.7.15 "Asynchronous Warpgroup Level Matrix Multiply-Accumulate" (the figures
// of the fragments).
//
// Arithmetic. f16, bf16 and tf32 as matrix.hpp has it of mma; 8-bit floats are summed in double and rounded
// once, of which an H100 may differ in the last bits of f32; whole numbers are exact.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/emulator/semantics/matrix.hpp"
#include "engine/ptx/program.hpp"

namespace warplens::emulator {

inline constexpr int kGroupRows = 64, kGroupWarps = 4, kWarpRows = 16;

struct GroupShape {
  int columns = 0, depth = 0;
  ptx::Type d = ptx::Type::none, a = ptx::Type::none, b = ptx::Type::none;

  int a_registers() const { return kWarpRows * 32 / kWarpLanes / 4; }  // 16 rows of 32 bytes
  int d_registers() const;
};
// Of a wgmma.mma_async; nothing where there is no such shape or type.
std::optional<GroupShape> group_shape(const ptx::Instruction& instruction);

// Row (of the warp's 16) and column of the index-th element of a lane.
MatrixPosition group_sum_position(int lane, int index);
MatrixPosition group_a_position(int element_bytes, int lane, int index);

// Factors of one kind: their values, and in `whole` their exponents, or the values of whole numbers.
struct GroupFactors {
  std::vector<float> value;
  std::vector<std::int32_t> whole;
  ptx::Type type = ptx::Type::none;
  bool ordinary = true;  // neither infinities nor NaN

  // The elements of a chunk of 16 bytes, each `step` further.
  void put(std::size_t at, std::size_t step, const std::byte* chunk);
  void put_element(std::size_t at, std::uint32_t bits);
};

// B of one instruction, the same for the four warps. It is put in chunk by chunk of 16 bytes, as it lies in shared
// memory. `along_k`: the chunk's elements follow each other along k, else along the columns.
class GroupB {
 public:
  explicit GroupB(const GroupShape& shape);
  void put(int k, int column, bool along_k, const std::byte* chunk);

 private:
  friend class GroupProduct;
  std::size_t stride_;    // the columns, rounded up to whole vectors
  GroupFactors factors_;  // depth x stride
};

// One instruction of one warp.
class GroupProduct {
 public:
  explicit GroupProduct(const GroupShape& shape);
  // A by chunks, as B.
  void put_a(int row, int k, bool along_k, const std::byte* chunk);
  // A from the warp's registers, 32 words each.
  void put_a(std::span<const std::uint32_t* const> registers);
  void negate_a() { negative_ = !negative_; }
  void negate_b() { negative_ = !negative_; }
  // D = A B + D, or A B. clamp: sums of whole numbers stop at the ends of their type.
  void multiply(const GroupB& b, bool adds, bool clamp, std::span<std::uint32_t* const> registers);

 private:
  void multiply_aligned(const GroupB& b, std::vector<float>& sums) const;
  void multiply_plainly(const GroupB& b, std::vector<float>& sums) const;
  void multiply_whole(const GroupB& b, bool clamp, std::vector<std::int32_t>& sums) const;
  std::uint64_t sum_of(const GroupB& b, std::size_t row, std::size_t column, float c) const;
  bool is_whole() const { return shape_.d == ptx::Type::s32; }

  GroupShape shape_;
  std::size_t depth_;
  GroupFactors a_;  // rows x depth
  bool negative_ = false;
};

}  // namespace warplens::emulator
