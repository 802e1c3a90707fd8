// mma.sp of every shape and type, and mma of small ones, from PTX: fragments, metadata and sums as an H200 has them,
// bit by bit.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <fstream>
#include <sstream>

#include "engine/base/testing/places.hpp"
#include "engine/emulator/testing/ptx_trial.hpp"

namespace warplens::emulator {
namespace {

constexpr int kDense = -1;

struct MeasuredProduct {
  int depth = 0, selector = kDense;
  std::string d, a, b, c;  // types
  Words in, out;           // 32 words each register: a, b, c, metadata if sparse; d
  bool is_dense() const { return selector == kDense; }
};

int element_bits(const std::string& type) {
  return type == "f16" || type == "bf16"          ? 16
         : type == "s4"                           ? 4
         : type == "tf32" || type.ends_with("32") ? 32
                                                  : 8;
}
std::size_t fragment_words(int elements, const std::string& type) {
  return static_cast<std::size_t>(elements * element_bits(type) / 32 / 32);
}
std::size_t words_of_a(const MeasuredProduct& row) {
  return fragment_words(16 * row.depth / (row.is_dense() ? 1 : 2), row.a);
}
std::size_t words_of_b(const MeasuredProduct& row) { return fragment_words(8 * row.depth, row.b); }
std::size_t words_of_metadata(const MeasuredProduct& row) { return row.is_dense() ? 0 : 1; }
std::size_t words_of_sum(const MeasuredProduct& row) { return fragment_words(128, row.d); }

std::vector<MeasuredProduct> measured_products() {
  std::ifstream file(source_path("engine/emulator/testdata/h200_products.txt"));
  std::vector<MeasuredProduct> rows;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("#")) continue;
    std::istringstream words(line);
    MeasuredProduct row;
    words >> row.depth >> row.d >> row.a >> row.b >> row.c >> row.selector >> std::hex;
    const std::size_t in =
        32 * (words_of_a(row) + words_of_b(row) + words_of_sum(row) + words_of_metadata(row));
    for (std::uint32_t word = 0; words >> word;) (row.in.size() < in ? row.in : row.out).push_back(word);
    rows.push_back(row);
  }
  return rows;
}

std::string register_list(std::size_t first, std::size_t registers) {
  std::string text;
  for (std::size_t r = first; r < first + registers; ++r)
    text += fmt::format("{}%r{}", text.empty() ? "" : ", ", r);
  return "{" + text + "}";
}

// Register r of a lane is the word 32 r + lane of `in`; those of d follow.
std::string product_text(const MeasuredProduct& row) {
  const std::size_t a = words_of_a(row), b = words_of_b(row), c = words_of_sum(row);
  const std::size_t all = a + b + c + words_of_metadata(row);
  std::string text =
      kHead +
      ".visible .entry k(.param .u64 in, .param .u64 out, .param .u32 n)\n{\n.reg .b64 %d<4>;\n"
      ".reg .b32 %r<32>, %t;\nld.param.u64 %d0, [in];\nld.param.u64 %d1, [out];\nmov.u32 %t, %tid.x;\n"
      "mul.wide.u32 %d2, %t, 4;\nadd.s64 %d0, %d0, %d2;\nadd.s64 %d1, %d1, %d2;\n";
  for (std::size_t r = 0; r < all; ++r) text += fmt::format("ld.global.u32 %r{}, [%d0+{}];\n", r, 128 * r);
  text += fmt::format("mma{}.sync.aligned.m16n8k{}.row.col{}.{}.{}.{}.{} {}, {}, {}, {}{};\n",
                      row.is_dense() ? "" : ".sp::ordered_metadata", row.depth,
                      row.a == "u8" ? ".satfinite" : "", row.d, row.a, row.b, row.c, register_list(all, c),
                      register_list(0, a), register_list(a, b), register_list(a + b, c),
                      row.is_dense() ? "" : fmt::format(", %r{}, {}", all - 1, row.selector));
  for (std::size_t r = 0; r < c; ++r)
    text += fmt::format("st.global.u32 [%d1+{}], %r{};\n", 128 * r, all + r);
  return text + "ret;\n}\n";
}

struct ProductRun {
  Words out;
  TensorCounts counts;
  std::string error;
};
ProductRun run_product(const MeasuredProduct& row) {
  Bench bench(product_text(row));
  EXPECT_EQ(bench.error(), "") << product_text(row);
  const auto in = bench.buffer("in", row.in), out = bench.buffer("out", Words(row.out.size()));
  Launch launch;
  launch.block = {32, 1, 1};
  launch.arguments = ArgumentList().add(in).add(out).add(std::uint32_t{0}).bytes();
  const auto outcome = bench.run(launch);
  if (!outcome) return {{}, {}, outcome.error().message};
  if (outcome->fault) return {{}, {}, outcome->fault->error.message};
  return {bench.read<std::uint32_t>(out, row.out.size()), outcome->counters.tensor, ""};
}

TEST(Products, AreThoseOfAnH200) {
  const auto rows = measured_products();
  ASSERT_EQ(rows.size(), 39u);
  for (const MeasuredProduct& row : rows) {
    const ProductRun run = run_product(row);
    ASSERT_EQ(run.error, "") << row.a << row.depth;
    EXPECT_EQ(run.out, row.out) << row.a << row.depth << " " << row.selector;
    const bool is_small =
        element_bits(row.a) == 4 || row.a.starts_with("e");  // the machine makes two of such a one
    EXPECT_EQ(run.counts.half_products + run.counts.integer_products, is_small ? 2u : 1u) << row.a;
    EXPECT_EQ(run.counts.operations, 2u * 16 * 8 * static_cast<unsigned>(row.depth));
  }
}

TEST(Products, WithoutTwoPlacesOfAGroupAreRefused) {
  MeasuredProduct row = measured_products().front();
  const std::size_t metadata = row.in.size() - 32;
  row.in[metadata + static_cast<std::size_t>(row.selector)] = 0;  // the same place twice
  EXPECT_NE(run_product(row).error.find("sparse"), std::string::npos) << run_product(row).error;
}

}  // namespace
}  // namespace warplens::emulator
