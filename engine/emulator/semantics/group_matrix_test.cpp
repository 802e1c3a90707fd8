#include "engine/emulator/semantics/group_matrix.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <random>
#include <set>

#include "engine/emulator/semantics/aligned_product.hpp"
#include "engine/emulator/semantics/rounding.hpp"
#include "engine/ptx/parser.hpp"

namespace warplens::emulator {
namespace {

using ptx::Type;

ptx::Instruction product_of(Type d, Type a, Type b, int columns, int depth) {
  ptx::Instruction i;
  i.opcode = ptx::Opcode::wgmma_mma_async;
  i.shape = {64, static_cast<std::uint16_t>(columns), static_cast<std::uint16_t>(depth)};
  i.matrix_types = {d, a, b, Type::none};
  return i;
}

TEST(GroupShape, KnowsTheShapesOfTheIsa) {
  EXPECT_TRUE(group_shape(product_of(Type::f32, Type::bf16, Type::bf16, 256, 16)));
  EXPECT_TRUE(group_shape(product_of(Type::f16, Type::f16, Type::f16, 8, 16)));
  EXPECT_TRUE(group_shape(product_of(Type::f32, Type::tf32, Type::tf32, 104, 8)));
  EXPECT_TRUE(group_shape(product_of(Type::f16, Type::e4m3, Type::e5m2, 64, 32)));
  EXPECT_TRUE(group_shape(product_of(Type::s32, Type::s8, Type::u8, 24, 32)));
  EXPECT_FALSE(group_shape(product_of(Type::s32, Type::s8, Type::u8, 40, 32)));
  EXPECT_FALSE(group_shape(product_of(Type::f16, Type::bf16, Type::bf16, 64, 16)));
  EXPECT_FALSE(group_shape(product_of(Type::f32, Type::bf16, Type::f16, 64, 16)));
  EXPECT_FALSE(group_shape(product_of(Type::f32, Type::bf16, Type::bf16, 264, 16)));
  EXPECT_FALSE(group_shape(product_of(Type::f32, Type::bf16, Type::bf16, 12, 16)));
  EXPECT_FALSE(group_shape(product_of(Type::f32, Type::bf16, Type::bf16, 64, 8)));
}

TEST(GroupShape, EveryElementHasOnePlace) {
  std::set<std::pair<int, int>> sums, of_a;
  for (int lane = 0; lane < 32; ++lane) {
    for (int i = 0; i < 32; ++i) {
      const MatrixPosition at = group_sum_position(lane, i);
      sums.insert({at.row, at.column});
    }
    for (int i = 0; i < 8; ++i) {
      const MatrixPosition at = group_a_position(2, lane, i);
      of_a.insert({at.row, at.column});
      EXPECT_EQ(at, mma_position({ptx::Fragment::a, {16, 8, 16}, Type::bf16}, lane, i));  // as mma has it
    }
  }
  EXPECT_EQ(sums.size(), 16u * 64);
  EXPECT_EQ(sums.rbegin()->second, 63);
  EXPECT_EQ(of_a.size(), 16u * 16);
}

// One warp's product from random bits, element by element against aligned_sum.
struct Trial {
  Type type = Type::bf16;
  const FloatFormat* format = &kBf16;
  int columns = 24;
  std::uint32_t mask = 0xffffffffu;  // of the bits that are random
  std::uint32_t set = 0;
};

std::vector<std::uint32_t> random_bits(std::size_t count, const Trial& trial, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::uint32_t> bits(count);
  for (auto& one : bits) one = (static_cast<std::uint32_t>(random()) & trial.mask) | trial.set;
  return bits;
}

void expect_exact(const Trial& trial) {
  const int bytes = ptx::size_in_bytes(trial.type), depth = 32 / bytes;
  const GroupShape shape{trial.columns, depth, Type::f32, trial.type, trial.type};
  const auto of = [&](int n) { return static_cast<std::size_t>(n); };
  const auto a = random_bits(of(16 * depth), trial, 1), b = random_bits(of(depth * trial.columns), trial, 2);
  std::array<std::byte, 16> chunk{};
  const int per_chunk = 16 / bytes;
  GroupB all_of_b(shape);
  for (int k = 0; k < depth; ++k)
    for (int n = 0; n < trial.columns; n += per_chunk) {
      for (int i = 0; i < per_chunk; ++i)
        std::memcpy(chunk.data() + i * bytes, &b[of(k * trial.columns + n + i)], of(bytes));
      all_of_b.put(k, n, false, chunk.data());
    }
  GroupProduct product(shape);
  for (int row = 0; row < 16; ++row)
    for (int k = 0; k < depth; k += per_chunk) {
      for (int i = 0; i < per_chunk; ++i)
        std::memcpy(chunk.data() + i * bytes, &a[of(row * depth + k + i)], of(bytes));
      product.put_a(row, k, true, chunk.data());
    }
  std::vector<std::array<std::uint32_t, 32>> words(of(shape.d_registers()));
  std::mt19937 random(3);
  for (auto& word : words)
    for (auto& lane : word)
      lane = std::bit_cast<std::uint32_t>(static_cast<float>(random() % 2000) / 64 - 15);
  const auto before = words;
  std::vector<std::uint32_t*> registers;
  for (auto& word : words) registers.push_back(word.data());
  product.multiply(all_of_b, true, false, registers);
  const std::uint32_t seen = trial.type == Type::tf32 ? ~0x1fffu : 0xffffffffu;
  const auto element = [&](std::uint32_t bits) {
    return term_of(bits & seen & static_cast<std::uint32_t>((std::uint64_t{1} << 8 * bytes) - 1),
                   *trial.format);
  };
  for (int i = 0; i < shape.d_registers(); ++i)
    for (int lane = 0; lane < 32; ++lane) {
      const MatrixPosition at = group_sum_position(lane, i);
      std::vector<Term> terms{term_of(before[of(i)][of(lane)], kF32)};
      for (int k = 0; k < depth; ++k) {
        const Term x = element(a[of(at.row * depth + k)]), y = element(b[of(k * trial.columns + at.column)]);
        terms.push_back({x.value * y.value, x.exponent + y.exponent});
      }
      ASSERT_EQ(words[of(i)][of(lane)], static_cast<std::uint32_t>(aligned_sum(terms, kF32)))
          << "row " << at.row << " column " << at.column;
    }
}

TEST(GroupProduct, OfUsualNumbersIsTheAlignedSum) {
  // Exponents within 16 of each other.
  expect_exact({Type::bf16, &kBf16, 24, 0x87ff, 0x3c00});
  expect_exact({Type::bf16, &kBf16, 256, 0x83ff, 0x3c00});
  expect_exact({Type::f16, &kF16, 64, 0xbfff, 0});
  expect_exact({Type::tf32, &kTf32, 40, 0x83ffffff, 0x3c000000});
}

TEST(GroupProduct, OfAnyBitsIsTheAlignedSum) {
  expect_exact({Type::bf16, &kBf16, 64, 0xffff, 0});  // infinities and NaN too
  expect_exact({Type::bf16, &kBf16, 64, 0xbfff, 0});
  expect_exact({Type::bf16, &kBf16, 64, 0x80ff, 0});  // subnormals
  expect_exact({Type::f16, &kF16, 16, 0xffff, 0});
  expect_exact({Type::f16, &kF16, 16, 0x8000, 0});  // zeros of both signs
  expect_exact({Type::tf32, &kTf32, 8, 0xffffffff, 0});
}

}  // namespace
}  // namespace warplens::emulator
