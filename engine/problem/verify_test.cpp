#include <gmock/gmock.h>

#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <thread>

#include "engine/problem/comparison.hpp"
#include "engine/problem/input.hpp"
#include "engine/problem/testing/test_instance.hpp"

namespace warplens::problem {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinite = std::numeric_limits<float>::infinity();

using Sizes = std::array<std::int64_t, 3>;
Values sgemm_sizes(const Sizes& s) { return {{"M", s[0]}, {"N", s[1]}, {"K", s[2]}}; }

class RightProducts : public testing::TestWithParam<Sizes> {};

TEST_P(RightProducts, OfEveryPatternVerify) {
  const Values sizes = sgemm_sizes(GetParam());
  for (const Pattern pattern : {Pattern::random, Pattern::ones, Pattern::index, Pattern::identity}) {
    const auto instance = instance_of("sgemm", sizes, pattern);
    const auto c = plain_sgemm(*instance, sizes);
    const Verification verification = instance->verify(bytes_of_floats(c));
    EXPECT_TRUE(verification.verified) << verification.explanation;
    EXPECT_EQ(verification.explanation, "");
    EXPECT_EQ(verification.wrong_elements, 0);
    EXPECT_EQ(verification.first_wrong, -1);
    EXPECT_EQ(verification.checked_elements, GetParam()[0] * GetParam()[1]);
    EXPECT_LE(verification.max_relative_error, verification.tolerance);
    // A bound that right results never come near would let wrong ones through.
    if (pattern == Pattern::index && GetParam()[2] > 64) {
      EXPECT_GT(verification.max_relative_error, verification.tolerance / 100);
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Sizes, RightProducts,
                         testing::Values(Sizes{1, 1, 1}, Sizes{3, 3, 3}, Sizes{35, 79, 19},
                                         Sizes{31, 33, 129}, Sizes{1, 257, 5}, Sizes{257, 1, 257},
                                         Sizes{100, 100, 100}, Sizes{64, 64, 4096}, Sizes{2, 2, 100000}));

class WrongProducts : public testing::Test {
 protected:
  Verification verify_with(std::size_t element, float value) {
    std::vector<float> c = right_;
    c[element] = value;
    return instance_->verify(bytes_of_floats(c));
  }
  const Values sizes_{{"M", 35}, {"N", 79}, {"K", 19}};
  std::shared_ptr<const Instance> instance_ = instance_of("sgemm", sizes_);
  std::vector<float> right_ = plain_sgemm(*instance_, sizes_);
};

TEST_F(WrongProducts, AreToldByPlace) {
  const std::size_t element = 3 * 79 + 5;
  const Verification verification = verify_with(element, right_[element] + 0.001f);
  EXPECT_FALSE(verification.verified);
  EXPECT_EQ(verification.first_wrong, static_cast<std::int64_t>(element));
  EXPECT_EQ(verification.wrong_elements, 1);
  EXPECT_GT(verification.max_relative_error, verification.tolerance);
  EXPECT_THAT(verification.explanation,
              testing::MatchesRegex("C at row 3, column 5 is -?[0-9.]+, expected -?[0-9.]+; "
                                    "1 of 2,765 checked elements is wrong"));
}

TEST_F(WrongProducts, NaNInfinityAndUnwrittenNeverPass) {
  const struct {
    float value;
    const char* text;
  } cases[] = {{kNaN, "C at row 0, column 7 is NaN, expected"},
               {-kNaN, "C at row 0, column 7 is NaN, expected"},
               {kInfinite, "C at row 0, column 7 is infinity, expected"},
               {-kInfinite, "C at row 0, column 7 is -infinity, expected"},
               {std::bit_cast<float>(kUnwritten), "C at row 0, column 7 was not written, expected"}};
  for (const auto& [value, text] : cases) {
    const Verification verification = verify_with(7, value);
    EXPECT_FALSE(verification.verified);
    if (value != std::bit_cast<float>(kUnwritten)) {
      EXPECT_EQ(verification.max_relative_error, kInfinite);
    }
    EXPECT_THAT(verification.explanation, testing::StartsWith(text));
    const bool is_unwritten = std::bit_cast<std::uint32_t>(value) == kUnwritten;
    EXPECT_EQ(verification.mistake, is_unwritten ? Mistake::unwritten : Mistake::differs) << text;
  }
}

TEST_F(WrongProducts, UntouchedOutputIsNotWritten) {
  const Verification verification = instance_->verify(instance_->initial(2));
  EXPECT_FALSE(verification.verified);
  EXPECT_EQ(verification.wrong_elements, 35 * 79);
  EXPECT_EQ(verification.mistake, Mistake::unwritten);
  EXPECT_THAT(verification.explanation, testing::StartsWith("C at row 0, column 0 was not written"));
}

TEST_F(WrongProducts, OfTheWrongLengthAreRefused) {
  EXPECT_EQ(instance_->verify(bytes_of_floats(right_).first(100)).explanation,
            "C has 100 bytes, expected 11060");
  EXPECT_FALSE(instance_->verify({}).verified);
  const std::vector<std::uint8_t> flags(3, 1);
  EXPECT_EQ(instance_->verify(bytes_of_floats(right_), flags).explanation,
            "3 flags of checked elements, expected 2765");
}

TEST(Verify, SeesOneTermMissingAtAnyDepth) {
  for (const std::int64_t depth : {16, 512, 4096, 16384}) {
    const Values sizes{{"M", 32}, {"N", 32}, {"K", depth}};
    const auto instance = instance_of("sgemm", sizes);
    std::vector<float> c = plain_sgemm(*instance, sizes);
    const std::vector<float> a = floats_of(*instance, 0), b = floats_of(*instance, 1);
    const auto n = static_cast<std::size_t>(depth);
    // The last term of each element is left out, as an off-by-one would.
    for (std::size_t i = 0; i < c.size(); ++i) c[i] -= a[(i / 32) * n + n - 1] * b[(n - 1) * 32 + i % 32];
    EXPECT_GT(instance->verify(bytes_of_floats(c)).wrong_elements, 500) << depth;
  }
}

// sum |a||b| is large where the sum itself is nearly 0: a right result may be far off relative to the sum
// alone.
TEST(Verify, CancellationDoesNotFailARightResult) {
  Comparison comparison(sum_tolerance(512));
  comparison.sum(0, 1e-6f, 3e-6, 128);
  EXPECT_TRUE(comparison.result(Buffer{}).verified);
  comparison.sum(1, 1e-6f, 0, 0);  // every term is 0, so the sum has no rounding
  EXPECT_EQ(comparison.result(Buffer{}).wrong_elements, 1);
}

TEST(Verify, ToleranceIsTheStatedFormula) {
  EXPECT_EQ(sum_tolerance(1), 2 * 0x1p-24);
  EXPECT_EQ(sum_tolerance(16), 17 * 0x1p-24);
  EXPECT_EQ(sum_tolerance(6400), 321 * 0x1p-24);
}

TEST(Verify, OnlyCheckedElementsCount) {
  const Values sizes{{"M", 100}, {"N", 90}, {"K", 33}};
  const auto instance = instance_of("sgemm", sizes);
  std::vector<float> c = plain_sgemm(*instance, sizes);
  std::vector<std::uint8_t> checked(c.size(), 0);
  for (std::size_t i = 0; i < c.size(); ++i) {
    const std::size_t row = i / 90, column = i % 90;
    checked[i] = row >= 40 && row < 72 && column >= 30 && column < 70;
    if (checked[i] == 0) c[i] = kNaN;
  }
  const Verification verification = instance->verify(bytes_of_floats(c), checked);
  EXPECT_TRUE(verification.verified) << verification.explanation;
  EXPECT_EQ(verification.checked_elements, 32 * 40);
  EXPECT_FALSE(instance->verify(bytes_of_floats(c)).verified);
  c[41 * 90 + 31] += 1;
  EXPECT_EQ(instance->verify(bytes_of_floats(c), checked).first_wrong, 41 * 90 + 31);
  const std::vector<std::uint8_t> none(c.size(), 0);
  EXPECT_FALSE(instance->verify(bytes_of_floats(c), none).verified);
  EXPECT_EQ(instance->verify(bytes_of_floats(c), none).explanation, "no element was checked");
}

TEST(Verify, ASampleOfALargeProductLeavesTheRestAlone) {
  const Values sizes{{"M", 4096}, {"N", 4096}, {"K", 4096}};
  const auto instance = instance_of("sgemm", sizes, Pattern::ones);
  std::vector<float> c(4096 * 4096, kNaN);
  std::vector<std::uint8_t> checked(c.size(), 0);
  for (std::size_t i = 0; i < 64; ++i) {
    const std::size_t element = i * 65 * 4096 + i * 33;
    checked[element] = 1;
    c[element] = 4096;
  }
  instance->initial(0), instance->initial(1);
  const Verification verification = instance->verify(bytes_of_floats(c), checked);
  EXPECT_TRUE(verification.verified) << verification.explanation;
  EXPECT_EQ(verification.checked_elements, 64);
  EXPECT_EQ(verification.max_relative_error, 0);
}

TEST(Verify, ManyThreadsGetTheSameAnswer) {
  const Values sizes{{"M", 130}, {"N", 70}, {"K", 300}};
  const auto instance = instance_of("sgemm", sizes);
  std::vector<float> c = plain_sgemm(*instance, sizes);
  c[1234] = 9;
  c[77] = kNaN;
  std::vector<Verification> seen(4);
  {
    std::vector<std::jthread> threads;
    for (auto& verification : seen)
      threads.emplace_back([&] { verification = instance->verify(bytes_of_floats(c)); });
  }
  for (const Verification& verification : seen) {
    EXPECT_EQ(verification.first_wrong, 77);
    EXPECT_EQ(verification.wrong_elements, 2);
    EXPECT_EQ(verification.explanation, seen[0].explanation);
  }
}

TEST(Verify, SgemmColumnIsTheLecturesLoop) {
  const std::size_t n = 35, m = 79, p = 19;
  const auto instance = instance_of("sgemm_column", {{"M", 35}, {"N", 79}, {"K", 19}});
  std::vector<float> a(n * m);
  const std::vector<float> b = floats_of(*instance, 1), c = floats_of(*instance, 2);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < m; ++j) {
      float sum = 0;
      for (std::size_t k = 0; k < p; ++k) sum += b[i + n * k] * c[k + p * j];
      a[i + n * j] = sum;
    }
  }
  const Verification right = instance->verify(bytes_of_floats(a));
  EXPECT_TRUE(right.verified) << right.explanation;
  a[3 + n * 5] += 1;
  const Verification wrong = instance->verify(bytes_of_floats(a));
  EXPECT_EQ(wrong.first_wrong, static_cast<std::int64_t>(3 + n * 5));
  EXPECT_THAT(wrong.explanation, testing::StartsWith("a at row 3, column 5 is "));
}

TEST(Verify, TransposeIsEqualBitForBit) {
  const std::size_t rows = 37, columns = 70;
  const auto instance = instance_of("transpose", {{"M", 37}, {"N", 70}});
  const std::vector<float> in = floats_of(*instance, 0);
  std::vector<float> out(in.size());
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < columns; ++c) out[c * rows + r] = in[r * columns + c];
  }
  const Verification right = instance->verify(bytes_of_floats(out));
  EXPECT_TRUE(right.verified);
  EXPECT_EQ(right.max_relative_error, 0);
  const std::size_t element = 5 * rows + 3;
  out[element] = std::nextafter(out[element], 2.0f);
  const Verification wrong = instance->verify(bytes_of_floats(out));
  EXPECT_FALSE(wrong.verified);
  EXPECT_EQ(wrong.wrong_elements, 1);
  EXPECT_THAT(wrong.explanation, testing::StartsWith("out at row 5, column 3 is "));
  out[element] = std::bit_cast<float>(kUnwritten);
  EXPECT_THAT(instance->verify(bytes_of_floats(out)).explanation,
              testing::StartsWith("out at row 5, column 3 was not written"));
  EXPECT_FALSE(instance->verify(bytes_of_floats(in)).verified);
  std::vector<std::uint8_t> checked(out.size(), 1);
  checked[element] = 0;
  EXPECT_TRUE(instance->verify(bytes_of_floats(out), checked).verified);
}

