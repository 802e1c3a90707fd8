// Where elements are seen in registers and in shared memory, against the rules of the PTX ISA.
#include "engine/run/derived/tensor_work.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/emulator/semantics/matrix.hpp"
#include "engine/run/testing/run_support.hpp"
#include "engine/tensor/matrix_descriptor.hpp"

namespace warplens::run {
namespace {

using trace::TensorProduct, trace::TensorWork;

class TensorWorkOf : public testing::Test {
 protected:
  void SetUp() override {
    if (!compiler().available()) GTEST_SKIP() << compiler().description();
  }
  TensorWork of(const std::string& id, std::uint64_t block = 0) {
    const auto run = run_of(*kernels().find(id), {}, {{"M", 256}, {"N", 256}, {"K", 192}});
    EXPECT_TRUE(run) << to_line(run.error());
    run_ = *run;
    auto work = tensor_work_of(*run_, block);
    EXPECT_TRUE(work) << id << " " << to_line(work.error());
    return work ? *std::move(work) : TensorWork{};
  }
  const ptx::Instruction& instruction(std::uint32_t pc) { return run_->kernel->function().code[pc]; }
  // Row of A or column of B, and k: both lie in memory along k.
  struct InMatrix {
    int line = 0, k = 0;
    bool operator==(const InMatrix&) const = default;
  };
  InMatrix matrix_place(const TensorWork& work, trace::ElementNumber number) {
    const auto place = trace::place_of(work, number);
    EXPECT_TRUE(place);
    const auto length = static_cast<std::uint64_t>(run_->plan().sizes.at("K"));
    return {static_cast<int>(place->element / length), static_cast<int>(place->element % length)};
  }
  // Of B: its row is k.
  static emulator::MatrixPosition turned(InMatrix place) { return {place.k, place.line}; }
  emulator::MatrixPosition row_and_column(const TensorWork& work, trace::ElementNumber number) {
    const auto place = trace::place_of(work, number);
    EXPECT_TRUE(place);
    const auto length = static_cast<std::uint64_t>(run_->plan().sizes.at("N"));
    return {static_cast<int>(place->element / length), static_cast<int>(place->element % length)};
  }
  SharedRun run_;
};

// PTX ISA 9.0, sections 9.7.14.5.8 to .10 "Matrix fragments for mma.m16n8k16, m16n8k32, m16n8k8": what ldmatrix brought is
// what the rule says, wherever padding or a swizzle of the kernel had put it, and whether or not it was rounded on its way.
TEST_F(TensorWorkOf, MmaHasItsFragmentsWhereTheIsaSaysSo) {
  for (const char* id : {"tensor/04_mma_ldmatrix", "tensor/05_swizzle", "tensor/06_cp_async",
                         "tensor/08_warp_tile", "tensor_int8/04_mma_ldmatrix", "tensor_int8/05_stages",
                         "tensor_tf32/01_mma", "tensor_tf32/02_stages"}) {
    const TensorWork work = of(id);
    const bool b_lies_by_rows = std::string(id).starts_with("tensor_tf32");
    ASSERT_FALSE(work.products.empty()) << id;
    for (const TensorProduct& product : work.products) {
      const ptx::Instruction& i = instruction(product.pc);
      const emulator::FragmentShape a{ptx::Fragment::a, i.shape, i.matrix_types[1]},
          b{ptx::Fragment::b, i.shape, i.matrix_types[2]};
      const auto b_place = [&](trace::ElementNumber number) {
        return b_lies_by_rows ? row_and_column(work, number) : turned(matrix_place(work, number));
      };
      const auto a0 = matrix_place(work, product.a[0]);
      const auto b0 = b_place(product.b[0]);
      const int depth = i.shape[2], of_a = 16 * depth / 32, of_b = 8 * depth / 32;
      ASSERT_EQ(product.a.size(), static_cast<std::size_t>(16 * depth));
      ASSERT_EQ(product.b.size(), static_cast<std::size_t>(8 * depth));
      for (int lane = 0; lane < 32; ++lane) {
        for (int e = 0; e < of_a; ++e) {
          const auto rule = emulator::mma_position(a, lane, e);
          const auto seen = matrix_place(work, product.a[static_cast<std::size_t>(lane * of_a + e)]);
          ASSERT_EQ(seen, (InMatrix{a0.line + rule.row, a0.k + rule.column})) << id;
        }
        for (int e = 0; e < of_b; ++e) {
          const auto rule = emulator::mma_position(b, lane, e);
          const auto seen = b_place(product.b[static_cast<std::size_t>(lane * of_b + e)]);
          ASSERT_EQ(seen.row, b0.row + rule.row) << id;
          ASSERT_EQ(seen.column, b0.column + rule.column) << id;
        }
      }
    }
  }
}

// What lies at a row that ldmatrix reads is the first of eight elements of one row of A or one column of B.
TEST_F(TensorWorkOf, RowsOfMatricesAreEightElementsSideBySide) {
  for (const char* id : {"tensor/02_shared_tiles", "tensor/03_padding", "tensor/05_swizzle"}) {
    const TensorWork work = of(id);
    ASSERT_FALSE(work.reads.empty()) << id;
    for (const trace::MatrixRows& rows : work.reads)
      for (std::uint32_t lane = 0; lane < 32; ++lane) {
        if ((rows.lanes >> lane & 1) == 0) continue;
        ASSERT_TRUE(trace::place_of(work, rows.at_row[lane])) << id;
        if (rows.row[lane] == trace::MatrixRows::kToNone) continue;  // read word by word
        for (std::uint32_t e = 0; e < 8; ++e)
          ASSERT_EQ(work.shared[rows.row[lane] / 2 + e], rows.at_row[lane] + e) << id;
      }
  }
}

// PTX ISA 9.0, section 9.7.15.5: the descriptor's rule finds each element where the copy has put it.
TEST_F(TensorWorkOf, DescriptorsFindTheElementsThatTheCopyBrought) {
  for (const char* id : {"tensor/09_wgmma_tma", "tensor/11_producer_consumer", "tensor/13_persistent",
                         "tensor/15_cluster_multicast", "tensor/18_stmatrix"}) {
    const TensorWork work = of(id);
    ASSERT_FALSE(work.products.empty()) << id;
    ASSERT_FALSE(work.boxes.empty()) << id;
    const TensorProduct& first = work.products.front();
    EXPECT_TRUE(first.a.empty());
    const auto descriptor = tensor::MatrixDescriptor::from(first.a_descriptor);
    EXPECT_EQ(descriptor.swizzle, tensor::Swizzle::b128) << id;
    const auto at = [&](std::uint32_t row, std::uint32_t k) {
      return work.shared[tensor::element_address(descriptor, tensor::Major::k, row, k, 2) / 2];
    };
    const auto origin = matrix_place(work, at(0, 0));
    for (std::uint32_t row = 0; row < 64; ++row)
      for (std::uint32_t k = 0; k < 16; ++k)
        ASSERT_EQ(matrix_place(work, at(row, k)),
                  (InMatrix{origin.line + static_cast<int>(row), origin.k + static_cast<int>(k)}))
            << id;
  }
}

TEST_F(TensorWorkOf, BoxesThatReachBeyondTheMatrixBringZeros) {
  const auto run = run_of(*kernels().find("tensor/09_wgmma_tma"), {}, {{"M", 72}, {"N", 64}, {"K", 72}});
  ASSERT_TRUE(run);
  const auto work = tensor_work_of(**run, 1);  // rows 64 to 127, of which 8 are there
  ASSERT_TRUE(work) << to_line(work.error());
  const trace::BoxCopy& box = work->boxes.front();
  EXPECT_EQ(box.at[1], 64);
  const auto first = work->shared.begin() + box.shared / 2;
  EXPECT_EQ(std::count(first, first + 64 * 64, trace::kNoElement), 56 * 64);
}

TEST_F(TensorWorkOf, OthersHaveNone) {
  const auto run = run_of(*kernels().find("matmul/01_naive"), {}, {{"M", 64}, {"N", 64}, {"K", 64}});
  const auto work = tensor_work_of(**run, 0);
  ASSERT_FALSE(work);
  EXPECT_EQ(work.error().message, "this kernel multiplies without tensor cores");
}

}  // namespace
}  // namespace warplens::run
