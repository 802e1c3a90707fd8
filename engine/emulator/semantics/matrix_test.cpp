#include "engine/emulator/semantics/matrix.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "engine/emulator/semantics/semantics_detail.hpp"

namespace warplens::emulator {
namespace {

using detail::bits_of, ptx::Fragment, ptx::Type;
using Shape = std::array<std::uint16_t, 3>;

struct Case {
  Shape shape;
  Type d, a, b, c;
};
const std::vector<Case> kMma = {
    {{16, 8, 4}, Type::f32, Type::tf32, Type::tf32, Type::f32},
    {{16, 8, 8}, Type::f32, Type::tf32, Type::tf32, Type::f32},
    {{16, 8, 8}, Type::f32, Type::f16, Type::f16, Type::f32},
    {{16, 8, 8}, Type::f16, Type::f16, Type::f16, Type::f16},
    {{16, 8, 16}, Type::f32, Type::f16, Type::f16, Type::f32},
    {{16, 8, 16}, Type::f16, Type::f16, Type::f16, Type::f16},
    {{16, 8, 8}, Type::f32, Type::bf16, Type::bf16, Type::f32},
    {{16, 8, 16}, Type::f32, Type::bf16, Type::bf16, Type::f32},
    {{8, 8, 16}, Type::s32, Type::s8, Type::u8, Type::s32},
    {{16, 8, 16}, Type::s32, Type::u8, Type::s8, Type::s32},
    {{16, 8, 32}, Type::s32, Type::s8, Type::s8, Type::s32},
    {{8, 8, 32}, Type::s32, Type::s4, Type::u4, Type::s32},
    {{16, 8, 32}, Type::s32, Type::u4, Type::s4, Type::s32},
    {{16, 8, 64}, Type::s32, Type::s4, Type::s4, Type::s32},
    {{8, 8, 4}, Type::f64, Type::f64, Type::f64, Type::f64},
    {{16, 8, 4}, Type::f64, Type::f64, Type::f64, Type::f64},
    {{16, 8, 8}, Type::f64, Type::f64, Type::f64, Type::f64},
    {{16, 8, 16}, Type::f64, Type::f64, Type::f64, Type::f64},
    {{16, 8, 32}, Type::f32, Type::e4m3, Type::e5m2, Type::f32},
    {{16, 8, 32}, Type::f16, Type::e5m2, Type::e4m3, Type::f16},
};
const std::vector<Case> kWmma = {
    {{16, 16, 16}, Type::f32, Type::f16, Type::f16, Type::f32},
    {{16, 16, 16}, Type::f16, Type::f16, Type::f16, Type::f16},
    {{16, 16, 16}, Type::f16, Type::f16, Type::f16, Type::f32},
    {{32, 8, 16}, Type::f32, Type::f16, Type::f16, Type::f32},
    {{8, 32, 16}, Type::f32, Type::f16, Type::f16, Type::f16},
    {{16, 16, 16}, Type::f32, Type::bf16, Type::bf16, Type::f32},
    {{32, 8, 16}, Type::f32, Type::bf16, Type::bf16, Type::f32},
    {{8, 32, 16}, Type::f32, Type::bf16, Type::bf16, Type::f32},
    {{16, 16, 16}, Type::s32, Type::s8, Type::s8, Type::s32},
    {{32, 8, 16}, Type::s32, Type::u8, Type::u8, Type::s32},
    {{8, 32, 16}, Type::s32, Type::s8, Type::s8, Type::s32},
    {{16, 16, 8}, Type::f32, Type::tf32, Type::tf32, Type::f32},
    {{8, 8, 4}, Type::f64, Type::f64, Type::f64, Type::f64},
};

FragmentShape part(const Case& c, Fragment which) {
  const Type type = which == Fragment::a   ? c.a
                    : which == Fragment::b ? c.b
                    : which == Fragment::c ? c.c
                                           : c.d;
  return {which, c.shape, type};
}
int rows_of(const FragmentShape& f) { return f.which == Fragment::b ? f.shape[2] : f.shape[0]; }
int columns_of(const FragmentShape& f) { return f.which == Fragment::a ? f.shape[2] : f.shape[1]; }

// Small whole numbers, so that every order of summation gives the same exact result.
using Matrix = std::vector<std::vector<int>>;
Matrix random_matrix(const FragmentShape& f, std::mt19937& random) {
  const bool no_sign = f.type == Type::u8 || f.type == Type::u4;
  Matrix m(static_cast<std::size_t>(rows_of(f)), std::vector<int>(static_cast<std::size_t>(columns_of(f))));
  for (auto& row : m) {
    for (int& x : row) x = static_cast<int>(random() % 8) - (no_sign ? 0 : 4);
  }
  return m;
}
std::uint64_t code(int x, Type type) {
  const bool integer = detail::is_integer(type);
  if (integer)
    return detail::zero_extend(static_cast<std::uint64_t>(static_cast<std::int64_t>(x)), bits_of(type));
  return from_double(x, detail::format_of(type));
}
int number(std::uint64_t bits, Type type) {
  if (type == Type::s32) return static_cast<int>(detail::sign_extend(bits, 32));
  return static_cast<int>(to_double(bits, detail::format_of(type)));
}

struct Unit {
  int (*registers)(const FragmentShape&);
  MatrixPosition (*position)(const FragmentShape&, int, int);
  bool (*multiply)(const ptx::Instruction&, std::span<const Lanes>, std::span<const Lanes>,
                   std::span<const Lanes>, std::span<Lanes>);
};
const Unit kMmaUnit{mma_registers, mma_position, mma};
const Unit kWmmaUnit{wmma_registers, wmma_position, wmma};

int elements(const Unit& unit, const FragmentShape& f) { return unit.registers(f) * 32 / bits_of(f.type); }

std::vector<Lanes> loaded(const Unit& unit, const FragmentShape& f, const Matrix& m) {
  std::vector<Lanes> registers(static_cast<std::size_t>(unit.registers(f)));
  for (int lane = 0; lane < kWarpLanes; ++lane) {
    for (int i = 0; i < elements(unit, f); ++i) {
      const MatrixPosition at = unit.position(f, lane, i);
      const int x = m[static_cast<std::size_t>(at.row)][static_cast<std::size_t>(at.column)];
      set_fragment_element(registers, lane, i, bits_of(f.type), code(x, f.type));
    }
  }
  return registers;
}

void expect_product(const Unit& unit, const Case& test) {
  std::mt19937 random(9);
  const FragmentShape a = part(test, Fragment::a), b = part(test, Fragment::b), c = part(test, Fragment::c),
                      d = part(test, Fragment::d);
  const Matrix ma = random_matrix(a, random), mb = random_matrix(b, random), mc = random_matrix(c, random);
  ptx::Instruction i;
  i.shape = test.shape;
  i.matrix_types = {test.d, test.a, test.b, test.c};
  std::vector<Lanes> result(static_cast<std::size_t>(unit.registers(d)));
  ASSERT_TRUE(unit.multiply(i, loaded(unit, a, ma), loaded(unit, b, mb), loaded(unit, c, mc), result));
  for (int lane = 0; lane < kWarpLanes; ++lane) {
    for (int e = 0; e < elements(unit, d); ++e) {
      const MatrixPosition at = unit.position(d, lane, e);
      const auto row = static_cast<std::size_t>(at.row), column = static_cast<std::size_t>(at.column);
      int expected = mc[row][column];
      for (std::size_t k = 0; k < test.shape[2]; ++k) expected += ma[row][k] * mb[k][column];
      EXPECT_EQ(number(fragment_element(result, lane, e, bits_of(d.type)), d.type), expected)
          << lane << " " << e;
    }
  }
}

void expect_covers_the_matrix(const Unit& unit, const FragmentShape& f) {
  std::multiset<std::pair<int, int>> seen;
  for (int lane = 0; lane < kWarpLanes; ++lane) {
    for (int i = 0; i < elements(unit, f); ++i) {
      const MatrixPosition at = unit.position(f, lane, i);
      ASSERT_TRUE(at.row >= 0 && at.row < rows_of(f) && at.column >= 0 && at.column < columns_of(f));
      seen.insert({at.row, at.column});
    }
  }
  const auto times = seen.count({0, 0});
  for (int r = 0; r < rows_of(f); ++r) {
    for (int c = 0; c < columns_of(f); ++c) EXPECT_EQ(seen.count({r, c}), times) << r << " " << c;
  }
}

TEST(Mma, EqualsTheNaiveProductThroughItsLayouts) {
  for (const Case& test : kMma) expect_product(kMmaUnit, test);
}
TEST(Wmma, EqualsTheNaiveProductThroughItsLayouts) {
  for (const Case& test : kWmma) expect_product(kWmmaUnit, test);
}
TEST(Matrix, EveryFragmentHoldsEveryElementEquallyOften) {
  for (const Fragment which : {Fragment::a, Fragment::b, Fragment::c, Fragment::d}) {
    for (const Case& test : kMma) expect_covers_the_matrix(kMmaUnit, part(test, which));
    for (const Case& test : kWmma) expect_covers_the_matrix(kWmmaUnit, part(test, which));
  }
}

// Spot checks copied from the formulas under the figures of PTX ISA 9.7.14.5.
TEST(Mma, LayoutIsTheIsas) {
  const FragmentShape a{Fragment::a, {16, 8, 16}, Type::f16};
  EXPECT_EQ(mma_position(a, 13, 0), (MatrixPosition{3, 2}));   // row = groupID, col = threadID_in_group * 2
  EXPECT_EQ(mma_position(a, 13, 3), (MatrixPosition{11, 3}));  // row + 8 for 2 <= i < 4
  EXPECT_EQ(mma_position(a, 13, 4), (MatrixPosition{3, 10}));  // col + 8 for i >= 4
  EXPECT_EQ(mma_position(a, 13, 7), (MatrixPosition{11, 11}));
  const FragmentShape b{Fragment::b, {16, 8, 16}, Type::bf16};
  EXPECT_EQ(mma_position(b, 13, 1), (MatrixPosition{3, 3}));  // row = threadID * 2 + i, col = groupID
  EXPECT_EQ(mma_position(b, 13, 2), (MatrixPosition{10, 3}));
  const FragmentShape c{Fragment::c, {16, 8, 16}, Type::f32};
  EXPECT_EQ(mma_position(c, 31, 3), (MatrixPosition{15, 7}));
  const FragmentShape tf32{Fragment::a, {16, 8, 8}, Type::tf32};
  EXPECT_EQ(mma_position(tf32, 6, 1), (MatrixPosition{9, 2}));
  EXPECT_EQ(mma_position(tf32, 6, 2), (MatrixPosition{1, 6}));
  const FragmentShape s8{Fragment::a, {16, 8, 32}, Type::s8};
  EXPECT_EQ(mma_position(s8, 6, 9), (MatrixPosition{1, 25}));  // i 8 to 11: col = threadID * 4 + (i & 3) + 16
}

// Read off an H100 with wmma.load of a matrix of indices.
TEST(Wmma, LayoutIsAnH100s) {
  const FragmentShape c{Fragment::c, {16, 16, 16}, Type::f32}, wide_c{Fragment::c, {8, 32, 16}, Type::f32};
  const FragmentShape a{Fragment::a, {32, 8, 16}, Type::f16}, wide_a{Fragment::a, {8, 32, 16}, Type::f16};
  const FragmentShape b{Fragment::b, {16, 16, 16}, Type::f16}, wide_b{Fragment::b, {8, 32, 16}, Type::f16};
  EXPECT_EQ(wmma_position(c, 1, 6), (MatrixPosition{8, 10}));
  EXPECT_EQ(wmma_position(wide_c, 1, 3), (MatrixPosition{3, 8}));
  EXPECT_EQ(wmma_position(wide_c, 1, 6), (MatrixPosition{2, 24}));
  EXPECT_EQ(wmma_position(a, 5, 10), (MatrixPosition{25, 2}));
  EXPECT_EQ(wmma_position(a, 5, 13), (MatrixPosition{17, 11}));
  EXPECT_EQ(wmma_position(wide_a, 5, 6), (MatrixPosition{1, 10}));
  EXPECT_EQ(wmma_position(b, 5, 5), (MatrixPosition{3, 9}));
  EXPECT_EQ(wmma_position(b, 5, 13), (MatrixPosition{3, 9}));
  EXPECT_EQ(wmma_position(wide_b, 5, 2), (MatrixPosition{2, 9}));
  EXPECT_EQ(wmma_position(wide_b, 5, 11), (MatrixPosition{3, 25}));
}

TEST(Matrix, RegisterCountsAreTheIsas) {
  EXPECT_EQ(mma_registers({Fragment::a, {16, 8, 16}, Type::f16}), 4);
  EXPECT_EQ(mma_registers({Fragment::b, {16, 8, 16}, Type::f16}), 2);
  EXPECT_EQ(mma_registers({Fragment::d, {16, 8, 16}, Type::f16}), 2);
  EXPECT_EQ(mma_registers({Fragment::d, {16, 8, 16}, Type::f32}), 4);
  EXPECT_EQ(mma_registers({Fragment::a, {8, 8, 4}, Type::f64}), 2);
  EXPECT_EQ(wmma_registers({Fragment::a, {8, 32, 16}, Type::f16}), 8);
  EXPECT_EQ(wmma_registers({Fragment::b, {32, 8, 16}, Type::bf16}), 2);
  EXPECT_EQ(wmma_registers({Fragment::b, {8, 32, 16}, Type::u8}), 4);
  EXPECT_EQ(wmma_registers({Fragment::c, {16, 16, 16}, Type::f16}), 4);
  EXPECT_EQ(wmma_registers({Fragment::a, {16, 16, 8}, Type::tf32}), 4);
  EXPECT_EQ(mma_registers({Fragment::a, {16, 8, 12}, Type::f16}), 0);
  EXPECT_EQ(wmma_registers({Fragment::a, {16, 16, 32}, Type::f16}), 0);
}

TEST(Mma, RefusesWhatItDoesNotKnow) {
  ptx::Instruction i;
  i.shape = {16, 8, 16};
  i.matrix_types = {Type::f32, Type::f16, Type::bf16, Type::f32};
  std::vector<Lanes> a(4), b(2), c(4), d(4, Lanes{7});
  EXPECT_FALSE(mma(i, a, b, c, d)) << "f16 times bf16";
  i.matrix_types = {Type::f32, Type::f16, Type::f16, Type::f32};
  EXPECT_FALSE(mma(i, a, a, c, d)) << "too many registers for b";
  EXPECT_EQ(d[0][0], 7u);
  EXPECT_TRUE(mma(i, a, b, d, d)) << "d may be c";
  EXPECT_EQ(d[0][0], 7u);
}

ptx::Instruction integer_product(bool saturate) {
  ptx::Instruction i;
  i.shape = {8, 8, 16};
  i.matrix_types = {Type::s32, Type::s8, Type::s8, Type::s32};
  i.saturate_finite = saturate;
  return i;
}
TEST(Mma, IntegersWrapOrSaturate) {
  std::vector<Lanes> a(1), b(1), c(2), d(2);
  a[0].fill(0x7f7f7f7f);
  b[0].fill(0x7f7f7f7f);
  c[0].fill(0x7fffffff);
  ASSERT_TRUE(mma(integer_product(false), a, b, c, d));
  EXPECT_EQ(d[0][0], 0x7fffffffu + 16 * 127 * 127);
  ASSERT_TRUE(mma(integer_product(true), a, b, c, d));
  EXPECT_EQ(d[0][0], 0x7fffffffu);
}

TEST(Mma, Tf32IgnoresTheLowBitsAndNanIsCanonical) {
  ptx::Instruction i;
  i.shape = {16, 8, 8};
  i.matrix_types = {Type::f32, Type::tf32, Type::tf32, Type::f32};
  std::vector<Lanes> a(4), b(2), c(4), d(4);
  for (auto& r : a) r.fill(0x3f801fff);
  for (auto& r : b) r.fill(0x3f800000);
  ASSERT_TRUE(mma(i, a, b, c, d));
  EXPECT_EQ(d[0][0], 0x41000000u);
  b[0][0] = 0x7fc00000;  // (k 0, column 0)
  ASSERT_TRUE(mma(i, a, b, c, d));
  EXPECT_EQ(d[0][0], 0x7fffffffu);
  EXPECT_EQ(d[1][0], 0x41000000u) << "column 1 has no NaN";
}

// Values recorded on an H100: lane 0's first element where all rows and columns are alike.
TEST(Mma, CutsOffLikeAnH100) {
  ptx::Instruction i;
  i.shape = {16, 8, 8};
  i.matrix_types = {Type::f32, Type::f16, Type::f16, Type::f32};
  std::vector<Lanes> a(2), b(1), c(4), d(4);
  a[0].fill(0x00013c00);  // 1 and 2^-24 along k, by turns
  b[0].fill(0x3c003c00);
  for (auto& r : c) r.fill(0x3f800000);
  ASSERT_TRUE(mma(i, a, b, c, d));  // 1 + 4 * (1 + 2^-24): the last 2^-22 is half a unit of 5, cut off
  EXPECT_EQ(d[0][0], 0x40a00000u);
  a[0].fill(0x0001bc00);  // 1 - 4 + 2^-22 = -(3 - 2^-22), representable
  ASSERT_TRUE(mma(i, a, b, c, d));
  EXPECT_EQ(d[0][0], 0xc03fffffu);
}

TEST(LoadMatrix, PutsRowsAndColumnsWhereTheIsaSays) {
  std::vector<MatrixRow> rows(32);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t k = 0; k < 8; ++k) {
      const auto half = static_cast<std::uint16_t>(100 * r + k);
      std::memcpy(rows[r].data() + 2 * k, &half, 2);
    }
  }
  std::vector<Lanes> d(4);
  load_matrices(rows, false, d);
  EXPECT_EQ(d[0][0], 1u << 16 | 0u);
  EXPECT_EQ(d[0][7], (107u << 16) | 106u);     // lane 7: row 1, elements 6 and 7
  EXPECT_EQ(d[3][30], (3105u << 16) | 3104u);  // matrix 3, row 7
  load_matrices(rows, true, d);
  EXPECT_EQ(d[0][7], (701u << 16) | 601u);  // column 1, rows 6 and 7
  std::vector<MatrixRow> back(32);
  store_matrices(d, true, back);
  EXPECT_EQ(back, rows);
  std::vector<Lanes> plain(4);
  load_matrices(rows, false, plain);
  EXPECT_EQ(transposed_matrix(plain[2]), d[2]);
  EXPECT_EQ(matrix_row_lane(3, 7), 31);
}

TEST(Wmma, AccumulatorsOfBothTypesAgreeIndexByIndex) {
  for (const Shape& shape : {Shape{16, 16, 16}, Shape{32, 8, 16}, Shape{8, 32, 16}}) {
    for (int lane = 0; lane < kWarpLanes; ++lane) {
      for (int i = 0; i < 8; ++i) {
        EXPECT_EQ(wmma_position({Fragment::c, shape, Type::f16}, lane, i),
                  wmma_position({Fragment::d, shape, Type::f32}, lane, i));
      }
    }
  }
}

TEST(Wmma, OffsetsFollowTheLayout) {
  EXPECT_EQ(element_offset({3, 5}, ptx::Layout::row, 20), 65);
  EXPECT_EQ(element_offset({3, 5}, ptx::Layout::col, 20), 103);
}

}  // namespace
}  // namespace warplens::emulator