TEST(Verify, MinPlusIsEqualBitForBitAtOddSizes) {
  for (const std::size_t n : {1, 2, 31, 33, 100, 129, 257}) {
    for (const Pattern pattern : {Pattern::random, Pattern::ones, Pattern::index, Pattern::identity}) {
      const auto instance = instance_of("minplus", {{"N", static_cast<std::int64_t>(n)}}, pattern);
      std::vector<float> r = plain_minplus(*instance, n);
      const Verification right = instance->verify(bytes_of_floats(r));
      EXPECT_TRUE(right.verified) << n << right.explanation;
      EXPECT_EQ(right.max_relative_error, 0);
      EXPECT_EQ(right.checked_elements, static_cast<std::int64_t>(n * n));
      const std::size_t element = (n - 1) * n + n / 2;
      r[element] = std::nextafter(r[element], 1e9f);
      const Verification wrong = instance->verify(bytes_of_floats(r));
      EXPECT_EQ(wrong.wrong_elements, 1) << n;
      EXPECT_EQ(wrong.first_wrong, static_cast<std::int64_t>(element)) << n;
    }
  }
}

TEST(Verify, MinPlusSeesThatOneTermIsMissing) {
  const std::size_t n = 70;
  const auto instance = instance_of("minplus", {{"N", n}});
  const std::vector<float> d = floats_of(*instance, 0);
  std::vector<float> r = plain_minplus(*instance, n);
  std::int64_t changed = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      float least = d[i * n] + d[j];
      for (std::size_t k = 1; k + 1 < n; ++k) least = std::min(least, d[i * n + k] + d[k * n + j]);
      changed += least != r[i * n + j];
      r[i * n + j] = least;
    }
  }
  ASSERT_GT(changed, 0);
  EXPECT_EQ(instance->verify(bytes_of_floats(r)).wrong_elements, changed);
}

