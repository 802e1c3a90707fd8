#include "engine/problem/input.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <thread>

#include "engine/problem/testing/test_instance.hpp"

namespace warplens::problem {
namespace {

// Golden numbers: another machine or another version must make the same inputs.
TEST(Input, RandomNumbersAreFixed) {
  const std::vector<float> a = floats_of(*instance_of("sgemm", {{"M", 64}, {"N", 64}, {"K", 64}}), 0);
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a[i], random_float(1, 0, i));
  EXPECT_EQ(random_float(1, 0, 0), -5836260 * 0x1p-23f);
  EXPECT_EQ(random_float(1, 1, 123456789), -2914066 * 0x1p-23f);
}

TEST(Input, RandomNumbersAreUniform) {
  const std::vector<float> x = floats_of(*instance_of("reduce", {{"N", 1 << 20}}), 0);
  double sum = 0, squares = 0, neighbours = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    sum += x[i];
    squares += static_cast<double>(x[i]) * x[i];
    if (i > 0) neighbours += static_cast<double>(x[i]) * x[i - 1];
  }
  const auto count = static_cast<double>(x.size());
  // Five standard deviations of a mean of 2^20 such numbers.
  EXPECT_NEAR(sum / count, 0, 5 * std::sqrt(1.0 / 3 / count));
  EXPECT_NEAR(squares / count, 1.0 / 3, 5 * std::sqrt(4.0 / 45 / count));
  EXPECT_NEAR(neighbours / count, 0, 5 * std::sqrt(1.0 / 9 / count));
  const auto [least, most] = std::minmax_element(x.begin(), x.end());
  EXPECT_GE(*least, -1);
  EXPECT_LT(*least, -0.9999);
  EXPECT_LT(*most, 1);
  EXPECT_GT(*most, 0.9999);
}

TEST(Input, SeedsAndBuffersDiffer) {
  const Values sizes{{"M", 16}, {"N", 16}, {"K", 16}};
  const auto one = instance_of("sgemm", sizes, Pattern::random, 1),
             two = instance_of("sgemm", sizes, Pattern::random, 2);
  EXPECT_NE(floats_of(*one, 0), floats_of(*two, 0));
  EXPECT_NE(floats_of(*one, 0), floats_of(*one, 1));
  EXPECT_EQ(floats_of(*one, 0), floats_of(*instance_of("sgemm", sizes, Pattern::random, 1), 0));
}

TEST(Input, Patterns) {
  const Values sizes{{"M", 2}, {"N", 2}, {"K", 3}};
  EXPECT_THAT(floats_of(*instance_of("sgemm", sizes, Pattern::ones), 1), testing::Each(1.0f));
  EXPECT_THAT(floats_of(*instance_of("sgemm", sizes, Pattern::index), 0),
              testing::ElementsAre(0, 1, 2, 3, 4, 5));
  const auto identity = instance_of("sgemm", sizes, Pattern::identity);
  EXPECT_THAT(floats_of(*identity, 0), testing::ElementsAre(1, 0, 0, 0, 1, 0));
  EXPECT_THAT(floats_of(*identity, 1), testing::ElementsAre(0, 1, 2, 3, 4, 5));
  // b is n x p = 2 x 3, column-major: its diagonal is elements 0 and 3.
  EXPECT_THAT(floats_of(*instance_of("sgemm_column", sizes, Pattern::identity), 1),
              testing::ElementsAre(1, 0, 0, 1, 0, 0));
}

TEST(Input, OutputsAreMarkedOrZero) {
  const auto sgemm = instance_of("sgemm", {{"M", 3}, {"N", 5}, {"K", 2}});
  const std::vector<float> c = floats_of(*sgemm, 2);
  EXPECT_EQ(c.size(), 15u);
  for (const float x : c) EXPECT_EQ(std::bit_cast<std::uint32_t>(x), kUnwritten);
  EXPECT_EQ(c[0], -12345678.0f);  // a kernel may multiply it by zero
  const auto reduce = instance_of("reduce", {{"N", 5}});
  EXPECT_TRUE(reduce->buffers()[1].starts_at_zero);
  EXPECT_THAT(floats_of(*reduce, 1), testing::ElementsAre(0.0f));
}

TEST(Input, OtherElementTypesFillToo) {
  Buffer buffer;
  buffer.elements = 4;
  buffer.shape = {1, 4, 4, true};
  std::vector<std::int32_t> whole(4);
  buffer.type = ElementType::i32;
  fill_input(buffer, 0, Pattern::index, 1, std::as_writable_bytes(std::span(whole)));
  EXPECT_THAT(whole, testing::ElementsAre(0, 1, 2, 3));
  fill_output(buffer, std::as_writable_bytes(std::span(whole)));
  EXPECT_THAT(whole, testing::Each(static_cast<std::int32_t>(kUnwritten)));
  std::vector<double> real(4);
  buffer.type = ElementType::f64;
  fill_input(buffer, 0, Pattern::random, 1, std::as_writable_bytes(std::span(real)));
  EXPECT_EQ(real[3], random_float(1, 0, 3));
  fill_output(buffer, std::as_writable_bytes(std::span(real)));
  EXPECT_TRUE(std::isfinite(real[0]));
}

TEST(Input, ManyThreadsMayAsk) {
  const auto instance = instance_of("sgemm", {{"M", 300}, {"N", 300}, {"K", 300}});
  std::vector<std::vector<float>> seen(4);
  {
    std::vector<std::jthread> threads;
    for (auto& values : seen) threads.emplace_back([&] { values = floats_of(*instance, 0); });
  }
  for (const auto& values : seen) EXPECT_EQ(values, seen[0]);
}

}  // namespace
}  // namespace warplens::problem