TEST(Verify, MinPlusHasATransposedCopyThatCostsNothing) {
  const std::size_t n = 71;
  for (const Pattern pattern : {Pattern::random, Pattern::index}) {
    const auto instance = instance_of("minplus", {{"N", n}}, pattern);
    const std::vector<float> t = floats_of(*instance, 1), d = floats_of(*instance, 0);
    EXPECT_TRUE(instance->buffers()[1].is_copy);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) ASSERT_EQ(t[j * n + i], d[i * n + j]) << i << " " << j;
    }
    EXPECT_EQ(instance->least_bytes(), 2.0 * n * n * 4);
    EXPECT_EQ(instance->operations(), 2.0 * n * n * n);
  }
}

TEST(Verify, ASampleOfMinPlusChecksTheSample) {
  const auto instance = instance_of("minplus", {{"N", 1000}}, Pattern::ones);
  std::vector<float> r(1000 * 1000, kNaN);
  std::vector<std::uint8_t> checked(r.size(), 0);
  for (std::size_t i = 0; i < 1000; i += 37) r[i * 1000 + i] = 2, checked[i * 1000 + i] = 1;
  EXPECT_TRUE(instance->verify(bytes_of_floats(r), checked).verified);
  EXPECT_FALSE(instance->verify(bytes_of_floats(r)).verified);
  r[37 * 1000 + 37] = 1;
  EXPECT_EQ(instance->verify(bytes_of_floats(r), checked).first_wrong, 37 * 1000 + 37);
}

TEST(Verify, CopyIsEqualBitForBit) {
  for (const std::size_t n : {1, 3, 1000, 70'000}) {
    const auto instance = instance_of("copy", {{"N", static_cast<std::int64_t>(n)}});
    std::vector<float> out = floats_of(*instance, 0);
    EXPECT_TRUE(instance->verify(bytes_of_floats(out)).verified) << n;
    EXPECT_FALSE(instance->verify(instance->initial(1)).verified);
    EXPECT_EQ(instance->operations(), 0);
    EXPECT_EQ(instance->least_bytes(), 8.0 * static_cast<double>(n));
    std::vector<std::uint8_t> checked(n, 1);
    checked[n - 1] = 0;
    out[n - 1] = std::nextafter(out[n - 1], 2.0f);
    const Verification wrong = instance->verify(bytes_of_floats(out));
    EXPECT_EQ(wrong.wrong_elements, 1) << n;
    EXPECT_EQ(wrong.first_wrong, static_cast<std::int64_t>(n) - 1);
    EXPECT_EQ(instance->verify(bytes_of_floats(out), checked).verified, n > 1);
  }
}

TEST(Verify, ReduceTakesAnyOrderOfSummation) {
  for (const std::int64_t n : {1, 2, 1000, 1 << 20}) {
    const auto instance = instance_of("reduce", {{"N", n}});
    const std::vector<float> in = floats_of(*instance, 0);
    const std::vector<float> forward{std::accumulate(in.begin(), in.end(), 0.0f)};
    const std::vector<float> backward{std::accumulate(in.rbegin(), in.rend(), 0.0f)};
    EXPECT_TRUE(instance->verify(bytes_of_floats(forward)).verified) << n;
    EXPECT_TRUE(instance->verify(bytes_of_floats(backward)).verified) << n;
    EXPECT_FALSE(instance->verify(bytes_of_floats({kNaN})).verified);
    EXPECT_FALSE(instance->verify(bytes_of_floats({forward[0] + 0.002f * static_cast<float>(n)})).verified);
    EXPECT_EQ(instance->verify(bytes_of_floats({kInfinite})).explanation.substr(0, 10), "out is inf");
  }
}

TEST(Verify, ReduceTakesALongSumOfOneSign) {
  const auto instance = instance_of("reduce", {{"N", 1 << 20}}, Pattern::index);
  const std::vector<float> in = floats_of(*instance, 0);
  const Verification right = instance->verify(bytes_of_floats({std::accumulate(in.begin(), in.end(), 0.0f)}));
  EXPECT_TRUE(right.verified) << right.explanation;
  EXPECT_GT(right.max_relative_error, 0);
}

TEST(Verify, ReduceOfOnesIsExact) {
  const auto instance = instance_of("reduce", {{"N", 4096}}, Pattern::ones);
  EXPECT_TRUE(instance->verify(bytes_of_floats({4096})).verified);
  EXPECT_FALSE(instance->verify(bytes_of_floats({4095})).verified);
  EXPECT_FALSE(instance->verify(instance->initial(1)).verified);
}

}  // namespace
}  // namespace warplens::problem
